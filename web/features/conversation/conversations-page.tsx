import { Box, Button, Grid, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, MessagesSquare } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { detailQuery } from '#web/entity/entity-query.ts'
import { Pagination } from '#web/entity/list/pagination.tsx'
import { ChoiceControl } from '#web/form/control/choice-control.tsx'
import { FailedRead } from '#web/page/failed-read.tsx'
import { Page } from '#web/page/page.tsx'
import { ConversationList } from './conversation-list.tsx'
import { ConversationPane } from './conversation-pane.tsx'
import { conversationsQuery } from './conversation-query.ts'

const STATUS = ['active', 'waiting', 'idle', 'agent', 'ended'] as const
const PERIODS = [1, 7, 30] as const
const SIZES = [25, 50, 100] as const

/** The first of the last so many days, ISO 8601 UTC; a day long the same, so that it is one query. */
const sinceDays = (days: number): string =>
  new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 - days * 86_400_000).toISOString()

const useFilter = () => {
  const [search, setSearch] = useSearchParams()
  const status = STATUS.find(one => one === search.get('status'))
  const days = PERIODS.find(one => String(one) === search.get('days'))
  const page = Math.max(1, Number(search.get('page')) || 1)
  const size = SIZES.find(one => String(one) === search.get('size')) ?? SIZES[0]
  const open = search.get('open') ?? undefined
  const withQuery = (change: Readonly<Record<string, string>>): URLSearchParams => {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(change)) {
      if (value === '') next.delete(name)
      else next.set(name, value)
    }
    return next
  }
  const put = (change: Readonly<Record<string, string>>) => setSearch(withQuery(change), { replace: true })
  return { status, days, page, size, open, put, addressOf: (id: string) => `?${withQuery({ open: id })}` }
}

type Filter = ReturnType<typeof useFilter>

const Filters = ({ status, days, put }: Filter) => {
  const { t } = useTranslation('tool')
  return (
    <HStack gap="2" mb="3">
      <ChoiceControl
        id="status"
        label={t('conversation.filter.status')}
        none={t('conversation.filter.allstatus')}
        value={status ?? ''}
        choices={STATUS.map(value => ({ value, label: t(`conversation.status.${value}`) }))}
        onChange={value => put({ status: value, page: '' })}
      />
      <ChoiceControl
        id="days"
        label={t('conversation.filter.period')}
        none={t('conversation.filter.always')}
        value={days === undefined ? '' : String(days)}
        choices={PERIODS.map(count => ({ value: String(count), label: t('conversation.filter.days', { count }) }))}
        onChange={value => put({ days: value, page: '' })}
      />
    </HStack>
  )
}

const Conversations = ({ bot, filter }: { readonly bot: string; readonly filter: Filter }) => {
  const { t } = useTranslation('tool')
  const { status, days, page, size, open, put, addressOf } = filter
  const from = days === undefined ? {} : { from: sinceDays(days) }
  const list = useQuery(conversationsQuery({ bot, page, size, ...(status ? { status } : {}), ...from }))
  if (list.error && list.data === undefined)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (list.data === undefined) return <RowsSkeleton rows={6} />
  const { items, total } = list.data
  return (
    <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 5fr) minmax(0, 7fr)' }} gap="4" alignItems="start">
      {/* A narrow window shows one of the two. */}
      <Box hideBelow={open === undefined ? undefined : 'lg'}>
        <Filters {...filter} />
        {items.length === 0 ? (
          <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
            <EmptyState icon={MessagesSquare} title={t('conversation.empty')} text={t('conversation.emptytext')} />
          </Box>
        ) : (
          <>
            <ConversationList items={items} open={open} addressOf={addressOf} />
            <Pagination
              state={{ page, size }}
              total={total}
              onChange={({ page: next = 1, size: rows = size }) => put({ page: String(next), size: String(rows) })}
            />
          </>
        )}
      </Box>
      {open === undefined ? (
        <Text hideBelow="lg" color="fg.muted" textStyle="dense" pt="16" textAlign="center">
          {items.length === 0 ? '' : t('conversation.choose')}
        </Text>
      ) : (
        <Box>
          <Button hideFrom="lg" size="xs" mb="2" onClick={() => put({ open: '' })}>
            <ArrowLeft size={14} aria-hidden="true" />
            {t('conversation.all')}
          </Button>
          <ConversationPane key={open} id={open} />
        </Box>
      )}
    </Grid>
  )
}

/** /bot/conversation/{id}: what was said and done in the conversations of a bot. */
export const ConversationsPage = () => {
  const { t } = useTranslation('tool')
  const { id = '' } = useParams()
  const bot = useQuery(detailQuery('bot', id))
  const filter = useFilter()
  if (bot.error) return <FailedRead error={bot.error} onRetry={() => void bot.refetch()} />
  return (
    <Page title={t('conversation.title')} purpose={t('conversation.purpose', { name: String(bot.data?.name ?? '…') })}>
      <Conversations key={id} bot={id} filter={filter} />
    </Page>
  )
}
