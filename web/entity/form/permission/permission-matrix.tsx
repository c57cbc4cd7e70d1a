import { Box, Button, chakra, Grid, HStack, Input, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { grantedBy, PERMISSIONS } from '#domain/people/permission.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { foldName } from '#schemas/fold-text.ts'
import { http } from '#web/api/http.ts'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { useEntityTexts, useLabel } from '#web/entity/label.ts'
import { Select } from '#web/form/labelled-select.tsx'
import type { SectionControlProps } from '../section-control-props.ts'
import { PendingPermissions, usePermissionText } from './pending-permissions.tsx'
import { MenuActions, type PermissionControl, PermissionMark, PermissionRows } from './permission-rows.tsx'
import {
  countGrantedPermissions,
  countOf,
  countPermissionDifferences,
  extraPermissions,
  type PermissionGroup,
  type Permissions,
  permissionEffect,
  permissionGroups,
  permissionsIn,
  togglePermissions,
  VERBS,
} from './permission-state.ts'

type Holders = AnswerOf<'GET /role/{id}/people'>

const FEW = 6

const SignedCount = ({ sign, count }: { readonly sign: '+' | '−'; readonly count: number }) =>
  count === 0 ? null : (
    <Text as="span" color={sign === '+' ? 'positive.fg' : 'danger.fg'}>
      {sign}
      {count}
    </Text>
  )

/** Holders of the role; permissions each gains and loses on save. */
const AffectedPeople = ({ holders, control }: { readonly holders: Holders; readonly control: PermissionControl }) => {
  const { t } = useTranslation('shell')
  const [isLong, setLong] = useState(false)
  const [before, after] = [grantedBy(control.saved), grantedBy(control.present)]
  const effects = holders.sets.map(set => permissionEffect(new Set(set), before, after))
  const effectOf = (set: number) => effects[set] ?? { gained: 0, lost: 0 }
  const people = holders.people.map(person => ({ ...person, ...effectOf(person.set) }))
  const affected = people.filter(({ gained, lost }) => gained + lost > 0).length
  const hidden = holders.total - people.length
  const isSame = before.symmetricDifference(after).size === 0
  return (
    <Box as="section" aria-label={t('role.people')}>
      <Text as="h3" textStyle="card">
        {t('role.people')}
      </Text>
      <Text textStyle="secondary" color="fg.muted" mb="1">
        {t('role.holders', { count: holders.total })}
        {isSame ? null : ` ${t('role.affected', { count: affected })}`}
      </Text>
      <chakra.ul ps="0" listStyleType="none">
        {(isLong ? people : people.slice(0, FEW)).map(person => (
          <chakra.li key={person.id} display="flex" alignItems="center" gap="2" minH="8" textStyle="dense">
            <PersonAvatar person={person} size={22} />
            <Text as="span" flex="1" truncate>
              {nameOf(person)}
            </Text>
            <HStack as="span" gap="1.5" fontVariantNumeric="tabular-nums">
              <SignedCount sign="+" count={person.gained} />
              <SignedCount sign="−" count={person.lost} />
              {!isSame && person.gained + person.lost === 0 ? (
                <Text as="span" color="fg.muted">
                  {t('role.noeffect')}
                </Text>
              ) : null}
            </HStack>
          </chakra.li>
        ))}
      </chakra.ul>
      {!isLong && people.length > FEW ? (
        <Button size="xs" variant="ghost" onClick={() => setLong(true)}>
          {t('role.morepeople', { count: people.length - FEW })}
        </Button>
      ) : null}
      {hidden > 0 ? (
        <Text textStyle="secondary" color="fg.muted">
          {t('role.hiddenpeople', { count: hidden })}
        </Text>
      ) : null}
    </Box>
  )
}

/** Permissions that nobody needed for a while: candidates to be taken away. */
const UnusedPermissions = ({ holders }: { readonly holders: Holders }) => {
  const { t } = useTranslation('shell')
  const [isOpen, setOpen] = useState(false)
  const text = usePermissionText()
  const { unused, days, total } = holders
  if (unused.length === 0 || total === 0) return null
  return (
    <Box as="section" aria-label={t('role.unused')}>
      <Text as="h3" textStyle="card">
        {t('role.unused')}
      </Text>
      <Text textStyle="secondary" color="fg.muted">
        {t('role.unusedtext', { count: unused.length, days })}
      </Text>
      <Button size="xs" variant="ghost" mt="1" ms="-2" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t(isOpen ? 'role.hideunused' : 'role.showunused')}
      </Button>
      {isOpen ? (
        <chakra.ul ps="4" textStyle="dense">
          {unused.map(name => (
            <li key={name}>{text({ kind: 'action', name })}</li>
          ))}
        </chakra.ul>
      ) : null}
    </Box>
  )
}

interface PermissionAsideProps {
  /** Of the role; absent while it is created. */
  readonly id: string | undefined
  readonly control: PermissionControl
}

