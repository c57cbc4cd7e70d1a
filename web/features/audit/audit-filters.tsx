import { Button, HStack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { useSession } from '#web/api/session.ts'
import { listQuery } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { FilterChip } from '#web/entity/list/filter-chip.tsx'
import { ReferenceName } from '#web/entity/reference-name.tsx'
import { momentOf } from '#web/format/time.ts'
import { levelsQuery } from '#web/shell/level.ts'
import { type AuditFilter, FILTERS } from './audit-query.ts'

const ACTIONS = [
  'created',
  'changed',
  'edited',
  'imported',
  'removed',
  'restored',
  'published',
  'unpublished',
  'applied',
  'started',
  'stopped',
  'restarted',
  'locked',
  'unlocked',
]
const OTHERS = ['flow', 'session', 'signin', 'audit', 'conversation', 'contact']

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

/** What a chart or another page narrowed it to. */
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

/** What the audit is narrowed to; all of it stands in the address. */
export const AuditFilters = ({ filter, put }: Props) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const { can } = useSession()
  const users =
    useQuery({ ...listQuery('user', { size: 100, sort: 'username' }), enabled: can('readuser') }).data?.items ?? []
  const levels = useQuery(levelsQuery).data ?? []
  const entities = [...Object.keys(ENTITIES), ...OTHERS].map(value => ({
    value,
    label: OTHERS.includes(value) ? t(`audit.kind.${value}`) : label.name(value),
  }))
  const chosen = FILTERS.filter(name => filter[name] !== undefined).length
  return (
    <HStack gap="2" mb="3" overflowX="auto" py="1" px="0.5" scrollbarWidth="none">
      {filter.from || filter.to ? (
        <Narrowed name={t('audit.period')} onRemove={() => put({ from: undefined, to: undefined })}>
          <CalendarClock size={14} aria-hidden="true" />
          {`${filter.from ? momentOf(filter.from) : '…'} – ${filter.to ? momentOf(filter.to) : t('time.now')}`}
        </Narrowed>
      ) : null}
      {users.length > 0 ? (
        <FilterChip
          title={t('audit.person')}
          value={filter.user}
          options={users.map(user => ({ value: user.id, label: String(user.username ?? user.id) }))}
          onChange={user => put({ user })}
        />
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
        options={ACTIONS.map(value => ({ value, label: label.verb('common', value) }))}
        onChange={action => put({ action })}
      />
      <FilterChip
        title={t('audit.hierarchy')}
        value={filter.hierarchy}
        options={levels.map(level => ({ value: level.id, label: level.name }))}
        onChange={hierarchy => put({ hierarchy })}
      />
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
