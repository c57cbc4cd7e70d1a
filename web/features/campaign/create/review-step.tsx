import { Box, Button, HStack, SimpleGrid, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CircleX, RotateCcw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Card } from '#web/components/card.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import type { Row } from '#web/entity/entity-query.ts'
import { durationOf, momentOf } from '#web/format/time.ts'
import { reviewQuery } from '../report/campaign-query.ts'
import { countText, DELIVERY, shareText } from '../report/delivery.ts'

type Review = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof reviewQuery>['queryFn']>>>>

const Bar = ({ ready, total }: { readonly ready: number; readonly total: number }) => (
  <HStack h="14px" gap="2px" borderRadius="5px" overflow="hidden" bg="bg.sunken" aria-hidden="true">
    {ready === 0 ? null : <Box h="100%" flexBasis="0" bg="positive.solid" style={{ flexGrow: ready }} />}
    {total === ready ? null : (
      <Box h="100%" minW="3px" flexBasis="0" style={{ flexGrow: total - ready }} {...DELIVERY.failed.fill} />
    )}
  </HStack>
)

const NotSent = ({ one }: { readonly one: Review['notsent'][number] }) => {
  const { t } = useTranslation('campaign')
  return (
    <HStack as="li" px="4" py="3" gap="3" borderTopWidth="1px" textStyle="dense">
      <Box
        boxSize="30px"
        display="grid"
        placeItems="center"
        borderRadius="md"
        bg="danger.subtle"
        color="danger.fg"
        flex="none"
      >
        <CircleX size={15} aria-hidden="true" />
      </Box>
      <Text minW="9" textAlign="end" textStyle="card" fontVariantNumeric="tabular-nums">
        {countText(one.count)}
      </Text>
      <Text flex="1" minW="0">
        {one.text}
      </Text>
      <Text color="fg.muted">{t('review.notsent')}</Text>
    </HStack>
  )
}

/** What the limit of the account means for so many people. */
const LimitCard = ({ review }: { readonly review: Review }) => {
  const { t } = useTranslation('campaign')
  const { limit, ready } = review
  const days = limit === null || limit === 0 ? 1 : Math.ceil(ready / limit)
  return (
    <Card title={t('review.limittitle')}>
      <Text px="4" pb="4" textStyle="dense" color={days > 1 ? 'warning.fg' : 'fg.muted'}>
        {limit === null
          ? t('review.nolimit')
          : days > 1
            ? t('review.overlimit', { limit: countText(limit), days })
            : t('review.inlimit', { limit: countText(limit) })}
      </Text>
    </Card>
  )
}

const EndCard = ({ row, review }: { readonly row: Row; readonly review: Review }) => {
  const { t } = useTranslation('campaign')
  const isScheduled = typeof row.cron_expression === 'string' && row.cron_expression !== ''
  const end = new Date(Date.now() + review.seconds * 1000).toISOString()
  return (
    <Card title={t('review.endtitle')}>
      <Text px="4" pb="4" textStyle="dense" color="fg.muted">
        {t('review.takes', { time: durationOf(Math.max(review.seconds, 1) * 1000) })}{' '}
        {isScheduled ? t('review.byschedule') : t('review.ends', { time: momentOf(end) })}
      </Text>
    </Card>
  )
}

/** A dry run over all contacts: who gets it, who does not and why, and how long it takes. Nothing is sent. */
export const ReviewStep = ({ row }: { readonly row: Row }) => {
  const { t } = useTranslation('campaign')
  const { data, error, refetch, isFetching } = useQuery(reviewQuery(row.id))
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <RowsSkeleton />
  const without = data.total - data.ready
  return (
    <Stack gap="4">
      <Card
        title={t('review.title')}
        beside={
          <Button variant="outline" loading={isFetching} onClick={() => void refetch()}>
            <RotateCcw size={15} aria-hidden="true" />
            {t('review.again')}
          </Button>
        }
      >
        <Box px="4" pb="4">
          <Text textStyle="dense" color="fg.muted" mb="3">
            {t('review.text')}
          </Text>
          <Bar ready={data.ready} total={data.total} />
          <HStack mt="2" gap="5" flexWrap="wrap" textStyle="dense" fontVariantNumeric="tabular-nums">
            <Text>{t('review.ready', { count: data.ready, shown: countText(data.ready) })}</Text>
            <Text>
              {t('review.without', {
                count: without,
                shown: countText(without),
                share: shareText(without, data.total),
              })}
            </Text>
          </HStack>
        </Box>
        <Box as="ul" listStyleType="none">
          {data.notsent.map(one => (
            <NotSent key={one.code} one={one} />
          ))}
        </Box>
      </Card>
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        <EndCard row={row} review={data} />
        <LimitCard review={data} />
      </SimpleGrid>
    </Stack>
  )
}
