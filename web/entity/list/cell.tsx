import { ICONS } from 'virtual:icon/../schemas/entities/*.ts'
import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { Check, CircleDot, Hourglass, LockKeyhole, Minus, Square } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import type { EntityDeclaration, ListColumn } from '#schemas/entity.ts'
import { FILE_TYPE_NAMES, FILE_TYPES } from '#schemas/field/file-type.ts'
import type { Field } from '#schemas/field/kind.ts'
import { isObject } from '#schemas/json.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Chip } from '#web/components/chip.tsx'
import { Hint } from '#web/components/hint.tsx'
import { ShapeIcon } from '#web/components/instance-badge.tsx'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import type { Row, Value } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { usePerson } from '#web/entity/person-query.ts'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { bytesOf, numberText } from '#web/format/number.ts'
import { agoOf, dayOf, momentOf } from '#web/format/time.ts'
import { lazyPart } from '#web/lazy-module.ts'

const TONES: Readonly<Record<string, 'positive' | 'warning' | 'danger' | 'info' | 'neutral'>> = {
  running: 'positive',
  started: 'positive',
  true: 'positive',
  published: 'positive',
  pending: 'warning',
  stopped: 'neutral',
}
const STATUS_ICONS = { positive: CircleDot, warning: Hourglass, danger: Square, info: CircleDot, neutral: Square }
const ENVIRONMENTS = {
  production: { shape: 'shield', color: 'environment.production' },
  preproduction: { shape: 'half', color: 'environment.preproduction' },
  development: { shape: 'flask', color: 'environment.development' },
} as const

export const Dash = () => (
  <Text as="span" color="fg.subtle">
    –
  </Text>
)

export const StatusChip = ({ entity, field, value }: { entity: string; field: string; value: Value }) => {
  const label = useLabel()
  if (value === null) return <Dash />
  const tone = TONES[String(value)] ?? 'neutral'
  const Glyph = STATUS_ICONS[tone]
  return (
    <Chip tone={tone}>
      <Glyph size={11} fill={tone === 'warning' ? 'none' : 'currentColor'} aria-hidden="true" />
      {label.option(entity, field, String(value))}
    </Chip>
  )
}

/** `PNG · 34 kB` */
const FileFacts = ({ value }: { readonly value: Value }) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return <Dash />
  const { type: stored, size } = value as Readonly<Record<string, Value>>
  const type = FILE_TYPES.find(one => one === stored)
  const name = type === undefined ? String(stored ?? '') : FILE_TYPE_NAMES[type]
  return (
    <chakra.span whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
      {[name, ...(typeof size === 'number' ? [bytesOf(size)] : [])].filter(Boolean).join(' · ')}
    </chakra.span>
  )
}

const EnvironmentWord = ({ entity, field, value }: { entity: string; field: string; value: Value }) => {
  const label = useLabel()
  const look = ENVIRONMENTS[String(value) as keyof typeof ENVIRONMENTS]
  if (look === undefined) return <Dash />
  return (
    <HStack gap="1.5" color={look.color} fontSize="sm" whiteSpace="nowrap">
      <ShapeIcon shape={look.shape} size={15} />
      {label.option(entity, field, String(value))}
    </HStack>
  )
}

const Tags = ({ to, values }: { to: string | undefined; values: readonly Value[] }) => {
  if (values.length === 0) return <Dash />
  return (
    <HStack gap="1" flexWrap="wrap">
      {values.slice(0, 3).map(value => (
        <Chip key={String(value)} fontWeight="normal" maxW="180px">
          <Text as="span" truncate>
            {to === undefined ? String(value) : <ReferenceName to={to} id={String(value)} />}
          </Text>
        </Chip>
      ))}
      {values.length > 3 ? (
        <Text as="span" textStyle="secondary" color="fg.muted">
          +{values.length - 3}
        </Text>
      ) : null}
    </HStack>
  )
}

export const PersonTime = ({ id, time, words = false }: { id: string | null; time: string; words?: boolean }) => {
  const person = usePerson(id)
  return (
    <Hint text={`${nameOf(person ?? null)} · ${momentOf(time)}`}>
      <HStack gap="2" whiteSpace="nowrap" w="fit-content">
        <PersonAvatar person={id === null ? null : (person ?? { id, username: null })} size={words ? 20 : 22} />
        <Text as="span" color="fg.muted">
          {words && person ? `${nameOf(person)} · ${agoOf(time)}` : agoOf(time)}
        </Text>
      </HStack>
    </Hint>
  )
}

const EntityIcon = ({ name }: { name: string }) => {
  const Glyph = ICONS[name]
  return Glyph ? <Glyph size={17} strokeWidth={1.75} aria-hidden="true" /> : null
}

