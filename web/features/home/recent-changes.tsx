import { Box, HStack, Text } from '@chakra-ui/react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Segments } from '#web/components/segments.tsx'
import { ChangeLine } from '#web/entity/history/change-line.tsx'
import type { HomeChange } from './home-query.ts'

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

/** Latest changes in this level and below, by kind. */
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
            <ChangeLine key={`${change.entity}${change.entityid}${change.revision}${change.time}`} change={change} />
          ))}
        </Box>
      )}
    </Box>
  )
}
