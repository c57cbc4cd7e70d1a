import { chakra, HStack } from '@chakra-ui/react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FieldPath, fieldAt } from '#domain/flow/document/location.ts'
import { offeredValues } from '#domain/flow/lint/value-fault.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json } from '#schemas/event.ts'
import type { BlockField } from '#schemas/flow/block-field.ts'
import { WeekControl } from '../blocks/working-hour/week-control.tsx'
import { useWords } from '../canvas/translate-context.ts'
import { paragraphs } from '../model/block-summary.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { FieldGroup } from './field-group.tsx'
import { FieldLabel } from './field-label.tsx'
import { type FieldProps, useForm, useLabel, usePlace } from './form-context.ts'
import { FormatControl } from './format-control.tsx'
import { LateRichText } from './lazy-rich-text.tsx'
import { linesOf } from './lines-of.ts'
import { ListField } from './list-field.tsx'
import { ChoiceControl, LineControl, LinesControl, NumberControl, stringOf } from './plain-control.tsx'
import { PlainExpression } from './plain-expression.tsx'
import { ReferenceControl } from './reference-control.tsx'
import { SharedText } from './shared-text.tsx'
import { SwitchControl } from './switch-control.tsx'
import { TicksControl } from './ticks-control.tsx'
import { useFault } from './use-fault.ts'
import { useFresh } from './use-fresh.ts'
import { VariableControl } from './variable-control.tsx'
import './form.css'

/** Whose control says by itself what is wrong with an expression or a variable, and where. */
const isTelling = (field: BlockField) =>
  field.kind === 'expression' ||
  field.kind === 'code' ||
  field.kind === 'json' ||
  field.kind === 'strings' ||
  (field.kind === 'reference' && field.to === 'variable')

const TEXTS: ReadonlySet<string> = new Set(['expression', 'code', 'json'])

const SAID_THERE: ReadonlySet<string> = new Set([
  'block.expression',
  'block.variable',
  'block.scope',
  'block.datatype',
  'block.schema',
])

/** That nothing is there yet: not told of what was added a moment ago. */
const MISSING: ReadonlySet<string> = new Set(['block.answer', 'block.target', 'block.value'])

const useFinding = (path: FieldPath) => {
  const { node } = useForm()
  const { findings } = useDesigner()
  const words = useWords()
  const isFresh = useFresh(node.id)
  const name = path.join('.')
  const found = useStoreValue(findings).find(
    finding =>
      finding.block === node.id &&
      finding.code !== 'block.rule' &&
      (finding.field === name || finding.field === path[0]),
  )
  const own = found?.field === name || (found !== undefined && path.length === 1)
  const field = fieldAt(node.type, path)
  const isSaid = found !== undefined && field !== undefined && isTelling(field) && SAID_THERE.has(found.code)
  const isEarly = isFresh && found !== undefined && MISSING.has(found.code)
  return own && found !== undefined && !isEarly && !isSaid && !found.code.startsWith('block.deadend')
    ? { severity: found.severity, text: words(`block:lint.${found.code}`, { name: found.name }) }
    : undefined
}

const Inline = ({ id, label, children }: { id: string; label: string; children: React.ReactNode }) => (
  <HStack justify="space-between" gap="3" minH="8">
    <chakra.label id={`${id}-label`} htmlFor={id} fontSize="sm">
      {label}
    </chakra.label>
    {children}
  </HStack>
)

const NAMES = { kind: 'names' } as const

/** What a form writes within, and cannot where a file has something else. */
const SHARED: ReadonlySet<string> = new Set(['group', 'list', 'rich', 'expression', 'code'])

/** Groups that are but the shape of a file: to a person their fields are the block's own. */
const SHAPES = new Set(['data', 'config', 'cards', 'header', 'value', 'media'])

