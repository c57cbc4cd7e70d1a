import { Box, Button, HStack, Input, InputGroup, Kbd } from '@chakra-ui/react'
import { ListFilter, Search, Trash2 } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isEntityName } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { useLabel } from '#web/entity/label.ts'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { numberText } from '#web/format/number.ts'
import { lazyPart } from '#web/lazy-module.ts'
import { useShortcut } from '#web/shell/use-shortcut.ts'
import { ChipFrame } from './chip-frame.tsx'
import { FilterChip } from './filter-chip.tsx'
import { filterFields, filterKind, optionsOf, quickFilters } from './list-field.ts'
import { type ListState, listFilterParams, parseRange } from './list-state.ts'
import { ListTools, type MatrixView } from './list-tools.tsx'
import type { ListControl } from './use-list-state.ts'

const RangeFilter = lazyPart(async () => (await import('./range-filter.tsx')).RangeFilter)
const ReferenceFilter = lazyPart(async () => (await import('./reference-filter.tsx')).ReferenceFilter)

interface FieldFilterProps {
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
const FieldFilter = ({ entity, field, state, fixed, isOpenAtFirst, onClose, onChange }: FieldFilterProps) => {
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

interface FilterBarProps {
  readonly entity: EntityDeclaration
  readonly state: ListState
  readonly fixed: Readonly<Record<string, string>>
  onChange(change: Partial<ListState>): void
}

/** Fields to filter by: not the parent that the page is about, nor references to what the person may not read. */
const useFields = (entity: EntityDeclaration, fixed: Readonly<Record<string, string>>) => {
  const { can } = useSession()
  return filterFields(entity).filter(name => {
    if (name in fixed) return false
    const to = entity.fields[name]?.to ?? ''
    return filterKind(entity, name) !== 'reference' || (isEntityName(to) && can(`read${to}`))
  })
}

/** The commonest filters and those in use as chips; the others in a menu. */
const FilterBar = ({ entity, state, fixed, onChange }: FilterBarProps) => {
  const { t } = useTranslation('shell')
  const { t: tl } = useTranslation('list')
  const label = useLabel()
  const more = useRef<HTMLDivElement>(null)
  const [added, setAdded] = useState<string>()
  const fields = useFields(entity, fixed)
  const quick = quickFilters(entity)
  const isShown = (name: string) => quick.includes(name) || name in state.filter || name === added
  const hidden = fields.filter(name => !isShown(name))
  return (
    <>
      {fields.filter(isShown).map(field => (
        <FieldFilter
          key={field}
          entity={entity}
          field={field}
          state={state}
          fixed={fixed}
          isOpenAtFirst={field === added}
          onClose={() => {
            setAdded(undefined)
            if (field === added && !(field in state.filter)) more.current?.querySelector('button')?.focus()
          }}
          onChange={value => {
            const { [field]: _removed, ...rest } = state.filter
            onChange({ filter: value === undefined ? rest : { ...rest, [field]: value } })
          }}
        />
      ))}
      {hidden.length > 0 ? (
        <HStack ref={more} flex="none">
          <ActionMenu
            align="start"
            label={tl('filter.add')}
            actions={hidden.map(name => ({
              id: name,
              label: label.field(entity.name, name),
              run: () => setAdded(name),
            }))}
          >
            <Button variant="ghost" fontWeight="normal">
              <ListFilter size={15} aria-hidden="true" />
              {tl('filter.add')}
            </Button>
          </ActionMenu>
        </HStack>
      ) : null}
      {Object.keys(state.filter).length > 1 ? (
        <Button variant="plain" flex="none" onClick={() => onChange({ filter: {} })}>
          {t('list.clearall')}
        </Button>
      ) : null}
    </>
  )
}

const SEARCH_DELAY_MS = 250

interface SearchBoxProps {
  readonly entity: EntityDeclaration
  readonly search: string
  onChange(search: string): void
}

const SearchBox = ({ entity, search, onChange }: SearchBoxProps) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const box = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(search)
  const latest = useRef(onChange)
  latest.current = onChange
  useShortcut('/', () => box.current?.focus())
  // The search sent from here returns later, perhaps after more typing.
  const sent = useRef(search)
  useEffect(() => {
    if (search === sent.current) return
    sent.current = search
    setTyped(search)
  }, [search])
  useEffect(() => {
    if (typed === search) return
    const timer = setTimeout(() => {
      sent.current = typed
      latest.current(typed)
    }, SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [typed, search])
  return (
    <InputGroup
      w={{ base: 'auto', md: '232px', xl: '264px' }}
      flex={{ base: '1', md: 'none' }}
      startElement={<Search size={15} aria-hidden="true" />}
      endElement={
        <Kbd hideBelow="md" aria-hidden="true">
          /
        </Kbd>
      }
    >
      <Input
        ref={box}
        type="search"
        placeholder={t('list.search')}
        aria-label={t('list.searchin', { name: label.plural(entity.name) })}
        value={typed}
        onChange={event => setTyped(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Escape' && typed !== '') setTyped('')
        }}
      />
    </InputGroup>
  )
}

interface Props {
  readonly entity: EntityDeclaration
  readonly control: ListControl
  readonly fixed: Readonly<Record<string, string>>
  readonly isNarrow: boolean
  readonly matrix?: MatrixView | undefined
  /** In place of the filters while the matrix is shown. */
  readonly matrixFilter?: ReactNode
}

/** Search, filters, and how the list is shown. In a narrow window the filters have a line of their own. */
export const ListBar = ({ entity, control, fixed, isNarrow, matrix, matrixFilter }: Props) => {
  const { t } = useTranslation('shell')
  const { state, set } = control
  const search = <SearchBox entity={entity} search={state.search} onChange={next => set({ search: next })} />
  const tools = (
    <ListTools
      entity={entity}
      control={control}
      isNarrow={isNarrow}
      matrix={matrix}
      isMatrix={matrixFilter !== undefined}
    />
  )
  const filters = (
    <HStack
      gap="2"
      flex="1"
      minW="0"
      py="1"
      px="0.5"
      {...(isNarrow ? { overflowX: 'auto', scrollbarWidth: 'none' } : { flexWrap: 'wrap', rowGap: '1.5' })}
    >
      {matrixFilter ?? <FilterBar entity={entity} state={state} fixed={fixed} onChange={set} />}
      {matrixFilter !== undefined ? null : (
        <Button
          variant="ghost"
          flex="none"
          fontWeight="normal"
          aria-pressed={state.removed}
          onClick={() => set({ removed: !state.removed })}
        >
          <Trash2 size={15} aria-hidden="true" />
          {t('list.removed')}
        </Button>
      )}
    </HStack>
  )
  if (isNarrow) {
    return (
      <>
        <HStack gap="1">
          {search}
          {tools}
        </HStack>
        <HStack mb="3">{filters}</HStack>
      </>
    )
  }
  return (
    <HStack mb="3" gap="2" align="flex-start">
      <Box flex="none" py="1">
        {search}
      </Box>
      {filters}
      <Box flex="none" py="1">
        {tools}
      </Box>
    </HStack>
  )
}
