import './form.css'
import { chakra, HStack, Input } from '@chakra-ui/react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FieldPath, fieldAt } from '#domain/flow/document/location.ts'
import { valueNamed } from '#domain/flow/document/model.ts'
import { offeredValues } from '#domain/flow/lint/check-value.ts'
import { WEEKDAYS } from '#schemas/blocks/common-fields.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json } from '#schemas/event.ts'
import type {
  BlockField,
  FileUpload,
  NumberField,
  ReferenceField,
  StringField,
  StringsField,
} from '#schemas/flow/block-field.ts'
import { stringsOf } from '#schemas/json.ts'
import { paragraphs } from '#web/features/designer/model/block-summary.ts'
import { CheckboxGroup, ChoiceControl, SwitchControl } from '#web/form/control/choice-control.tsx'
import { linesOf } from '#web/form/control/control-props.ts'
import { FormatControl } from '#web/form/control/format-control.tsx'
import { LineControl, NumberControl } from '#web/form/control/line-control.tsx'
import { StringsControl } from '#web/form/control/strings-control.tsx'
import type { CloudUpload } from '#web/form/control/use-cloud-upload.ts'
import { useWords } from '../canvas/canvas-context.ts'
import { FieldGroup, FieldLabel } from './field-group.tsx'
import { type FieldProps, under, useFieldValue, useForm, useLabel } from './form-context.ts'
import { LazyRichText } from './lazy-rich-text.tsx'
import { ListField } from './list-field.tsx'
import { PlainExpression } from './plain-expression.tsx'
import { ReferenceControl } from './reference-control.tsx'
import { SharedText } from './shared-text.tsx'
import { SHARED, stringOf } from './shared-value.ts'
import { UploadButton } from './upload-button.tsx'
import { type FieldFinding, useFieldFinding } from './use-field-finding.ts'
import { VariableControl } from './variable-control.tsx'

interface SharedNumberProps {
  readonly id: string
  readonly describedBy?: string | undefined
  readonly disabled: boolean
  readonly field: NumberField
  readonly value: Json | undefined
  readonly wide?: boolean
  readonly onChange: (value: number) => void
  readonly onUnreadable?: (isUnreadable: boolean) => void
}

/** A shared number. Text that is no number stays as typed and is not written. */
export const SharedNumber = ({ field, value, wide = false, onChange, onUnreadable, ...props }: SharedNumberProps) => {
  const [unreadable, setUnreadable] = useState<string>()
  const report = (text: string | undefined) => {
    setUnreadable(text)
    onUnreadable?.(text !== undefined)
  }
  return (
    <NumberControl
      {...props}
      {...SHARED}
      invalid={unreadable !== undefined}
      value={unreadable ?? (typeof value === 'number' ? value : field.initial)}
      unit={field.unit}
      wide={wide}
      onUnreadable={report}
      onChange={number => {
        report(undefined)
        if (number !== null) onChange(number)
      }}
    />
  )
}

/** Weeks are shown from Monday on. */
const SHOWN = [...WEEKDAYS.slice(1), 'sunday'] as const

const Time = ({ path, usual, label }: { path: FieldPath; usual: string; label: string }) => {
  const { node } = useForm()
  const { set, mayEdit } = useFieldValue(path, undefined)
  const own = stringOf(valueNamed(node.properties, path.join('.')))
  return (
    <Input
      type="time"
      aria-label={label}
      disabled={!mayEdit}
      data-usual={own === '' || undefined}
      value={own || usual}
      onChange={event => set(event.target.value === usual ? '' : event.target.value)}
    />
  )
}

