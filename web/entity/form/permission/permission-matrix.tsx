import { Box, Button, chakra, HStack, Input, Text } from '@chakra-ui/react'
import { ArrowUp, Check } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { foldName } from '#schemas/fold-name.ts'
import { useEntityTexts, useLabel } from '#web/entity/label.ts'
import type { SectionControlProps } from '../section-control-props.ts'
import { MenuActions } from './menu-actions.tsx'
import { PendingPermissions } from './pending-permissions.tsx'
import { type PermissionGroup, permissionGroups } from './permission-group.ts'
import { type PermissionControl, PermissionRows } from './permission-rows.tsx'
import { countOf, moreOf, type Permissions, permissionsIn, switched, VERBS } from './permission-state.ts'
import { moveInGrid } from './use-grid-keys.ts'

const GROUPS = permissionGroups(Object.values<EntityDeclaration>(ENTITIES))
const ALL = GROUPS.flatMap(({ entities }) => entities)
const WITH_ACTIONS = ALL.filter(entity => moreOf(entity).length > 0).map(({ name }) => name)

const HEAD = {
  h: '36px',
  px: '2',
  textStyle: 'label',
  color: 'fg.muted',
  whiteSpace: 'nowrap',
  textAlign: 'start',
} as const

type Filter = 'all' | 'given' | 'inherited'

/** Entities whose name or one of whose actions holds the words, and that hold what the filter asks for. */
const useNarrowed = (query: string, filter: Filter, held: Permissions): readonly PermissionGroup[] => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const words = foldName(query)
  return useMemo(() => {
    const isFound = (entity: EntityDeclaration) => {
      const names = [
        entity.name,
        label.plural(entity.name),
        ...moreOf(entity).map(one => label.action(entity.name, one)),
      ]
      const verbs = VERBS.map(verb => t(`role.${verb}`))
      return words === '' || [...names, ...verbs].some(name => foldName(name).includes(words))
    }
    const holds = ({ name }: EntityDeclaration) =>
      filter === 'all' || (filter === 'inherited') === held.services.includes(name)
    const isGiven = (entity: EntityDeclaration) => filter !== 'given' || countOf(held, [entity]).held > 0
    return GROUPS.flatMap(group => {
      const entities = group.entities.filter(entity => isFound(entity) && holds(entity) && isGiven(entity))
      return entities.length === 0 ? [] : [{ ...group, entities }]
    })
  }, [words, filter, held, label, t])
}

const Legend = () => {
  const { t } = useTranslation('shell')
  return (
    <HStack gap="4" textStyle="secondary" color="fg.muted" aria-hidden="true" hideBelow="md">
      <HStack gap="1.5">
        <chakra.span
          display="grid"
          placeItems="center"
          boxSize="18px"
          borderRadius="sm"
          bg="accent.solid"
          color="accent.contrast"
        >
          <Check size={12} />
        </chakra.span>
        {t('role.legend.given')}
      </HStack>
      <HStack gap="1.5">
        <chakra.span display="grid" placeItems="center" boxSize="18px" borderRadius="full" borderWidth="1px">
          <ArrowUp size={12} />
        </chakra.span>
        {t('role.legend.inherited')}
      </HStack>
    </HStack>
  )
}

/** The fields `services` and `actions` of a role: a row for each entity, by groups, and the menu actions. */
export const PermissionMatrix = ({ values, saved, readOnly, onChange }: SectionControlProps) => {
  const { t } = useTranslation('shell')
  useEntityTexts(WITH_ACTIONS)
  const [query, setQuery] = useState('')
  const [filter, setFilter] = useState<Filter>('all')
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const present = permissionsIn(values)
  const groups = useNarrowed(query, filter, present)
  const control: PermissionControl = {
    saved: permissionsIn(saved),
    present,
    isDisabled: readOnly,
    setActions: (names, on) => onChange('actions', switched(present.actions, names, on)),
    setServices: (names, on) => onChange('services', switched(present.services, names, on)),
  }
  const { held, all } = countOf(present, ALL)
  const isSearching = query !== '' || filter !== 'all'
  const toggle = (id: string) =>
    setClosed(before => new Set(before.has(id) ? [...before].filter(one => one !== id) : [...before, id]))
  const columns = [t('role.everything'), ...VERBS.map(verb => t(`role.${verb}`)), t('role.more')]
  const matchesMenu = (action: string, title: string) =>
    filter === 'all'
      ? query === '' || foldName(`${action} ${title}`).includes(foldName(query))
      : filter === 'given' && present.actions.includes(action)
  return (
    <Box data-field="actions">
      <PendingPermissions control={control} />
      <HStack gap="2" flexWrap="wrap" mb="3">
        <Input
          type="search"
          maxW={{ base: '100%', md: '260px' }}
          placeholder={t('role.search')}
          aria-label={t('role.search')}
          value={query}
          onChange={event => setQuery(event.target.value)}
        />
        {(['given', 'inherited'] as const).map(one => (
          <Button key={one} aria-pressed={filter === one} onClick={() => setFilter(filter === one ? 'all' : one)}>
            {t(`role.legend.${one}`)}
          </Button>
        ))}
        <Text role="status" textStyle="secondary" color="fg.muted" flex="1" fontVariantNumeric="tabular-nums">
          {t('role.heldofall', { held, all })}
        </Text>
        <Legend />
      </HStack>
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
        <chakra.table w="100%" borderCollapse="separate" borderSpacing="0" onKeyDown={moveInGrid}>
          <chakra.thead position="sticky" top="0" zIndex="2" bg="bg">
            <tr>
              <chakra.th scope="col" {...HEAD} px="3" position="sticky" left="0" bg="bg" zIndex="1">
                {t('role.thing')}
              </chakra.th>
              {columns.map(title => (
                <chakra.th key={title} scope="col" {...HEAD} bg="bg">
                  {title}
                </chakra.th>
              ))}
            </tr>
          </chakra.thead>
          {groups.map(group => (
            <PermissionRows
              key={group.id}
              group={group}
              isOpen={isSearching || !closed.has(group.id)}
              control={control}
              onToggle={() => toggle(group.id)}
            />
          ))}
        </chakra.table>
        {groups.length === 0 ? (
          <Text p="5" textAlign="center" color="fg.muted">
            {t('role.nothing')}
          </Text>
        ) : null}
      </Box>
      <MenuActions control={control} isShown={matchesMenu} />
    </Box>
  )
}
