import { Button, HStack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Check, Plus, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ENTITIES, type EntityName } from '#schemas/entities/registry.ts'
import { useSession } from '#web/api/session.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { useLabel } from '#web/entity/label.ts'
import { ChipFrame } from '#web/entity/list/chip-frame.tsx'
import { FilterChip } from '#web/entity/list/filter-chip.tsx'
import { ViewsButton } from '#web/entity/list/list-tools.tsx'
import { RangeFilter } from '#web/entity/list/range-filter.tsx'
import { ReferenceFilter } from '#web/entity/list/reference-filter.tsx'
import { useSavedViews } from '#web/entity/list/use-list-state.ts'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { dayBounds, isoDayOf, momentOf } from '#web/format/time.ts'
import { useIsLeaving } from '#web/page/use-address.ts'
import { levelsQuery } from '#web/shell/level.ts'
import { PHONE, useMedia } from '#web/shell/use-media.ts'
import { useDebouncedValue } from '#web/timer.ts'
import { ACTION_GROUPS, type ActionGroup } from './action-groups.ts'
import { type AuditFilter, FILTERS, readFilter } from './audit-query.ts'

const OTHERS = ['flow', 'session', 'signin', 'audit', 'conversation', 'contact', 'suppression']

const SEARCH_DELAY_MS = 300

interface Props {
  readonly filter: AuditFilter
  put(change: Readonly<Record<string, string | undefined>>): void
}

interface NarrowedProps {
  readonly name: string
  readonly children: ReactNode
  onRemove(): void
}

/** A filter that the page does not choose, with the way to take it away. */
const Narrowed = ({ name, children, onRemove }: NarrowedProps) => {
  const { t } = useTranslation('shell')
  return (
    <Button
      flex="none"
      bg="accent.subtle"
      borderColor="accent.border"
      color="accent.fg"
      onClick={onRemove}
      aria-label={t('list.without', { name })}
    >
      {children}
      <X size={14} aria-hidden="true" />
    </Button>
  )
}

/** Filters set by a chart or another page. */
const FromElsewhere = ({ filter, put }: Props) => {
  const { t } = useTranslation('shell')
  return (
    <>
      {filter.entityid ? (
        <Button flex="none" onClick={() => put({ entityid: undefined })}>
          {filter.entityid}
          <X size={14} aria-hidden="true" />
        </Button>
      ) : null}
      {filter.service ? (
        <Narrowed name={t('audit.service')} onRemove={() => put({ service: undefined })}>
          {t('audit.service')}: {filter.service}
        </Narrowed>
      ) : null}
      {filter.within ? (
        <Narrowed name={t('audit.within')} onRemove={() => put({ within: undefined })}>
          {t('audit.within')}: <ReferenceName to="bot" id={filter.within} />
        </Narrowed>
      ) : null}
      {filter.figure ? (
        <Narrowed name={t('audit.figure.label')} onRemove={() => put({ figure: undefined })}>
          {t('audit.figure.label')}: {t(`audit.figure.${filter.figure}`)}
        </Narrowed>
      ) : null}
    </>
  )
}

interface ReferenceChipProps {
  readonly title: string
  readonly to: EntityName
  readonly value: string | undefined
  onChange(value: string | undefined): void
}

/** Filters by one thing, found by typing. */
const ReferenceChip = ({ title, to, value, onChange }: ReferenceChipProps) => (
  <ChipFrame
    title={title}
    popup="dialog"
    value={value === undefined ? undefined : <ReferenceName to={to} id={value} />}
    onRemove={() => onChange(undefined)}
  >
    {close => (
      <ReferenceFilter
        title={title}
        to={to}
        within={{}}
        value={value}
        onChange={next => {
          onChange(next)
          close()
        }}
      />
    )}
  </ChipFrame>
)

const shownPeriod = ({ from, to }: AuditFilter, now: string): string | undefined => {
  if (from === undefined && to === undefined) return undefined
  return `${from ? momentOf(from) : '…'} – ${to ? momentOf(to) : now}`
}

const isoDay = (time: string | undefined): string => (time === undefined ? '' : isoDayOf(Date.parse(time)))

/** From and to, as days. */
const PeriodChip = ({ filter, put }: Props) => {
  const { t } = useTranslation('shell')
  const title = t('audit.perioddays')
  const { from, to } = filter
  return (
    <ChipFrame
      title={title}
      popup="dialog"
      value={shownPeriod(filter, t('time.now'))}
      onRemove={() => put({ from: undefined, to: undefined })}
    >
      {close => (
        <RangeFilter
          title={title}
          kind="time"
          unit={undefined}
          value={from === undefined && to === undefined ? undefined : `${isoDay(from)}..${isoDay(to)}`}
          onChange={value => {
            const [first = '', last = ''] = value?.split('..') ?? []
            put({
              from: first === '' ? undefined : dayBounds(first).first,
              to: last === '' ? undefined : dayBounds(last).last,
            })
            close()
          }}
        />
      )}
    </ChipFrame>
  )
}