const Day = ({ path }: { readonly path: FieldPath }) => {
  const { node } = useForm()
  const id = useId()
  const name = useLabel(path)
  const from = useLabel(under(path, 'startTime'))
  const to = useLabel(under(path, 'endTime'))
  const { t } = useTranslation('designer')
  const { set, mayEdit } = useFieldValue(under(path, 'closed'), undefined)
  const closed = valueNamed(node.properties, [...path, 'closed'].join('.')) === true
  const usual = (field: string) => stringOf(node.properties[field])
  return (
    <li>
      <span id={`${id}-label`}>{name}</span>
      <SwitchControl id={id} value={!closed} disabled={!mayEdit} onChange={open => set(!open)} />
      {closed ? (
        <em>{t('openings.closed')}</em>
      ) : (
        <>
          <Time path={under(path, 'startTime')} usual={usual('startTime')} label={`${name}: ${from}`} />
          <Time path={under(path, 'endTime')} usual={usual('endTime')} label={`${name}: ${to}`} />
        </>
      )}
    </li>
  )
}

/** A row for each weekday: whether it is open, and from when to when; times like the usual ones follow those. */
const WeekControl = ({ path, label }: { readonly path: FieldPath; readonly label: string }) => (
  <section aria-label={label}>
    <span className="pl-label-text">{label}</span>
    <ul className="pl-week">
      {SHOWN.map(day => (
        <Day key={day} path={under(path, day)} />
      ))}
    </ul>
  </section>
)

interface SharedControlProps {
  readonly id: string
  readonly describedBy: string | undefined
  readonly disabled: boolean
  readonly block: string
  readonly path: FieldPath
  readonly field: Exclude<BlockField, { kind: 'group' | 'list' | 'boolean' }>
  readonly value: Json | undefined
  readonly set: (value: Json) => void
  readonly rows: number | undefined
  readonly bare: boolean
  readonly label: string
}

type Of<F> = Omit<SharedControlProps, 'field'> & { readonly field: F }

const NAMES = { kind: 'names' } as const

/** A text that cannot be edited. */
const PlainText = ({ kind, value }: { readonly kind: string; readonly value: Json | undefined }) => (
  <chakra.p whiteSpace="pre-wrap" fontSize="sm">
    {kind === 'rich' ? paragraphs(stringOf(value)) : stringOf(value)}
  </chakra.p>
)

const bindingOf = ({ id, describedBy, disabled, set }: Of<BlockField>) => ({
  ...SHARED,
  id,
  describedBy,
  disabled,
  onChange: set,
})

const useChoices = (path: FieldPath) => {
  const words = useWords()
  return (values: readonly string[]) =>
    values.map(value => ({
      value,
      label: words(`block:option.${path.at(-1)}.${value}`, { defaultValue: value }),
    }))
}

const Enumeration = (props: Of<Extract<BlockField, { kind: 'enumeration' }>>) => {
  const { path, field, value } = props
  const { node } = useForm()
  const { t } = useTranslation('designer')
  const words = useWords()
  const choices = useChoices(path)
  return (
    <ChoiceControl
      {...bindingOf(props)}
      value={stringOf(value)}
      none={words(`block:none.${path.at(-1)}`, { defaultValue: t('inspector.choose') })}
      choices={choices(offeredValues(field, node.properties))}
    />
  )
}

const Strings = (props: Of<StringsField>) => {
  const { field, value, set, id, describedBy, disabled } = props
  const choices = useChoices(props.path)
  const strings = stringsOf(value)
  if (field.variables === true) {
    const write = (typed: string) => set(linesOf(typed))
    return (
      <PlainExpression
        {...{ id, describedBy, disabled }}
        language={NAMES}
        value={strings.join('\n')}
        onChange={write}
      />
    )
  }
  return field.options === undefined ? (
    <StringsControl {...bindingOf(props)} value={strings} />
  ) : (
    <CheckboxGroup {...bindingOf(props)} value={strings} choices={choices(field.options)} />
  )
}

const Line = (props: Of<StringField>) => {
  const { field, value, bare, label } = props
  const { node } = useForm()
  const common = { ...bindingOf(props), value: stringOf(value) }
  if (field.control === undefined)
    return <LineControl {...common} offered={field.offered} placeholder={bare ? label : undefined} />
  return <FormatControl {...common} format={field.control} country={stringOf(node.properties.country)} />
}