/** Effect of saving the role, people affected, and unused permissions. */
const PermissionAside = ({ id, control }: PermissionAsideProps) => {
  const { data } = useQuery({
    queryKey: ['role', 'people', id],
    queryFn: () => http.get('/role/{id}/people', { params: { id: id ?? '' } }),
    enabled: id !== undefined,
  })
  return (
    <Box display="flex" flexDirection="column" gap="5" position={{ xl: 'sticky' }} top={{ xl: '4' }}>
      <PendingPermissions control={control} />
      {data === undefined ? null : <AffectedPeople holders={data} control={control} />}
      {data === undefined ? null : <UnusedPermissions holders={data} />}
    </Box>
  )
}

const STEPS: Readonly<Record<string, readonly [row: number, column: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

const boxesOf = (row: Element) => [...row.querySelectorAll<HTMLInputElement>('input[data-column]:not(:disabled)')]

/** Arrow keys go from box to box: along the row, and to the same column of the next row that has it. */
const moveInGrid = (event: React.KeyboardEvent<HTMLElement>): void => {
  const step = STEPS[event.key]
  const at = event.target
  if (step === undefined || !(at instanceof HTMLInputElement) || at.dataset.column === undefined) return
  const row = at.closest('tr')
  if (row === null) return
  event.preventDefault()
  const [down, right] = step
  if (right !== 0) {
    const boxes = boxesOf(row)
    boxes[boxes.indexOf(at) + right]?.focus()
    return
  }
  const rows = [...event.currentTarget.querySelectorAll('tr')]
  for (let next = rows.indexOf(row) + down; next >= 0 && next < rows.length; next += down) {
    const box = boxesOf(rows[next] as Element).find(({ dataset }) => dataset.column === at.dataset.column)
    if (box === undefined) continue
    box.focus()
    return
  }
}

const MAX_ROLES = 100

interface ComparedRole {
  readonly id: string
  readonly held: Permissions
}

interface Props {
  /** The role that others are compared with. */
  readonly id: string | undefined
  readonly value: string | undefined
  onChange(role: ComparedRole | undefined): void
}

/** Chooses the role whose permissions are shown against those of this one. */
const CompareRole = ({ id, value, onChange }: Props) => {
  const { t } = useTranslation('shell')
  const { data } = useQuery({
    queryKey: ['role', 'compare'],
    queryFn: () => http.get('/{entity}', { params: { entity: 'role' }, query: { size: MAX_ROLES, sort: 'name' } }),
  })
  const roles = (data?.items ?? []).filter(role => role.id !== id)
  const choose = (chosen: string) => {
    const role = roles.find(one => one.id === chosen)
    onChange(role === undefined ? undefined : { id: role.id, held: permissionsIn(role) })
  }
  if (roles.length === 0) return null
  return (
    <Select
      w={{ base: '100%', md: '210px' }}
      field={{ 'aria-label': t('role.compare') }}
      value={value ?? ''}
      none={t('role.comparewith')}
      options={roles.map(({ id: one, name }) => [one, String(name)])}
      onChange={choose}
    />
  )
}

const GROUPS = permissionGroups(Object.values<EntityDeclaration>(ENTITIES))
const ALL = GROUPS.flatMap(({ entities }) => entities)
const WITH_ACTIONS = ALL.filter(entity => extraPermissions(entity).length > 0).map(({ name }) => name)

const FILTERS = ['given', 'inherited'] as const
type Filter = 'all' | (typeof FILTERS)[number] | 'different'

/** Entities whose name or one of whose actions holds the words, and that hold what the filter asks for. */
const useNarrowed = (query: string, filter: Filter, { present, other }: PermissionControl) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const words = foldName(query)
  return useMemo((): readonly PermissionGroup[] => {
    const verbs = VERBS.map(verb => t(`role.${verb}`))
    const isFound = ({ name }: EntityDeclaration, more: readonly string[]) =>
      words === '' ||
      [name, label.plural(name), ...more.map(one => label.action(name, one)), ...verbs].some(text =>
        foldName(text).includes(words),
      )
    const passes: Readonly<Record<Filter, (entity: EntityDeclaration) => boolean>> = {
      all: () => true,
      given: entity => countOf(present, [entity]).held > 0 && !present.services.includes(entity.name),
      inherited: ({ name }) => present.services.includes(name),
      different: entity => other !== undefined && countPermissionDifferences(present, other, [entity]).any,
    }
    return GROUPS.flatMap(group => {
      const entities = group.entities.filter(
        entity => isFound(entity, extraPermissions(entity)) && passes[filter](entity),
      )
      return entities.length === 0 ? [] : [{ ...group, entities }]
    })
  }, [words, filter, present, other, label, t])
}

const Legend = () => {
  const { t } = useTranslation('shell')
  return (
    <HStack gap="3" textStyle="secondary" color="fg.muted" aria-hidden="true" hideBelow="md">
      {(['given', 'inherited'] as const).map(state => (
        <HStack key={state} gap="0">
          <span className="pl-permission" data-state={state}>
            <PermissionMark state={state} />
          </span>
          {t(`role.legend.${state}`)}
        </HStack>
      ))}
    </HStack>
  )
}

