import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { History } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Hint } from '#web/components/hint.tsx'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { Segments } from '#web/components/segments.tsx'
import { addressOf } from '#web/entity/address.ts'
import { useSentence } from '#web/entity/history/history-entry.tsx'
import { useLabel } from '#web/entity/label.ts'
import { agoOf, momentOf } from '#web/format/time.ts'
import type { HomeChange } from './home-query.ts'

const RouterLink = chakra(Link)
const FLOWS = new Set(['flow', 'dialog', 'handler'])
const PEOPLE = new Set(['user', 'usergroup', 'role', 'hierarchy'])
const KINDS = ['all', 'flows', 'settings', 'people'] as const
type Kind = (typeof KINDS)[number]

const isOf = (kind: Kind, { entity }: HomeChange) =>
  kind === 'all' ||
  (kind === 'flows'
    ? FLOWS.has(entity)
    : kind === 'people'
      ? PEOPLE.has(entity)
      : !FLOWS.has(entity) && !PEOPLE.has(entity))

const Line = ({ change }: { change: HomeChange }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const sentence = useSentence()
  const flow = change.entity === 'flow'
  const to = addressOf(change.entity, change.entityid, { history: true })
  return (
    <HStack as="li" gap="3" px="4" minH="46px" py="1.5" borderTopWidth="1px">
      <PersonAvatar person={change.user} size={26} />
      <Text flex="1" minW="0" textStyle="dense" color="fg.muted">
        <chakra.b color="fg">{nameOf(change.user)}</chakra.b>{' '}
        {flow && change.action === 'changed' ? t('home.drew') : sentence(label, change.entity, change)}{' '}
        <chakra.b color="fg">{change.name}</chakra.b> ·{' '}
        {label.name(flow ? 'dialog' : change.entity).toLocaleLowerCase()}
      </Text>
      <Hint text={momentOf(change.time)}>
        <chakra.time textStyle="secondary" color="fg.muted" whiteSpace="nowrap">
          {agoOf(change.time)}
        </chakra.time>
      </Hint>
      {to === undefined ? null : (
        <Hint text={t('history')}>
          <RouterLink
            to={to}
            aria-label={`${t('history')}: ${change.name ?? ''}`}
            color="fg.muted"
            p="1.5"
            borderRadius="md"
            _hover={{ bg: 'bg.subtle', color: 'fg' }}
            focusVisibleRing="outside"
          >
            <History size={15} aria-hidden="true" />
          </RouterLink>
        </Hint>
      )}
    </HStack>
  )
}

/** What happened last in this level and below, by kind. */
export const RecentChanges = ({ changes }: { readonly changes: readonly HomeChange[] }) => {
  const { t } = useTranslation('shell')
  const [kind, setKind] = useState<Kind>('all')
  const shown = changes.filter(change => isOf(kind, change))
  return (
    <Box as="section" bg="bg.surface" borderWidth="1px" borderRadius="lg" aria-label={t('home.changes')}>
      <HStack px="4" py="2.5" justify="space-between" flexWrap="wrap">
        <Text as="h2" textStyle="card">
          {t('home.changes')}
        </Text>
        <Segments<Kind>
          label={t('home.changes')}
          value={kind}
          onChange={setKind}
          options={KINDS.map(value => ({ value, label: t(`home.kind.${value}`) }))}
        />
      </HStack>
      {shown.length === 0 ? (
        <EmptyState small title={t('list.nothing')} />
      ) : (
        <Box as="ul" listStyleType="none">
          {shown.map(change => (
            <Line key={`${change.entity}${change.entityid}${change.revision}${change.time}`} change={change} />
          ))}
        </Box>
      )}
    </Box>
  )
}