const Reference = ({ field, path, value, set, ...props }: Of<ReferenceField>) => {
  const common = { id: props.id, describedBy: props.describedBy, disabled: props.disabled }
  return field.to === 'variable' ? (
    <VariableControl {...common} path={path} value={stringOf(value)} onChange={set} />
  ) : (
    <ReferenceControl {...common} to={field.to} value={stringOf(value)} onChange={set} />
  )
}

/** The control of a field's kind, bound to the shared document. */
const SharedControl = (props: SharedControlProps) => {
  const { field, disabled, value } = props
  switch (field.kind) {
    case 'rich':
      return <PlainText kind="rich" value={value} />
    case 'expression':
    case 'code':
    case 'json':
      if (disabled) return <PlainText kind={field.kind} value={value} />
      return (
        <SharedText
          block={props.block}
          path={props.path}
          id={props.id}
          code={field.kind !== 'expression'}
          rows={props.rows ?? (field.kind === 'expression' ? 1 : 4)}
          describedBy={props.describedBy}
        />
      )
    case 'enumeration':
      return <Enumeration {...props} field={field} />
    case 'reference':
      return <Reference {...props} field={field} />
    case 'strings':
      return <Strings {...props} field={field} />
    case 'string':
      return <Line {...props} field={field} />
    case 'number':
    case 'integer':
      return null
    default:
      return field satisfies never
  }
}

interface UploadAddressProps {
  readonly path: FieldPath
  readonly type: string
  readonly upload: FileUpload
}

/** Under an address: uploads a file, writes its address there and its media type and name beside it. */
const UploadAddress = ({ path, type, upload: { accept, ...beside } }: UploadAddressProps) => {
  const at = (name = ''): FieldPath => {
    const [first = name, ...rest] = path.slice(0, -1)
    return path.length < 2 ? [name] : [first, ...rest, name]
  }
  const address = useFieldValue(path, fieldAt(type, path))
  const media = useFieldValue(at(beside.type), fieldAt(type, at(beside.type)))
  const name = useFieldValue(at(beside.name), fieldAt(type, at(beside.name)))
  const onUploaded = (file: CloudUpload) => {
    address.set(file.address)
    if (beside.type !== undefined) media.set(file.type)
    if (beside.name !== undefined && (name.value ?? '') === '') name.set(file.name)
  }
  return address.mayEdit ? <UploadButton accept={accept} onUploaded={onUploaded} /> : null
}

export const Inline = ({ id, label, children }: { id: string; label: string; children: ReactNode }) => (
  <HStack justify="space-between" gap="3" minH="8">
    <chakra.label id={`${id}-label`} htmlFor={id} fontSize="sm">
      {label}
    </chakra.label>
    {children}
  </HStack>
)

/** Kinds whose shared type a form needs to write within; a file may have put something else in its place. */
const SHARED_KINDS: ReadonlySet<string> = new Set(['group', 'list', 'rich', 'expression', 'code'])

/** Groups that exist only in the file's format: their fields are shown as the block's own. */
const UNNAMED_GROUPS = new Set(['data', 'config', 'cards', 'header', 'value', 'media'])

type Nested = Extract<BlockField, { kind: 'group' | 'list' }>
type Single = Exclude<BlockField, Nested>

const Note = ({ id, finding }: { id: string; finding: FieldFinding | undefined }) =>
  finding === undefined ? null : (
    <chakra.p id={id} fontSize="xs" color={finding.severity === 'error' ? 'danger.fg' : 'warning.fg'} mt="1">
      {finding.text}
    </chakra.p>
  )

const UnreadableField = ({ label }: { readonly label: string }) => {
  const { t } = useTranslation('designer')
  return (
    <div>
      <span className="pl-label-text">{label}</span>
      <chakra.p role="status" fontSize="xs" color="warning.fg" mt="1">
        {t('inspector.unreadable')}
      </chakra.p>
    </div>
  )
}