export const EntityTile = ({ icon }: { icon: string }) => (
  <Box boxSize="34px" flex="none" display="grid" placeItems="center" borderRadius="md" bg="bg.sunken" color="fg.muted">
    <EntityIcon name={icon} />
  </Box>
)

/** May break after its @, so that it takes no width that other columns need. */
const EmailText = ({ address }: { address: string }) => {
  const at = address.indexOf('@') + 1
  return (
    <span>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </span>
  )
}

const PermissionChips = lazyPart(
  async () => (await import('../form/permission/pending-permissions.tsx')).PermissionChips,
)

/** Shows items of a list of groups by their first field. */
const shownItems = (kind: Field | undefined, items: readonly Value[]): readonly Value[] => {
  const [named = ''] = kind?.kind === 'list' ? Object.keys(kind.item) : []
  return items.map(item => (isObject(item) ? (item[named] ?? null) : item))
}

interface ValuesProps {
  readonly column: ListColumn
  readonly kind: Field | undefined
  readonly values: readonly Value[]
}

const Values = ({ column: { as, field }, kind, values }: ValuesProps) =>
  as === 'permissions' && values.length > 0 ? (
    <Suspense fallback={null}>
      <PermissionChips kind={field === 'services' ? 'service' : 'action'} names={values.map(String)} />
    </Suspense>
  ) : (
    <Tags to={kind?.to} values={shownItems(kind, values)} />
  )

/** Draws a row's value of a field, by the field. */
export type Cells = Readonly<Record<string, (row: Row) => ReactNode>>

/** The value that a list shows of a field. */
export const shownValue = ({ fields }: EntityDeclaration, row: Row, field: string): Value =>
  row[field] ?? row[fields[field]?.fallback ?? ''] ?? null

interface CellProps {
  readonly entity: EntityDeclaration
  readonly column: ListColumn
  readonly row: Row
}

/** One value as its column's kind draws it. */
export const Cell = ({ entity, column, row }: CellProps) => {
  const label = useLabel()
  const { field } = column
  const value = shownValue(entity, row, field)
  const kind = entity.fields[field]
  const as = column.as ?? (kind?.kind === 'enumeration' ? 'status' : 'text')
  if (typeof value === 'object' && value !== null && 'set' in value) {
    return <Chip icon={LockKeyhole}>••••</Chip>
  }
  if (field === 'modified_at') return <PersonTime id={row.modified_by} time={row.modified_at} />
  if (field === 'created_at') return <PersonTime id={row.created_by} time={row.created_at} />
  if (field === 'hierarchylevel')
    return row.hierarchylevel ? <ReferenceName to="hierarchy" id={row.hierarchylevel} /> : <Dash />
  if (as === 'boolean')
    return value === true ? (
      <Check size={16} aria-label={label.field(entity.name, field)} />
    ) : (
      <Minus size={14} color="var(--chakra-colors-fg-subtle)" aria-label="–" />
    )
  if (Array.isArray(value)) return <Values column={column} kind={kind} values={value} />
  if (value === null || value === '') return <Dash />
  if (as === 'status' && kind?.kind !== 'enumeration')
    return <StatusChip entity={entity.name} field={field} value={value} />
  if (as === 'status' && field === 'runningstatus')
    return <StatusChip entity={entity.name} field={field} value={value} />
  if (as === 'environment') return <EnvironmentWord entity={entity.name} field={field} value={value} />
  if (kind?.kind === 'enumeration') return <span>{label.option(entity.name, field, String(value))}</span>
  if (as === 'reference') return <ReferenceName to={kind?.to ?? ''} id={String(value)} />
  if (as === 'time' || kind?.kind === 'time') {
    return (
      <Hint text={momentOf(String(value))}>
        <chakra.time color="fg.muted" whiteSpace="nowrap">
          {agoOf(String(value))}
        </chakra.time>
      </Hint>
    )
  }
  if (as === 'number')
    return (
      <chakra.span fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
        {kind?.unit === 'bytes' ? bytesOf(Number(value)) : numberText(Number(value))}
        {column.of === undefined || !row[column.of] ? null : ` / ${numberText(Number(row[column.of]))}`}
      </chakra.span>
    )
  if (as === 'file') return <FileFacts value={value} />
  if (as === 'address' && kind?.kind === 'string' && kind.addressPath !== undefined)
    return <AddressText path={kind.addressPath} value={String(value)} compact />
  if (kind?.kind === 'email') return <EmailText address={String(value)} />
  if (kind?.control === 'date') return <chakra.span whiteSpace="nowrap">{dayOf(String(value))}</chakra.span>
  if (as === 'code')
    return (
      <chakra.code textStyle="code" overflowWrap="anywhere">
        {String(value)}
      </chakra.code>
    )
  return (
    <chakra.span lineClamp={2} {...(kind?.kind === 'text' ? { whiteSpace: 'pre-line' } : {})}>
      {String(value)}
    </chakra.span>
  )
}
