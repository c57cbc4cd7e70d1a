import './form.css'
import { chakra, HStack } from '@chakra-ui/react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FieldPath, fieldAt } from '#domain/flow/document/location.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json } from '#schemas/event.ts'
import type { BlockField, FileUpload } from '#schemas/flow/block-field.ts'
import { SwitchControl } from '#web/form/control/choice-control.tsx'
import type { CloudUpload } from '#web/form/control/use-cloud-upload.ts'
import { WeekControl } from '../blocks/working-hour/week-control.tsx'
import { useWords } from '../canvas/canvas-context.ts'
import { FieldGroup, FieldLabel } from './field-group.tsx'
import { type FieldProps, useFieldValue, useForm, useLabel } from './form-context.ts'
import { LazyRichText } from './lazy-rich-text.tsx'
import { ListField } from './list-field.tsx'
import { PlainText, SharedControl } from './shared-control.tsx'
import { SharedNumber } from './shared-number.tsx'
import { UploadButton } from './upload-button.tsx'
import { type FieldFinding, useFieldFinding } from './use-field-finding.ts'

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

const Inline = ({ id, label, children }: { id: string; label: string; children: ReactNode }) => (
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