/** Text in ids, names, values and addresses; put into the address once typing pauses. */
const SearchBox = ({ filter, put }: Props) => {
  const { t } = useTranslation('shell')
  const given = filter.search ?? ''
  const [typed, setTyped] = useState(given)
  const [shown, setShown] = useState(given)
  const isLeaving = useIsLeaving()
  const search = useDebouncedValue(typed, SEARCH_DELAY_MS)
  // The address changed elsewhere: back, a link, "clear all".
  if (given !== shown) {
    setShown(given)
    setTyped(given)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed goes into the address, not the other way round
  useEffect(() => {
    if (search === typed && search !== given && !isLeaving()) {
      setShown(search)
      put({ search: search === '' ? undefined : search })
    }
  }, [search])
  return (
    <SearchField
      label={t('audit.search')}
      value={typed}
      onChange={setTyped}
      w={{ base: '100%', md: '240px' }}
      flex="none"
    />
  )
}

/** Groups and roles that people had. */
const MemberChips = ({ filter, put }: Props) => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  return (
    <>
      {can('readusergroup') ? (
        <ReferenceChip
          title={t('audit.groups')}
          to="usergroup"
          value={filter.groups}
          onChange={groups => put({ groups })}
        />
      ) : null}
      {can('readrole') ? (
        <ReferenceChip title={t('audit.roles')} to="role" value={filter.roles} onChange={roles => put({ roles })} />
      ) : null}
    </>
  )
}

/** Toggle for level switches and service states, hidden by default. */
const NoiseButton = ({ filter, put }: Props) => {
  const { t } = useTranslation('shell')
  return (
    <Button
      flex="none"
      h={{ base: '9', md: '30px' }}
      px="2.5"
      aria-pressed={filter.all === 'true'}
      {...(filter.all === 'true'
        ? { bg: 'accent.subtle', borderColor: 'accent.border', color: 'accent.fg' }
        : { bg: 'transparent', borderStyle: 'dashed', color: 'fg.muted', fontWeight: 'normal' })}
      onClick={() => put({ all: filter.all === 'true' ? undefined : 'true' })}
      title={t('audit.alltext')}
    >
      {filter.all === 'true' ? <Check size={14} aria-hidden="true" /> : <Plus size={14} aria-hidden="true" />}
      {t('audit.all')}
    </Button>
  )
}

/** Filters that the person saved under names; one of them may be what the page opens with. */
export const SavedFilters = ({ filter, put }: Props) => {
  const { saved, save } = useSavedViews('audit')
  const given = FILTERS.flatMap(name => (filter[name] === undefined ? [] : [[name, filter[name]]]))
  const query = new URLSearchParams(given).toString()
  const open = (next: string) => {
    const named = readFilter(new URLSearchParams(next))
    put(Object.fromEntries(FILTERS.map(name => [name, named[name]])))
  }
  const first = saved.views.find(({ id }) => id === saved.defaultId)?.query
  // biome-ignore lint/correctness/useExhaustiveDependencies: only where the page opens without a filter
  useEffect(() => {
    if (query === '' && first !== undefined) open(first)
  }, [])
  return <ViewsButton control={{ saved, query, save, open }} isNarrow={useMedia(PHONE)} variant="outline" />
}

const GROUPS = Object.keys(ACTION_GROUPS) as readonly ActionGroup[]

/** All verbs, in their groups. */
const useActions = () => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  return GROUPS.flatMap(group =>
    ACTION_GROUPS[group].map(value => ({
      value,
      label: label.verb('common', value),
      group: t(`audit.group.${group}`),
    })),
  )
}

/** Filters of the audit, all stored in the address. */
export const AuditFilters = ({ filter, put }: Props) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const { can } = useSession()
  const levels = useQuery(levelsQuery).data ?? []
  const entities = [...Object.keys(ENTITIES), ...OTHERS]
    .map(value => ({ value, label: OTHERS.includes(value) ? t(`audit.kind.${value}`) : label.name(value) }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
  const actions = useActions()
  const chosen = FILTERS.filter(name => filter[name] !== undefined).length
  return (
    <HStack gap="2" mb="3" flexWrap="wrap" py="1" px="0.5">
      <SearchBox filter={filter} put={put} />
      <PeriodChip filter={filter} put={put} />
      {can('readuser') ? (
        <ReferenceChip title={t('audit.person')} to="user" value={filter.user} onChange={user => put({ user })} />
      ) : null}
      <FilterChip
        title={t('audit.entity')}
        value={filter.entity}
        options={entities}
        onChange={entity => put({ entity, entityid: undefined })}
      />
      <FilterChip
        title={t('audit.action')}
        value={filter.action}
        options={actions}
        onChange={action => put({ action })}
      />
      <FilterChip
        title={t('audit.hierarchy')}
        value={filter.hierarchy}
        options={levels.map(level => ({ value: level.id, label: level.name }))}
        onChange={hierarchy => put({ hierarchy })}
      />
      <MemberChips filter={filter} put={put} />
      <NoiseButton filter={filter} put={put} />
      <FromElsewhere filter={filter} put={put} />
      {chosen > 1 ? (
        <Button
          variant="plain"
          flex="none"
          onClick={() => put(Object.fromEntries(FILTERS.map(name => [name, undefined])))}
        >
          {t('list.clearall')}
        </Button>
      ) : null}
    </HStack>
  )
}