interface TableProps {
  readonly groups: readonly PermissionGroup[]
  readonly control: PermissionControl
  /** All groups are open while something is sought. */
  readonly isSearching: boolean
}

/** Its head and its first column stay while it scrolls. */
const MatrixTable = ({ groups, control, isSearching }: TableProps) => {
  const { t } = useTranslation('shell')
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => setClosed(before => before.symmetricDifference(new Set([id])))
  const columns = [t('role.everything'), ...VERBS.map(verb => t(`role.${verb}`)), t('role.more')]
  return (
    <Box
      borderWidth="1px"
      borderRadius="lg"
      bg="bg.surface"
      overflow="auto"
      maxH="70vh"
      tabIndex={0}
      role="region"
      aria-label={t('role.matrix')}
      focusVisibleRing="outside"
    >
      <table className="pl-matrix" onKeyDown={moveInGrid}>
        <thead>
          <tr>
            {[t('role.thing'), ...columns].map(title => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(group => (
          <PermissionRows
            key={group.id}
            group={group}
            isOpen={isSearching || !closed.has(group.id)}
            control={control}
            onToggle={toggle}
          />
        ))}
      </table>
      {groups.length === 0 ? (
        <Text p="5" textAlign="center" color="fg.muted">
          {t('role.nothing')}
        </Text>
      ) : null}
    </Box>
  )
}

type Change = SectionControlProps['onChange']

/** Functions that stay the same, so that rows need not be rendered again; they work on the present values. */
const useSwitches = (present: Permissions, onChange: Change) => {
  const latest = useRef({ present, onChange })
  latest.current = { present, onChange }
  return useMemo(() => {
    const set = (kind: keyof Permissions) => (names: readonly string[], on: boolean) =>
      latest.current.onChange(kind, togglePermissions(latest.current.present[kind], names, on))
    return { setActions: set('actions'), setServices: set('services') }
  }, [])
}

interface BarProps {
  readonly id: string | undefined
  readonly control: PermissionControl
  readonly query: string
  readonly filter: Filter
  readonly compared: ComparedRole | undefined
  onQuery(query: string): void
  onFilter(filter: Filter): void
  onCompare(role: ComparedRole | undefined): void
}

/** Search, filters and count of granted permissions. */
const MatrixBar = ({ id, control, query, filter, compared, onQuery, onFilter, onCompare }: BarProps) => {
  const { t } = useTranslation('shell')
  const { present, other } = control
  const held = countGrantedPermissions(grantedBy(present))
  const filters = other === undefined ? FILTERS : ([...FILTERS, 'different'] as const)
  return (
    <HStack gap="2" flexWrap="wrap" mb="3">
      <Input
        type="search"
        maxW={{ base: '100%', md: '220px' }}
        placeholder={t('role.search')}
        aria-label={t('role.search')}
        value={query}
        onChange={event => onQuery(event.target.value)}
      />
      {filters.map(one => (
        <Button key={one} aria-pressed={filter === one} onClick={() => onFilter(filter === one ? 'all' : one)}>
          {t(`role.legend.${one}`)}
        </Button>
      ))}
      <CompareRole id={id} value={compared?.id} onChange={onCompare} />
      <Text role="status" textStyle="secondary" color="fg.muted" flex="1" fontVariantNumeric="tabular-nums">
        {t('role.heldofall', { held, all: PERMISSIONS.size })}
        {other === undefined
          ? ''
          : ` · ${t('role.differences', { ...countPermissionDifferences(present, other, ALL) })}`}
      </Text>
      <Legend />
    </HStack>
  )
}

/** The fields `services` and `actions` of a role: a row for each entity, by groups, and the menu actions. */
export const PermissionMatrix = ({ id, values, saved, readOnly, onChange }: SectionControlProps) => {
  useEntityTexts(WITH_ACTIONS)
  const [query, setQuery] = useState('')
  const [filter, setFilter] = useState<Filter>('all')
  const [compared, setCompared] = useState<ComparedRole>()
  const present = permissionsIn(values)
  const control: PermissionControl = {
    saved: permissionsIn(saved),
    present,
    other: compared?.held,
    isDisabled: readOnly,
    ...useSwitches(present, onChange),
  }
  const groups = useNarrowed(query, filter, control)
  const matchesMenu = (action: string, title: string) =>
    filter === 'all'
      ? query === '' || foldName(`${action} ${title}`).includes(foldName(query))
      : filter === 'given' && present.actions.includes(action)
  return (
    <Grid data-field="actions" templateColumns={{ base: 'minmax(0, 1fr)', xl: 'minmax(0, 1fr) 264px' }} gap="6">
      <Box>
        <MatrixBar
          id={id}
          control={control}
          query={query}
          filter={filter}
          compared={compared}
          onQuery={setQuery}
          onFilter={setFilter}
          onCompare={setCompared}
        />
        <MatrixTable groups={groups} control={control} isSearching={query !== '' || filter !== 'all'} />
        <MenuActions control={control} isShown={matchesMenu} />
      </Box>
      <PermissionAside id={id} control={control} />
    </Grid>
  )
}
