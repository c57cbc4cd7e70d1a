import { Button, HStack, Input, InputGroup, Kbd } from '@chakra-ui/react'
import { LayoutGrid, Search, Table2, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { Segments } from '#web/components/segments.tsx'
import { useLabel } from '#web/entity/label.ts'
import { useShortcut } from '#web/shell/use-shortcut.ts'
import { FilterChip } from './filter-chip.tsx'
import { filterFields, type ListState } from './list-state.ts'

const WAIT_MS = 250

interface Props {
  readonly entity: EntityDeclaration
  readonly state: ListState
  readonly fixed: Readonly<Record<string, string>>
  onChange(change: Partial<ListState>): void
}

/** Search, chips and the way of showing a list. */
export const ListBar = ({ entity, state, fixed, onChange }: Props) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const box = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(state.search)
  const latest = useRef(onChange)
  latest.current = onChange
  useShortcut('/', () => box.current?.focus())
  useEffect(() => setTyped(state.search), [state.search])
  useEffect(() => {
    if (typed === state.search) return
    const timer = setTimeout(() => latest.current({ search: typed }), WAIT_MS)
    return () => clearTimeout(timer)
  }, [typed, state.search])
  const chosen = Object.keys(state.filter).length
  return (
    <HStack mb="3" gap="2" align="center" flexWrap={{ base: 'wrap', md: 'nowrap' }}>
      <InputGroup
        w={{ base: '100%', md: '264px' }}
        flex="none"
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
      <HStack gap="2" flex="1" minW="0" overflowX="auto" py="1" px="0.5" scrollbarWidth="none">
        {filterFields(entity).map(field => (
          <FilterChip
            key={field}
            title={label.field(entity.name, field)}
            value={state.filter[field]}
            options={optionsOf(entity, field).map(value => ({
              value,
              label:
                value === 'true' ? t('yes') : value === 'false' ? t('no') : label.option(entity.name, field, value),
            }))}
            count={{ path: `/${entity.name}`, params: { ...fixed, ...state.filter, search: state.search }, field }}
            onChange={value => {
              const { [field]: _gone, ...rest } = state.filter
              onChange({ filter: value === undefined ? rest : { ...rest, [field]: value } })
            }}
          />
        ))}
        {chosen > 1 ? (
          <Button variant="plain" flex="none" onClick={() => onChange({ filter: {} })}>
            {t('list.clearall')}
          </Button>
        ) : null}
        <Button
          variant="ghost"
          flex="none"
          fontWeight="normal"
          aria-pressed={state.removed}
          onClick={() => onChange({ removed: !state.removed })}
        >
          <Trash2 size={15} aria-hidden="true" />
          {t('list.removed')}
        </Button>
      </HStack>
      <HStack hideBelow="md" flex="none">
        <Segments
          label={t('list.view')}
          value={state.view}
          onChange={view => onChange({ view, page: state.page })}
          options={[
            { value: 'table', label: t('list.table'), icon: Table2, iconOnly: true },
            { value: 'cards', label: t('list.cards'), icon: LayoutGrid, iconOnly: true },
          ]}
        />
      </HStack>
    </HStack>
  )
}

const optionsOf = (entity: EntityDeclaration, field: string): readonly string[] => {
  const declared = entity.fields[field]
  return declared?.kind === 'boolean' ? ['true', 'false'] : (declared?.options ?? [])
}
