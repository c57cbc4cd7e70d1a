import { Box, Button, chakra, Flex, HStack, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Bot, Check, DoorOpen, Download, Headset, MessagesSquare } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { CONVERSATION_STANDING } from '#schemas/api/conversation.ts'
import type { QueryOf } from '#schemas/api/routes.ts'
import { channel as channelEntity } from '#schemas/entities/channel.ts'
import { CONVERSATION_ORIGINS } from '#schemas/events/conversation.ts'
import { fileUrl } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { RemovableChip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { SearchField } from '#web/components/search-field.tsx'
import { detailQuery } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { Pagination } from '#web/entity/list/pagination.tsx'
import { countText, hourOfMeasure, RoundedNote } from '#web/features/insight/index.ts'
import { ChoiceControl } from '#web/form/control/choice-control.tsx'
import { dayOf } from '#web/format/time.ts'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { useAddress } from '#web/page/use-address.ts'
import { NARROW, useMedia } from '#web/shell/use-media.ts'
import { ConversationList } from './conversation-list.tsx'
import { ConversationPane } from './conversation-pane.tsx'
import { type ConversationPage, conversationsQuery } from './conversation-query.ts'
import { QueueStrip, useQueues } from './queue-strip.tsx'
import { visitorCode } from './status-chip.tsx'

type Standing = (typeof CONVERSATION_STANDING)[number]

const ICON = { bot: Bot, agent: Headset, ended: Check, gaveup: DoorOpen } as const

interface FilterProps {
  readonly counts: ConversationPage['counts'] | undefined
  readonly value: Standing | undefined
  onChange(value: Standing | undefined): void
}

/** Conversation counts per status; a click filters by it, a second click shows all. */
const StandingFilter = ({ counts, value, onChange }: FilterProps) => {
  const { t } = useTranslation('tool')
  return (
    <Box
      role="group"
      aria-label={t('conversation.filter.status')}
      display="flex"
      gap={{ base: '2', md: '0' }}
      overflowX="auto"
      borderWidth={{ md: '1px' }}
      borderRadius={{ md: 'lg' }}
      bg={{ md: 'bg.surface' }}
    >
      {CONVERSATION_STANDING.map(one => {
        const Icon = ICON[one]
        return (
          <chakra.button
            key={one}
            type="button"
            aria-pressed={value === one}
            onClick={() => onChange(value === one ? undefined : one)}
            display="flex"
            flexDirection={{ base: 'row', md: 'column' }}
            alignItems={{ base: 'center', md: 'start' }}
            gap={{ base: '2', md: '0' }}
            flex={{ base: 'none', md: 'auto' }}
            minH={{ base: '36px', md: 'auto' }}
            minW="0"
            px="2.5"
            py={{ base: '0', md: '1.5' }}
            cursor="pointer"
            outlineOffset="-2px"
            borderWidth={{ base: '1px', md: '0' }}
            borderStyle={{ base: value === one ? 'solid' : 'dashed', md: 'solid' }}
            borderColor={{ base: value === one ? 'accent.emphasized' : 'border.emphasized', md: 'border' }}
            borderRadius={{ base: 'md', md: '0' }}
            css={{ '@media (min-width: 768px)': { '&:not(:last-child)': { borderInlineEndWidth: '1px' } } }}
            {...(value === one ? { bg: 'accent.subtle', color: 'accent.fg' } : { _hover: { bg: 'bg.subtle' } })}
          >
            <chakra.span
              display="inline-flex"
              alignItems="center"
              gap="1.5"
              fontSize="xs"
              whiteSpace="nowrap"
              color={value === one ? undefined : one === 'gaveup' ? 'danger.fg' : 'fg.muted'}
            >
              <Icon size={13} strokeWidth={1.75} aria-hidden="true" />
              {t(`conversation.standing.${one}`)}
            </chakra.span>
            <chakra.b fontSize={{ base: 'xs', md: 'md' }} fontVariantNumeric="tabular-nums">
              {counts === undefined ? '…' : countText(counts[one])}
            </chakra.b>
          </chakra.button>
        )
      })}
    </Box>
  )
}

const PERIODS = [1, 7, 30] as const
const SIZES = [25, 50, 100] as const

/** The first of the last so many days, ISO 8601 UTC; an hour long the same, so that it is one query. */
const sinceDays = (days: number): string =>
  new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 - days * 86_400_000).toISOString()

const FIGURE = ['measure', 'firstday', 'lastday', 'release'] as const
type FigureQuery = Pick<QueryOf<'GET /conversation/export'>, (typeof FIGURE)[number]>