const NestedField = ({ path, field, label }: { path: FieldPath; field: Nested; label: string }) => {
  if (field.kind === 'list') return <ListField path={path} field={field} label={label} />
  if (field.control === 'week') return <WeekControl path={path} label={label} />
  const fields = <FieldGroup path={path} fields={field.fields} />
  if (UNNAMED_GROUPS.has(path.at(-1) ?? '')) return fields
  return (
    <section className="pl-group" aria-label={label}>
      <span className="pl-group-name">{label}</span>
      {fields}
    </section>
  )
}

/** One field of a block, drawn by its kind. */
export const Field = (props: FieldProps) => {
  const { path } = props
  const { node } = useForm()
  const declared = useLabel(path)
  const label = props.label ?? declared
  const field = fieldAt(node.type, path)
  if (field === undefined) return null
  const [name = '', inner] = path
  if (inner === undefined && SHARED_KINDS.has(field.kind) && node.unreadable.includes(name))
    return <UnreadableField label={label} />
  if (field.kind === 'group' || field.kind === 'list') return <NestedField path={path} field={field} label={label} />
  return <SingleField {...props} label={label} field={field} />
}

interface SingleProps extends FieldProps {
  readonly field: Single
  readonly label: string
}

const SingleField = ({ path, field, label, bare = false, rows }: SingleProps) => {
  const id = useId()
  const words = useWords()
  const { value, set, mayEdit, block, type } = useFieldValue(path, field)
  const found = useFieldFinding(path, value)
  const [isUnreadable, setUnreadable] = useState(false)
  const finding: FieldFinding | undefined = isUnreadable
    ? { severity: 'error', text: words('block:value.number') }
    : found
  const describedBy = finding === undefined ? undefined : `${id}-finding`
  const note = <Note id={`${id}-finding`} finding={finding} />
  const common = { id, describedBy, disabled: !mayEdit }
  if (field.kind === 'boolean')
    return (
      <Inline id={id} label={label}>
        <SwitchControl {...common} value={value === true} onChange={set} />
      </Inline>
    )
  const title = <FieldLabel id={id} label={label} bare={bare} />
  if (field.kind === 'number' || field.kind === 'integer') {
    const isHalf = field.half === true
    const number = (
      <SharedNumber {...common} field={field} value={value} onChange={set} wide={isHalf} onUnreadable={setUnreadable} />
    )
    return (
      <div>
        {isHalf ? title : null}
        {isHalf ? (
          number
        ) : (
          <Inline id={id} label={label}>
            {number}
          </Inline>
        )}
        {note}
      </div>
    )
  }
  if (field.kind === 'rich' && mayEdit)
    return (
      <div>
        <RichField {...{ block, path, id, label, bare, value }} />
        {note}
      </div>
    )
  return (
    <div>
      {title}
      <SharedControl {...common} {...{ block, path, field, value, set, rows, bare, label }} />
      <OneALine field={field} mayEdit={mayEdit} />
      {'upload' in field && field.upload !== undefined ? (
        <UploadAddress path={path} type={type} upload={field.upload} />
      ) : null}
      {note}
    </div>
  )
}

const OneALine = ({ field, mayEdit }: { readonly field: Single; readonly mayEdit: boolean }) => {
  const { t } = useTranslation('designer')
  if (field.kind !== 'strings' || field.options !== undefined || !mayEdit) return null
  return (
    <chakra.p fontSize="2xs" color="fg.subtle" mt="1">
      {t('condition.oneALine')}
    </chakra.p>
  )
}

interface RichProps {
  readonly block: string
  readonly path: FieldPath
  readonly id: string
  readonly label: string
  readonly bare: boolean
  readonly value: Json | undefined
}

const RichField = ({ value, ...props }: RichProps) => {
  const { node } = useForm()
  return (
    <LazyRichText
      {...props}
      runs={blockOf(node.type)?.runs !== false}
      written={<PlainText kind="rich" value={value} />}
    />
  )
}
