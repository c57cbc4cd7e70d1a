import { Box, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { Card } from '#web/components/card.tsx'
import { countText } from './delivery.ts'

interface SourceProps {
  readonly name: string
  readonly to: string
  /** Absent: it leaves people out. */
  readonly count?: number
}

const Source = ({ name, to, count }: SourceProps) => (
  <HStack as="li" gap="3" py="1" textStyle="dense" justify="space-between">
    <Link to={to}>
      <Text as="span" color="accent.fg" overflowWrap="anywhere">
        {name}
      </Text>
    </Link>
    {count === undefined ? null : <Text fontVariantNumeric="tabular-nums">{countText(count)}</Text>}
  </HStack>
)

/** Lists and segments that the last run was planned with, as they were then. */
export const RunAudienceCard = ({ row }: { readonly row: RowOf<'campaign'> }) => {
  const { t } = useTranslation('campaign')
  const { data } = useQuery({
    queryKey: ['campaign', 'runs', row.id, row.run_started_at, row.run_status],
    queryFn: ({ signal }) => http.get('/campaignrun', { query: { campaign: row.id }, signal }),
  })
  const audience = data?.items.find(({ audience: planned }) => planned !== null)?.audience
  if (audience === undefined || audience === null) return null
  const { own, lists, segments, minus, omitted } = audience
  return (
    <Card title={t('audience.planned')}>
      <Box px="4" pb="3">
        <Box as="ul" listStyleType="none">
          {own === 0 ? null : (
            <Source name={t('audience.own')} to={`/campaignmanagement/contact/${row.id}`} count={own} />
          )}
          {lists.map(({ id, name, count }) => (
            <Source key={id} name={name} to={`/contactlist/${id}`} count={count} />
          ))}
          {segments.map(({ id, name, count }) => (
            <Source key={id} name={name} to={`/segment/${id}`} count={count} />
          ))}
        </Box>
        {minus.length === 0 ? null : (
          <Box as="ul" listStyleType="none" borderTopWidth="1px" mt="2" pt="2">
            <Text as="li" textStyle="secondary" color="fg.muted">
              {t('audience.omitted', { count: omitted, shown: countText(omitted) })}
            </Text>
            {minus.map(({ id, name }) => (
              <Source key={id} name={name} to={`/contactlist/${id}`} />
            ))}
          </Box>
        )}
        <Text textStyle="secondary" color="fg.muted" mt="2">
          {t('audience.once')}
        </Text>
      </Box>
    </Card>
  )
}
