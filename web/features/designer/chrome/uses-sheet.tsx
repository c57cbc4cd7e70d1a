import { Button, chakra, HStack, Input } from '@chakra-ui/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, Trash2, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { IconButton } from '#web/components/hint.tsx'
import { ChoiceControl } from '#web/form/control/choice-control.tsx'
import type { Choice } from '#web/form/control/control-props.ts'
import { useMode } from '../mode/mode-context.ts'
import { useStoreValue } from '../model/store.ts'
import { HitList } from '../search/hit-list.tsx'
import { useGoToBlock } from '../search/open-search.ts'
import { useDesigner } from '../session/designer.ts'
import { type FlowNames, useNames } from '../session/flow-names.ts'
import type { UseTarget } from '../session/search-state.ts'
import { usePhone } from '../session/use-phone.ts'

interface RenameFormProps {
  readonly bot: string
  readonly name: string
  /** Of how many texts in how many flows the name would change. */
  readonly texts: number
  readonly flows: number
  readonly onClose: () => void
  readonly onRenamed: (name: string) => void
}

const wordsOf = (error: unknown) => (isProblem(error) ? (error.errors[0]?.message ?? error.message) : String(error))

interface Renaming extends Pick<RenameFormProps, 'bot' | 'name' | 'onRenamed'> {
  readonly next: string
}

const useRenaming = ({ bot, name, next, onRenamed }: Renaming) => {
  const { t } = useTranslation('designer')
  const designer = useDesigner()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => http.post('/bot/{id}/flow/rename', { params: { id: bot }, body: { variable: name, name: next } }),
    onSuccess: async ({ left = [] }) => {
      const places = left.slice(0, 3).map(place => `${place.name}: ${place.field}`)
      const stayed = left.length === 0 ? '' : `. ${t('seek.leftAt', { count: left.length, places: places.join(', ') })}`
      const words = t('uses.renamed', { from: name, to: next }) + stayed
      designer.said.set(words)
      designer.notice.set({ text: words })
      onRenamed(next)
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['variable'] }),
        queries.invalidateQueries({ queryKey: ['bot', bot] }),
      ])
    },
  })
}

/** Gives a variable another name, in its declaration and wherever a flow of the bot says it. */
const RenameForm = ({ bot, name, texts, flows, onClose, onRenamed }: RenameFormProps) => {
  const { t } = useTranslation('designer')
  const [next, setNext] = useState(name)
  const renaming = useRenaming({ bot, name, next: next.trim(), onRenamed })
  const isSame = next.trim() === '' || next.trim() === name
  return (
    <chakra.form
      display="grid"
      gap="2"
      onSubmit={event => {
        event.preventDefault()
        if (!isSame) renaming.mutate()
      }}
    >
      <div className="pl-seek-row">
        <Input
          autoFocus
          value={next}
          maxLength={200}
          aria-label={t('uses.newName')}
          aria-invalid={renaming.error !== null}
          onChange={event => setNext(event.target.value)}
        />
        <Button
          type="submit"
          size="sm"
          variant="solid"
          colorPalette="accent"
          disabled={isSame}
          loading={renaming.isPending}
        >
          {t('uses.rename')}
        </Button>
        <Button size="sm" variant="ghost" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
      {renaming.error === null ? (
        <chakra.p fontSize="xs" color="fg.muted">
          {t('uses.renameWhere', { count: texts, flows: t('seek.flows', { count: flows }) })}
        </chakra.p>
      ) : (
        <chakra.p role="alert" fontSize="xs" color="danger.fg">
          {wordsOf(renaming.error)}
        </chakra.p>
      )}
    </chakra.form>
  )
}

interface RemoveVariableProps {
  readonly bot: string
  readonly id: string
  readonly name: string
  readonly onRemoved: () => void
}

/** Removes a variable that no flow says; it can be taken back from the notice, and from its history. */
const RemoveVariable = ({ bot, id, name, onRemoved }: RemoveVariableProps) => {
  const { t } = useTranslation('designer')
  const { said, notice } = useDesigner()
  const queries = useQueryClient()
  const tell = (text: string, more: { tone?: 'failed'; action?: { label: string; run: () => void } } = {}) => {
    said.set(text)
    notice.set({ text, ...more })
  }
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['variable'] }),
      queries.invalidateQueries({ queryKey: ['bot', bot] }),
    ])
  const failed = (error: Error) => tell(isProblem(error) ? error.message : String(error), { tone: 'failed' })
  const restoring = useMutation({
    mutationFn: (revision: number) =>
      http.post('/{entity}/{id}/restore', { params: { entity: 'variable', id }, body: { revision } }),
    onSuccess: () => {
      tell(t('uses.broughtBack', { name }))
      return refresh()
    },
    onError: failed,
  })
  const removing = useMutation({
    mutationFn: () => http.delete('/{entity}/{id}', { params: { entity: 'variable', id } }),
    onSuccess: ({ revision }) => {
      const undo = { label: t('tool.undo'), run: () => restoring.mutate(revision - 1) }
      tell(t('uses.removed', { name }), { action: undo })
      onRemoved()
      return refresh()
    },
    onError: failed,
  })
  return (
    <Button size="sm" variant="outline" disabled={removing.isPending} onClick={() => removing.mutate()}>
      <Trash2 size={14} aria-hidden />
      {t('uses.remove')}
    </Button>
  )
}