/** One field of a block, drawn by its kind. */
export const Field = ({ path, label: given, bare = false, rows }: FieldProps) => {
  const { node } = useForm()
  const words = useWords()
  const { t } = useTranslation('designer')
  const id = useId()
  const declared = useLabel(path)
  const label = given ?? declared
  const field = fieldAt(node.type, path)
  const { value, set, mayEdit, block } = usePlace(path, field)
  const fault = useFault(path, value)
  const lint = useFinding(path)
  const [isJunk, setJunk] = useState(false)
  const junk = isJunk ? { severity: 'error', text: words('block:value.number') } : undefined
  const finding = junk ?? fault ?? lint
  if (field === undefined) return null
  const [name = '', inner] = path
  if (inner === undefined && SHARED.has(field.kind) && node.unreadable.includes(name)) {
    return (
      <div>
        <span className="pl-label-text">{label}</span>
        <chakra.p role="status" fontSize="xs" color="warning.fg" mt="1">
          {t('inspector.unreadable')}
        </chakra.p>
      </div>
    )
  }
  if (field.kind === 'group') {
    if (field.control === 'week') return <WeekControl path={path} label={label} />
    const fields = <FieldGroup path={path} fields={field.fields} />
    if (SHAPES.has(path.at(-1) ?? '')) return fields
    return (
      <section className="pl-group" aria-label={label}>
        <span className="pl-group-name">{label}</span>
        {fields}
      </section>
    )
  }
  if (field.kind === 'list') return <ListField path={path} field={field} label={label} />
  const described = finding === undefined ? undefined : `${id}-finding`
  const common = { id, describedBy: described, disabled: !mayEdit }
  const note =
    finding === undefined ? null : (
      <chakra.p id={described} fontSize="xs" color={finding.severity === 'error' ? 'danger.fg' : 'warning.fg'} mt="1">
        {finding.text}
      </chakra.p>
    )
  if (field.kind === 'boolean') {
    return (
      <Inline id={id} label={label}>
        <SwitchControl id={id} checked={value === true} disabled={!mayEdit} onWrite={set} />
      </Inline>
    )
  }
  const title = <FieldLabel id={id} label={label} bare={bare} />
  if (field.kind === 'number' || field.kind === 'integer') {
    const number = (
      <NumberControl
        {...common}
        value={typeof value === 'number' ? value : field.initial}
        unit={field.unit}
        wide={field.half === true}
        onWrite={set}
        onJunk={setJunk}
      />
    )
    return (
      <div>
        {field.half === true ? (
          <>
            {title}
            {number}
          </>
        ) : (
          <Inline id={id} label={label}>
            {number}
          </Inline>
        )}
        {note}
      </div>
    )
  }
  const written = (
    <chakra.p whiteSpace="pre-wrap" fontSize="sm">
      {field.kind === 'rich' ? paragraphs(stringOf(value)) : stringOf(value)}
    </chakra.p>
  )
  if (field.kind === 'rich' && mayEdit) {
    return (
      <div>
        <LateRichText
          block={block}
          path={path}
          id={id}
          label={label}
          bare={bare}
          runs={blockOf(node.type)?.runs !== false}
          written={written}
        />
        {note}
      </div>
    )
  }
  const control = () => {
    if (field.kind === 'rich' || (TEXTS.has(field.kind) && !mayEdit)) return written
    switch (field.kind) {
      case 'expression':
      case 'code':
      case 'json':
        return (
          <SharedText
            block={block}
            path={path}
            id={id}
            code={field.kind !== 'expression'}
            rows={rows ?? (field.kind === 'expression' ? 1 : 4)}
            describedBy={described}
          />
        )
      case 'enumeration':
        return (
          <ChoiceControl
            {...common}
            value={stringOf(value)}
            none={words(`block:none.${path.at(-1)}`, { defaultValue: t('inspector.choose') })}
            choices={offeredValues(field, node.properties).map(each => ({
              value: each,
              label: words(`block:option.${path.at(-1)}.${each}`, { defaultValue: each }),
            }))}
            onWrite={set}
          />
        )
      case 'reference':
        return field.to === 'variable' ? (
          <VariableControl {...common} path={path} value={stringOf(value)} onWrite={set} />
        ) : (
          <ReferenceControl {...common} to={field.to} value={stringOf(value)} onWrite={set} />
        )
      case 'strings':
        if (field.variables === true) {
          return (
            <PlainExpression
              {...common}
              language={NAMES}
              value={stringsOf(value).join('\n')}
              onWrite={typed => set(linesOf(typed))}
            />
          )
        }
        return field.options === undefined ? (
          <LinesControl {...common} value={stringsOf(value)} onWrite={set} />
        ) : (
          <TicksControl
            {...common}
            value={stringsOf(value)}
            choices={field.options.map(each => ({
              value: each,
              label: words(`block:option.${path.at(-1)}.${each}`, { defaultValue: each }),
            }))}
            onWrite={set}
          />
        )
      case 'string':
        return field.control === undefined ? (
          <LineControl
            {...common}
            value={stringOf(value)}
            offered={field.offered}
            onWrite={set}
            placeholder={bare ? label : undefined}
          />
        ) : (
          <FormatControl {...common} format={field.control} value={stringOf(value)} onWrite={set} />
        )
      case 'number':
      case 'integer':
        return null
      default:
        return field satisfies never
    }
  }
  return (
    <div>
      {title}
      {control()}
      {field.kind === 'strings' && field.options === undefined && mayEdit ? (
        <chakra.p fontSize="2xs" color="fg.subtle" mt="1">
          {t('condition.oneALine')}
        </chakra.p>
      ) : null}
      {note}
    </div>
  )
}

const stringsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter(item => typeof item === 'string') : []
