import { lazy, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { isEntityName } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { useLabel } from '#web/entity/label.ts'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { numberText } from '#web/format/number.ts'
import { ChipFrame } from './chip-frame.tsx'
import { FilterChip } from './filter-chip.tsx'
import { filterKind, optionsOf } from './list-field.ts'
import { type ListState, listFilterParams, parseRange } from './list-state.ts'

const RangeFilter = lazy(() => import('./range-filter.tsx').then(m => ({ default: m.RangeFilter })))
const ReferenceFilter = lazy(() => import('./reference-filter.tsx').then(m => ({ default: m.ReferenceFilter })))

interface Props {
  readonly entity: EntityDeclaration
  readonly field: string
  readonly state: ListState
  readonly fixed: Readonly<Record<string, string>>
  readonly isOpenAtFirst: boolean
  readonly onClose: () => void
  onChange(value: string | undefined): void
}

/** `19/11/2026`, as everywhere else in the console. */
const dayText = (day: string) => day.split('-').reverse().join('/')

/** A filter of one declared field, by its kind. */
export const FieldFilter = ({ entity, field, state, fixed, isOpenAtFirst, onClose, onChange }: Props) => {
  const { t } = useTranslation('shell')
  const { t: tl } = useTranslation('list')
  const label = useLabel()
  const kind = filterKind(entity, field)
  const title = label.field(entity.name, field)
  const value = state.filter[field]
  const common = { title, isOpenAtFirst, onClose }
  if (kind === 'option') {
    const words = { true: t('yes'), false: t('no') }
    const wordOf = (option: string) => words[option as keyof typeof words] ?? label.option(entity.name, field, option)
    return (
      <FilterChip
        {...common}
        value={value}
        options={optionsOf(entity, field).map(option => ({ value: option, label: wordOf(option) }))}
        count={{ entity: entity.name, params: listFilterParams(entity, state, fixed), field }}
        onChange={onChange}
      />
    )
  }
  const frame = (shown: ReactNode, editor: (choose: (value: string | undefined) => void) => ReactNode) => (
    <ChipFrame {...common} value={shown} popup="dialog" onRemove={() => onChange(undefined)}>
      {close => (
        <Suspense fallback={null}>
          {editor(next => {
            onChange(next)
            close()
          })}
        </Suspense>
      )}
    </ChipFrame>
  )
  const to = entity.fields[field]?.to
  if (kind === 'reference' && to !== undefined && isEntityName(to)) {
    return frame(value === undefined ? undefined : <ReferenceName to={to} id={value} />, choose => (
      <ReferenceFilter title={title} to={to} within={fixed} value={value} onChange={choose} />
    ))
  }
  if (kind !== 'number' && kind !== 'time') return null
  const range = value === undefined ? undefined : parseRange(kind, value)
  const end = (text: string) => (kind === 'time' ? dayText(text) : numberText(Number(text)))
  const shown =
    range === undefined
      ? undefined
      : range.from === ''
        ? tl('filter.until', { to: end(range.to) })
        : range.to === ''
          ? tl('filter.since', { from: end(range.from) })
          : `${end(range.from)} – ${end(range.to)}`
  return frame(shown, choose => (
    <RangeFilter title={title} kind={kind} unit={entity.fields[field]?.unit} value={value} onChange={choose} />
  ))
}