/** The number of a bot's figures whose conversations are listed; undefined: none. */
const figureIn = (params: URLSearchParams): FigureQuery | undefined => {
  if (!['measure', 'firstday', 'lastday'].every(name => params.has(name))) return undefined
  const given = FIGURE.flatMap(name => (params.has(name) ? [[name, params.get(name) ?? ''] as const] : []))
  return Object.fromEntries(given) as FigureQuery
}

/** Which conversations are listed and which one is open, in the address. */
const useFilter = () => {
  const { params, put, addressOf } = useAddress()
  const standing = CONVERSATION_STANDING.find(one => one === params.get('standing'))
  const days = PERIODS.find(one => String(one) === params.get('days'))
  const page = Math.max(1, Number(params.get('page')) || 1)
  const size = SIZES.find(one => String(one) === params.get('size')) ?? SIZES[0]
  const open = params.get('open') ?? undefined
  const search = params.get('search') ?? ''
  const channel = params.get('channel') ?? ''
  const origin = CONVERSATION_ORIGINS.find(one => one === params.get('origin'))
  const person = params.get('person') ?? undefined
  const at = params.get('at') ?? undefined
  const figure = figureIn(params)
  const filter: Omit<QueryOf<'GET /conversation/export'>, 'bot'> = {
    ...(standing === undefined ? {} : { standing }),
    ...(search === '' ? {} : { search }),
    ...(channel === '' ? {} : { channel }),
    ...(origin === undefined ? {} : { origin }),
    ...(person === undefined ? {} : { person }),
    ...(at === undefined ? {} : { at }),
    ...(days === undefined ? {} : { from: sinceDays(days) }),
    ...figure,
  }
  return {
    standing,
    days,
    page,
    size,
    open,
    search,
    channel,
    origin,
    person,
    at,
    figure,
    /** The list's filter, without page. */
    filter,
    query: { ...filter, page, size },
    put,
    addressOf,
  }
}

type Filter = ReturnType<typeof useFilter>

/** Types of channels that a conversation may have come by; `bot` is another bot. */
const CHANNEL_TYPES = [...channelEntity.fields.type.options, 'bot']

type Queues = ReturnType<typeof useQueues>

/** Width of the list beside an open conversation. */
const LIST_WIDTH = { lg: '420px', xl: '476px' }

/** Other filters of the list, each removable. */
const Chips = ({ filter: { person, at, figure, put } }: { readonly filter: Filter }) => {
  const { t } = useTranslation(['tool', 'insight'])
  if (person === undefined && at === undefined && figure === undefined) return null
  const measured = String(figure?.measure)
  const [measure = ''] = measured.split(':')
  const clear = Object.fromEntries(FIGURE.map(name => [name, '']))
  return (
    <HStack gap="2" flexWrap="wrap">
      {figure === undefined ? null : (
        <RemovableChip
          name={t('insight:list.filter')}
          disabled={false}
          onRemove={() => put({ ...clear, channel: '', origin: '', page: '' })}
        >
          {t('insight:list.of', {
            measure:
              hourOfMeasure(measured) ??
              t(`insight:measure.${measure.replaceAll('.', '_')}`, { defaultValue: measure }),
            from: dayOf(String(figure.firstday)),
            to: dayOf(String(figure.lastday)),
          })}
        </RemovableChip>
      )}
      {person === undefined ? null : (
        <RemovableChip
          name={t('conversation.filter.person')}
          disabled={false}
          onRemove={() => put({ person: '', page: '' })}
        >
          {t('conversation.visitor', { sign: visitorCode({ person }) })}
        </RemovableChip>
      )}
      {at === undefined ? null : (
        <RemovableChip
          name={t('conversation.filter.block')}
          disabled={false}
          onRemove={() => put({ at: '', page: '' })}
        >
          {t('conversation.filter.atblock')}
        </RemovableChip>
      )}
    </HStack>
  )
}

