import { chakra, Input } from '@chakra-ui/react'
import { ScanSearch } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FieldPath, fieldAt } from '#domain/flow/document/location.ts'
import { misfitOf, wantedVariable } from '#domain/flow/variable/variable-fit.ts'
import { isPlainName, isPlainPath, rootName } from '#domain/flow/variable/variable-use.ts'
import { useSession } from '#web/api/session.ts'
import { IconButton } from '#web/components/hint.tsx'
import { useKnownVariables } from '../blocks/try-out/use-trial-inputs.ts'
import { memberPreview, membersOf, useTrialResults } from '../blocks/try-out/use-try.ts'
import { useWords } from '../canvas/canvas-context.ts'
import { useMode } from '../mode/mode-context.ts'
import { useStoreValue } from '../model/store.ts'
import { openUses } from '../search/open-search.ts'
import { useDesigner } from '../session/designer.ts'
import { useNames } from '../session/flow-names.ts'
import { DeclareVariable } from './expression-field.tsx'
import { useForm } from './form-context.ts'
import type { SampledVariable } from './sample-values.ts'
import { useCreateVariable } from './use-create-variable.ts'
import { matchingNames, NEW, VariableOptions } from './variable-options.tsx'

interface VariableControlProps {
  readonly id: string
  readonly path: FieldPath
  readonly value: string
  readonly disabled: boolean
  readonly describedBy?: string | undefined
  readonly onChange: (value: string) => void
}

/** Fields that store a result of any type need an object variable. */
const BRINGS_OBJECTS = new Set(['resultVariable', 'errorVariable'])

/** Members of tried results that complete a path; a variable that keeps a value is named as a whole. */
const useMembers = (known: readonly SampledVariable[], path: string) => membersOf(useTrialResults(known), path)

/** Opens the list of blocks that use a variable. */
const Uses = ({ variable }: { readonly variable: string }) => {
  const { t } = useTranslation('designer')
  const designer = useDesigner()
  const { send } = useMode()
  return (
    <IconButton
      className="pl-uses"
      icon={ScanSearch}
      iconSize={15}
      size="xs"
      side="left"
      label={t('uses.title')}
      onClick={() => openUses(designer, send, { of: 'variable', value: variable })}
    />
  )
}

/** Chooses a variable by its name as it is typed, or declares a new one; one that does not fit the block is refused. */
export const VariableControl = ({ id, path, value, disabled, describedBy, onChange }: VariableControlProps) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const designer = useDesigner()
  const { node } = useForm()
  const session = useSession()
  const { variables = [], bot } = useNames()
  const { known, declared, isWhole } = useKnownVariables()
  const { may, create, isPending, refused } = useCreateVariable()
  const bots = useStoreValue(designer.known).declared
  const [typed, setTyped] = useState<string>()
  const [active, setActive] = useState(0)
  const [misfit, setMisfit] = useState<string>()
  const list = useId()
  const names = [...new Set(variables.map(({ name }) => name))]
  const field = fieldAt(node.type, path)
  /** Something is kept in it; one that is read alone may be anything. */
  const isKept = field?.kind === 'reference' && field.reads === undefined
  const isOpen = typed !== undefined
  const wish = typed?.trim() ?? ''
  const members = useMembers(known, isOpen && !isKept ? wish : '')
  const found = [...matchingNames(names, typed === value ? '' : (typed ?? '')), ...members.map(({ path }) => path)]
  const isNew = wish !== '' && wish !== value && !names.includes(rootName(wish))
  const options = isNew && may && isPlainName(wish) ? [...found, NEW] : found

  const misfitWith = (name: string) => {
    const wrong = isKept && bots !== undefined ? misfitOf(node, name, bots) : undefined
    return wrong === undefined ? undefined : words(`block:lint.${wrong}`, { name })
  }
  const write = (name: string) => {
    setTyped(undefined)
    const wrong = misfitWith(name)
    setMisfit(wrong)
    if (wrong === undefined && name !== value) onChange(name)
  }
  const wantedOf = () => {
    const wanted = path[0] === 'varname' ? wantedVariable(node) : { datatype: 'string', schema: '' }
    return BRINGS_OBJECTS.has(path.at(-1) ?? '') ? { ...wanted, datatype: 'object' } : wanted
  }
  const declare = async () => {
    await create({ name: wish, ...wantedOf() })
    setTyped(undefined)
    setMisfit(undefined)
    onChange(wish)
  }
  const choose = (option: string | undefined) => {
    if (option === NEW) void declare().catch(() => undefined)
    else if (option !== undefined) write(option)
    else if (wish !== '') write(wish)
  }
  /** Blur keeps the input, declared or not: typed text is never lost. */
  const leave = () => {
    if (typed !== undefined) write(wish)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      if (!isOpen) setTyped(value)
      else setActive((active + step + options.length) % Math.max(1, options.length))
    }
    if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      const isPath = members.length === 0 && names.includes(rootName(wish)) && !names.includes(wish)
      choose(wish === '' || isPath ? wish : options[active])
    }
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation()
      setTyped(undefined)
    }
  }
  const note = refused ?? misfit ?? misfitWith(value)
  const root = rootName(value)
  const hasUses = value !== '' && !isOpen && bot !== undefined && session.can('readbot')
  const isIn = (list: readonly { readonly name: string }[]) => list.some(({ name }) => name === root)
  const isUnknown = !isOpen && root !== '' && isWhole && !isIn(isKept ? declared : known)
  const isBadName = !isOpen && value !== '' && !isPlainPath(value)
  const isOdd = isBadName || (isUnknown && !isKept)
  const described = [describedBy, note && `${list}-note`, isOdd && `${list}-odd`].filter(Boolean).join(' ')
  return (
    <chakra.div position="relative">
      <Input
        pe={hasUses ? '8' : undefined}
        id={id}
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        aria-expanded={isOpen}
        aria-controls={list}
        aria-activedescendant={isOpen && options.length > 0 ? `${list}-${active}` : undefined}
        aria-describedby={described || undefined}
        aria-invalid={note !== undefined}
        disabled={disabled}
        readOnly={isPending}
        placeholder={t('inspector.choose')}
        value={typed ?? value}
        onFocus={event => {
          setTyped(value)
          event.target.select()
        }}
        onBlur={leave}
        onChange={event => {
          setTyped(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      {isOpen && options.length > 0 ? (
        <VariableOptions
          id={list}
          options={options}
          active={active}
          wish={wish}
          details={new Map(members.map(each => [each.path, memberPreview(each.value)]))}
          onPoint={setActive}
          onChoose={choose}
        />
      ) : null}
      {note === undefined ? null : (
        <chakra.p id={`${list}-note`} role="alert" fontSize="xs" color="danger.fg" mt="1">
          {note}
        </chakra.p>
      )}
      {isOdd ? (
        <chakra.p id={`${list}-odd`} fontSize="xs" color="warning.fg" mt="1">
          {isBadName ? t('uses.badName') : t('expression.fault.unknown', { name: root })}
        </chakra.p>
      ) : null}
      {isUnknown && !isBadName && !disabled ? <DeclareVariable name={root} wanted={wantedOf()} /> : null}
      {hasUses ? <Uses variable={root} /> : null}
    </chakra.div>
  )
}