const KINDS: readonly UseTarget['of'][] = ['variable', 'dialog', 'handler', 'dialogtask']

const choicesOf = (of: UseTarget['of'], names: FlowNames): readonly Choice[] => {
  if (of === 'variable') {
    const unique = new Set(names.variables?.map(({ name }) => name))
    return [...unique].map(name => ({ value: name, label: name }))
  }
  const things = { dialog: names.dialogs, handler: names.handlers, dialogtask: names.tasks }[of] ?? []
  return things.map(({ id, name }) => ({ value: id, label: name }))
}

/** Uses of a variable, dialog, handler or task: in every block of every flow of the bot. */
export const UsesSheet = () => {
  const { t } = useTranslation('designer')
  const { seek } = useDesigner()
  const names = useNames()
  const session = useSession()
  const { send } = useMode()
  const goTo = useGoToBlock()
  const phone = usePhone()
  const { target } = useStoreValue(seek)
  const [isRenaming, setRenaming] = useState(false)
  const id = useId()
  const { of, value } = target
  const bot = names.bot?.id
  const uses = useQuery({
    queryKey: ['bot', bot, 'uses', target],
    queryFn: ({ signal }) =>
      http.get('/bot/{id}/flow/uses', { params: { id: bot ?? '' }, query: { of, value }, signal }),
    enabled: bot !== undefined && value !== '',
    staleTime: 0,
  })
  const aim = (next: UseTarget) => {
    setRenaming(false)
    seek.set(held => ({ ...held, target: next }))
  }
  const { items, total } = uses.data ?? { items: [], total: 0 }
  const flows = t('seek.flows', { count: items.length })
  const told = () => {
    if (uses.error !== null) return isProblem(uses.error) ? uses.error.message : String(uses.error)
    if (value === '') return t('uses.choose')
    if (uses.isPending) return t('seek.looking')
    return total === 0 ? t('uses.none') : t('seek.found', { count: total, flows })
  }
  const mayRename =
    !phone && of === 'variable' && value !== '' && session.can('updatebot') && session.can('updatevariable')
  const [named, more] = of === 'variable' ? (names.variables?.filter(({ name }) => name === value) ?? []) : []
  // Of several with one name, nobody said which is meant.
  const isUnused = uses.data?.total === 0 && uses.data.unfinished === undefined && more === undefined
  const unused = !phone && isUnused && session.can('deletevariable') ? named : undefined
  return (
    <chakra.section
      className="pl-sheet"
      aria-label={t('uses.title')}
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key === 'Escape') send({ type: 'CLOSE' })
      }}
    >
      <HStack px="3.5" py="2">
        <chakra.h2 fontSize="md" flex="1">
          {t('uses.title')}
        </chakra.h2>
        <IconButton icon={X} label={t('close')} size="xs" onClick={() => send({ type: 'CLOSE' })} />
      </HStack>
      <div className="pl-seek">
        <div className="pl-seek-row" data-choices>
          <ChoiceControl
            id={`${id}-kind`}
            label={t('uses.kind')}
            value={of}
            choices={KINDS.map(kind => ({ value: kind, label: t(`uses.of.${kind}`) }))}
            chosen
            disabled={false}
            onChange={kind => aim({ of: KINDS.find(known => known === kind) ?? 'variable', value: '' })}
          />
          <ChoiceControl
            id={`${id}-value`}
            label={t(`uses.of.${of}`)}
            value={value}
            choices={choicesOf(of, names)}
            disabled={false}
            onChange={wanted => aim({ of, value: wanted })}
          />
        </div>
        {isRenaming && bot !== undefined ? (
          <RenameForm
            key={value}
            bot={bot}
            name={value}
            texts={total}
            flows={items.length}
            onClose={() => setRenaming(false)}
            onRenamed={name => aim({ of: 'variable', value: name })}
          />
        ) : null}
      </div>
      {items.length === 0 ? null : <HitList flows={items} onGo={goTo} />}
      <div className="pl-seek-foot">
        <output aria-live="polite">{told()}</output>
        {unused === undefined || bot === undefined || isRenaming ? null : (
          <RemoveVariable
            bot={bot}
            id={unused.id}
            name={unused.name}
            onRemoved={() => aim({ of: 'variable', value: '' })}
          />
        )}
        {mayRename && !isRenaming ? (
          <Button size="sm" variant="outline" onClick={() => setRenaming(true)}>
            <Pencil size={14} aria-hidden />
            {t('uses.renameEverywhere')}
          </Button>
        ) : null}
      </div>
    </chakra.section>
  )
}