const Filters = ({
  filter,
  counts,
  queues,
}: {
  readonly filter: Filter
  readonly queues: Queues['queues']
  readonly counts: ConversationPage['counts'] | undefined
}) => {
  const { t } = useTranslation(['tool', 'insight'])
  const label = useLabel()
  const { standing, days, search, channel, origin, put } = filter
  return (
    <Stack gap="2.5" mb="3">
      <RoundedNote />
      <StandingFilter counts={counts} value={standing} onChange={value => put({ standing: value ?? '', page: '' })} />
      <QueueStrip queues={queues} />
      <HStack gap="2" flexWrap="wrap">
        <SearchField
          label={t('conversation.filter.search')}
          value={search}
          onChange={text => put({ search: text, page: '' })}
          flex="1 1 100%"
        />
        <Box flex="1 1 150px">
          <ChoiceControl
            id="channel"
            label={t('conversation.filter.channel')}
            none={t('conversation.filter.anychannel')}
            value={channel}
            choices={CHANNEL_TYPES.map(type => ({ value: type, label: label.option('channel', 'type', type) }))}
            onChange={value => put({ channel: value, page: '' })}
          />
        </Box>
        <Box flex="1 1 150px">
          <ChoiceControl
            id="origin"
            label={t('insight:by.origin')}
            none={t('conversation.filter.anyorigin')}
            value={origin ?? ''}
            choices={CONVERSATION_ORIGINS.map(value => ({ value, label: t(`insight:origin.${value}`) }))}
            onChange={value => put({ origin: value, page: '' })}
          />
        </Box>
        <Box flex="1 1 150px">
          <ChoiceControl
            id="days"
            label={t('conversation.filter.period')}
            none={t('conversation.filter.always')}
            value={days === undefined ? '' : String(days)}
            choices={PERIODS.map(count => ({ value: String(count), label: t('conversation.filter.days', { count }) }))}
            onChange={value => put({ days: value, page: '' })}
          />
        </Box>
      </HStack>
      <Chips filter={filter} />
    </Stack>
  )
}

interface ListedProps extends Queues {
  readonly bot: string
  readonly filter: Filter
}

const Listed = ({ bot, filter, queues, talks }: ListedProps) => {
  const { t } = useTranslation('tool')
  const { can } = useSession()
  const { page, size, open, query, put, addressOf } = filter
  const list = useQuery(conversationsQuery({ bot, ...query }))
  const items = list.data?.items
  return (
    <>
      <Filters filter={filter} counts={list.data?.counts} queues={queues} />
      {list.error && items === undefined ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : items === undefined ? (
        <RowsSkeleton rows={6} />
      ) : items.length === 0 && list.data?.total === 0 ? (
        <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
          <EmptyState icon={MessagesSquare} title={t('conversation.empty')} text={t('conversation.emptytext')}>
            <Button asChild variant="outline">
              <Link to={`/bot/${bot}`}>{t('conversation.emptydo')}</Link>
            </Button>
          </EmptyState>
        </Box>
      ) : (
        <>
          <ConversationList items={items} open={open} talks={talks} addressOf={id => addressOf({ open: id })} />
          <Pagination
            state={{ page, size }}
            // A rounded total is not that of the pages.
            {...(can('readconversation')
              ? { total: list.data?.total ?? 0 }
              : { total: (page - 1) * size + items.length, more: list.data?.more === true })}
            onChange={({ page: next = 1, size: rows = size }) => put({ page: String(next), size: String(rows) })}
          />
        </>
      )}
    </>
  )
}

const Nothing = () => {
  const { t } = useTranslation('tool')
  return (
    <Text color="fg.muted" textStyle="dense" m="auto" px="6" textAlign="center">
      {t('conversation.choose')}
    </Text>
  )
}

/** /bot/conversation/{id}: messages and steps of a bot's conversations. */
export const ConversationsPage = () => {
  const { t } = useTranslation('tool')
  const { id = '' } = useParams()
  const bot = useQuery(detailQuery('bot', id))
  const filter = useFilter()
  const { queues, talks } = useQueues(id)
  const isNarrow = useMedia(NARROW)
  const { open, put, addressOf } = filter
  if (bot.error && bot.data === undefined) return <PageLoadError error={bot.error} onRetry={() => void bot.refetch()} />
  const pane =
    open === undefined ? undefined : (
      <ConversationPane
        key={open}
        id={open}
        talk={talks.get(open)}
        ofPerson={person =>
          addressOf({ person, standing: '', origin: '', days: '', search: '', page: '', open: isNarrow ? '' : open })
        }
        onBack={isNarrow ? () => put({ open: '' }) : undefined}
      />
    )
  if (isNarrow && pane !== undefined) return pane
  return (
    <Page
      title={t('conversation.title')}
      actions={
        <Button asChild>
          <a href={fileUrl('/conversation/export', { query: { ...filter.filter, bot: id } })} download>
            <Download size={15} aria-hidden="true" />
            {t('conversation.export')}
          </a>
        </Button>
      }
      aside={
        isNarrow ? null : (
          <Flex
            flex="none"
            w={Object.fromEntries(Object.entries(LIST_WIDTH).map(([at, width]) => [at, `calc(100% - ${width})`]))}
            borderInlineStartWidth="1px"
          >
            {pane ?? <Nothing />}
          </Flex>
        )
      }
    >
      <Listed key={id} bot={id} filter={filter} queues={queues} talks={talks} />
    </Page>
  )
}
