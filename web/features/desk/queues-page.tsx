import { Box, Button, chakra, Flex, HStack, Text, VisuallyHidden } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  ArrowRightLeft,
  Coffee,
  Hourglass,
  type LucideIcon,
  MoonStar,
  Plus,
  Table2,
  TriangleAlert,
  Users,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import { deskqueue } from '#schemas/entities/deskqueue.ts'
import { objectsOf } from '#schemas/json.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { PageSkeleton, RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { SearchField } from '#web/components/search-field.tsx'
import { listQuery } from '#web/entity/entity-query.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { useEntityTextsReady } from '#web/entity/label.ts'
import { EntityListPage } from '#web/entity/list/entity-list-page.tsx'
import { BotsWithoutDesk, EnableDesk } from '#web/features/agentchannel/index.ts'
import { Select } from '#web/form/labelled-select.tsx'
import { numberText } from '#web/format/number.ts'
import { minuteOf } from '#web/format/time.ts'
import { useAttempt } from '#web/notice/use-attempt.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { RouterLink } from '#web/page/router-link.ts'
import { RowLink } from '#web/page/row-link.tsx'
import { type DeskSummary, deskQueuesQuery } from '#web/shell/desk-summary.ts'
import { usePageTitle } from '#web/shell/use-instance-tab.ts'
import { MIDDLE, NARROW, useMedia } from '#web/shell/use-media.ts'
import { useDebouncedValue } from '#web/timer.ts'

interface MoveChatsProps {
  readonly from: string
  readonly queues: readonly { readonly id: string; readonly name: string }[]
  readonly onMoved: () => void
}

/** Gives the open chats of a queue to another one, so that it can be removed. */
const MoveChats = ({ from, queues, onMoved }: MoveChatsProps) => {
  const { t } = useTranslation('desk')
  const client = useQueryClient()
  const others = queues.filter(({ id }) => id !== from)
  const [to, setTo] = useState('')
  const { isBusy: busy, failure: refused, attempt } = useAttempt(t('failed'))
  if (others.length === 0)
    return (
      <Text textStyle="dense" mt="2">
        {t('queues.moveto.none')}
      </Text>
    )
  const move = () =>
    attempt(async () => {
      await http.post('/deskqueue/{id}/move', { params: { id: from }, body: { to } })
      await client.invalidateQueries({ queryKey: ['desk'] })
      onMoved()
    })
  return (
    <>
      <Text textStyle="dense" mt="1" color="fg">
        {t('queues.moveto.text')}
      </Text>
      <HStack gap="2" mt="2" flexWrap="wrap">
        <Select
          flex="1 1 180px"
          w="auto"
          field={{ color: 'fg', 'aria-label': t('queues.moveto.label') }}
          value={to}
          none={t('queues.moveto.label')}
          options={others.map(({ id, name }) => [id, name])}
          onChange={setTo}
        />
        <Button disabled={to === ''} loading={busy} onClick={() => void move()}>
          <ArrowRightLeft size={14} aria-hidden="true" />
          {t('queues.moveto.do')}
        </Button>
      </HStack>
      {refused === undefined ? null : (
        <Text role="alert" mt="1.5" textStyle="secondary" color="danger.fg">
          {refused}
        </Text>
      )}
    </>
  )
}

const LIST = '/deskqueue/search'
/** Most queues of a level. */
const MAX_QUEUES = 50
const MAX_ANSWERS = 50
const SEARCH_DELAY_MS = 250

const queuesQuery = listQuery('deskqueue', { sort: 'name', size: MAX_QUEUES })

type QueueRow = NonNullable<Awaited<ReturnType<NonNullable<typeof queuesQuery.queryFn>>>>['items'][number]
type LiveQueue = DeskSummary['queues'][number]

interface RowProps {
  readonly queue: QueueRow
  readonly live: LiveQueue | undefined
  readonly current: boolean
}

/** Why nobody is served by a queue; undefined when it works. */
const faultOf = ({ enable, members }: QueueRow): 'off' | 'nobody' | undefined =>
  enable !== true ? 'off' : objectsOf(members).length === 0 ? 'nobody' : undefined

const QueueRowLink = ({ queue, live, current }: RowProps) => {
  const { t } = useTranslation('desk')
  const fault = faultOf(queue)
  const isOpen = live?.open ?? true
  const Icon: LucideIcon = fault !== undefined ? TriangleAlert : isOpen ? Hourglass : MoonStar
  const waiting = live?.waiting ?? 0
  return (
    <RowLink
      to={`/deskqueue/${queue.id}`}
      isOpen={current}
      gap="2.5"
      px="3.5"
      py="2.5"
      minH={{ base: '11', md: '0' }}
      borderBottomWidth="1px"
    >
      <Box
        boxSize="8"
        flex="none"
        display="grid"
        placeItems="center"
        borderRadius="md"
        bg="bg.sunken"
        color={fault === undefined ? 'fg.muted' : 'warning.fg'}
      >
        <Icon size={15} aria-hidden="true" />
      </Box>
      <Box flex="1" minW="0">
        <HStack justify="space-between" gap="2">
          <Text textStyle="card" truncate title={String(queue.name)}>
            {String(queue.name)}
          </Text>
          <Text
            textStyle="secondary"
            flex="none"
            {...(waiting > 0 ? { color: 'warning.fg', fontWeight: 'semibold' } : { color: 'fg.muted' })}
          >
            {live === undefined ? '' : waiting > 0 ? t('queues.waiting', { count: waiting }) : t('queues.empty')}
          </Text>
        </HStack>
        <Text textStyle="secondary" color={fault === undefined ? 'fg.muted' : 'warning.fg'}>
          {fault === undefined
            ? [
                t('queues.people', { count: objectsOf(queue.members).length }),
                ...(live === undefined
                  ? []
                  : [
                      !isOpen
                        ? t('queues.closed')
                        : live.closesat === null
                          ? t('queues.always')
                          : t('queues.until', { time: minuteOf(live.closesat) }),
                    ]),
              ].join(' · ')
            : t(`queues.${fault}`)}
        </Text>
      </Box>
    </RowLink>
  )
}

interface HeadProps {
  readonly entity: 'deskqueue' | 'cannedanswer'
  readonly title: string
  readonly total: number | undefined
  readonly newLabel: string
}

/** The way to a new one; nothing without the right. */
const NewLink = ({ entity, newLabel }: Pick<HeadProps, 'entity' | 'newLabel'>) => {
  const { can } = useSession()
  return can(`create${entity}`) ? (
    <Button asChild size="sm" ms="auto">
      <Link to={`/${entity}/new`}>
        <Plus size={14} aria-hidden="true" />
        {newLabel}
      </Link>
    </Button>
  ) : null
}

const Total = ({ total }: Pick<HeadProps, 'total'>) => (
  <Text as="span" textStyle="secondary" color="fg.muted">
    {total === undefined ? null : numberText(total)}
  </Text>
)

/** Name and number of what a panel lists, and the way to a new one. */
const PanelHead = ({ title, total, ...link }: HeadProps) => (
  <HStack gap="2">
    <Text as="h2" textStyle="card">
      {title}
    </Text>
    <Total total={total} />
    <NewLink {...link} />
  </HStack>
)

/** A link below a list. */
const FOOT = {
  ...{ px: '3.5', py: '2.5', borderTopWidth: '1px', textStyle: 'secondary', display: 'flex', gap: '2' },
  ...{ alignItems: 'center', minH: { base: '11', md: '0' }, _hover: { bg: 'bg.subtle' } },
} as const

/** Settings for all queues of a level: the reasons for a break. */
const ForAll = () => {
  const { t } = useTranslation('desk')
  const { can, user } = useSession()
  const settings = useQuery({ ...listQuery('desksetting', { size: MAX_QUEUES }), enabled: can('readdesksetting') }).data
  if (settings === undefined) return null
  const own = settings.items.find(({ hierarchylevel }) => hierarchylevel === user.hierarchylevel)
  if (own === undefined && !can('createdesksetting')) return null
  const count = own === undefined ? 0 : objectsOf(own.pause_reasons).length
  return (
    <RouterLink to={own === undefined ? '/desksetting/new' : `/desksetting/${own.id}`} {...FOOT}>
      <Coffee size={14} aria-hidden="true" />
      <chakra.span flex="1">{t('queues.reasons')}</chakra.span>
      <chakra.b color="accent.fg">{count === 0 ? t('queues.usual') : numberText(count)}</chakra.b>
    </RouterLink>
  )
}

interface QueueListProps {
  readonly open?: string | undefined
  /** A page that is named after the queues has their head itself. */
  readonly hasHead: boolean
}

/** The queues of a level, with how many people wait in each now. */
const QueueList = ({ open, hasHead }: QueueListProps) => {
  const { t } = useTranslation('desk')
  const { can } = useSession()
  const queues = useQuery(queuesQuery)
  const summary = useQuery({ ...deskQueuesQuery, enabled: can('showdesk') }).data
  const live = new Map(summary?.queues.map(queue => [queue.id, queue]))
  return (
    <Flex as="section" aria-label={t('queues.title')} direction="column" minH="0" h="100%" bg="bg.surface">
      {hasHead ? (
        <Box px="3.5" py="3" borderBottomWidth="1px">
          <PanelHead
            entity="deskqueue"
            title={t('queues.title')}
            total={queues.data?.total}
            newLabel={t('queues.new')}
          />
        </Box>
      ) : null}
      <Box flex="1" minH="0" overflowY="auto">
        {queues.data === undefined ? (
          <Box p="3">
            {queues.error ? (
              <ErrorState error={queues.error} onRetry={() => void queues.refetch()} />
            ) : (
              <RowsSkeleton rows={4} />
            )}
          </Box>
        ) : (
          queues.data.items.map(queue => (
            <QueueRowLink key={queue.id} queue={queue} live={live.get(queue.id)} current={queue.id === open} />
          ))
        )}
      </Box>
      <Box borderTopWidth="1px" _empty={{ display: 'none' }}>
        <BotsWithoutDesk />
      </Box>
      <ForAll />
      <RouterLink to={`${LIST}?view=table`} {...FOOT} color="accent.fg" fontWeight="semibold">
        <Table2 size={14} aria-hidden="true" />
        {t('queues.table')}
      </RouterLink>
    </Flex>
  )
}

/** Canned answers of the level, found by shortcut or words. */
const CannedPanel = () => {
  const { t } = useTranslation('desk')
  const [typed, setTyped] = useState('')
  const search = useDebouncedValue(typed, SEARCH_DELAY_MS)
  const answers = useQuery(listQuery('cannedanswer', { search, sort: 'shortcut', size: MAX_ANSWERS }))
  return (
    <Flex
      as="section"
      aria-label={t('canned.title')}
      direction="column"
      w="268px"
      flex="none"
      minH="0"
      borderInlineStartWidth="1px"
    >
      <Box px="3.5" py="3" borderBottomWidth="1px">
        <PanelHead
          entity="cannedanswer"
          title={t('canned.title')}
          total={answers.data?.total}
          newLabel={t('canned.short')}
        />
        <SearchField label={t('canned.find')} value={typed} onChange={setTyped} mt="2.5" />
      </Box>
      {answers.data !== undefined ? null : (
        <Box p="3">
          {answers.error ? (
            <ErrorState error={answers.error} onRetry={() => void answers.refetch()} />
          ) : (
            <RowsSkeleton rows={4} />
          )}
        </Box>
      )}
      {answers.data?.items.length === 0 ? (
        <Text px="3.5" py="3" textStyle="dense" color="fg.muted">
          {t(search === '' ? 'canned.none' : 'canned.nothing')}
        </Text>
      ) : null}
      <Box as="ul" listStyleType="none" flex="1" minH="0" overflowY="auto">
        {answers.data?.items.map(({ id, shortcut, text, queues }) => (
          <li key={id}>
            <RouterLink
              to={`/cannedanswer/${id}`}
              display="block"
              px="3.5"
              py="2"
              borderBottomWidth="1px"
              outlineOffset="-2px"
              _hover={{ bg: 'bg.subtle' }}
            >
              <HStack gap="2">
                <chakra.code color="accent.fg" fontSize="xs" truncate>
                  /{String(shortcut)}
                </chakra.code>
                {Array.isArray(queues) && queues.length > 0 ? (
                  <Chip h="18px">{t('canned.queues', { count: queues.length })}</Chip>
                ) : null}
              </HStack>
              <Text textStyle="secondary" color="fg.muted" lineClamp="2">
                {String(text)}
              </Text>
            </RouterLink>
          </li>
        ))}
      </Box>
    </Flex>
  )
}

const NONE: ReadonlySet<string> = new Set()

const Queue = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('desk')
  const { can } = useSession()
  const isMiddle = useMedia(MIDDLE)
  const queues = useQuery({ ...queuesQuery, enabled: can('readdeskqueue') })
  return (
    <EntityDetail
      entity={deskqueue}
      id={id}
      listAt={LIST}
      hidden={NONE}
      actions={() =>
        can('showdesk') ? (
          <Button asChild>
            <Link to={`/desk?queue=${id}`}>
              <Users size={15} aria-hidden="true" />
              {t('queues.now')}
            </Link>
          </Button>
        ) : null
      }
      removalHelp={(_row, failure, again) =>
        isProblem(failure, 409) && failure.code === 'entity.occupied' && can('assignconversation') ? (
          <MoveChats
            from={id}
            queues={queues.data?.items.map(queue => ({ id: queue.id, name: String(queue.name) })) ?? []}
            onMoved={again}
          />
        ) : null
      }
      aside={() => (isMiddle || !can('readcannedanswer') ? null : <CannedPanel />)}
    />
  )
}

const Beside = ({ open, children }: { readonly open: string | undefined; readonly children: ReactNode }) => (
  <Flex flex="1" minH="0" minW="0">
    <Box w="244px" flex="none" borderInlineEndWidth="1px" minH="0">
      <QueueList open={open} hasHead />
    </Box>
    {children}
  </Flex>
)

/** The queues, none of them open. Opening one of another level changes the level of the session. */
const NoQueue = () => {
  const { t } = useTranslation('desk')
  const { can } = useSession()
  const isMiddle = useMedia(MIDDLE)
  usePageTitle(t('queues.title'))
  return (
    <Beside open={undefined}>
      <VisuallyHidden as="h1">{t('queues.title')}</VisuallyHidden>
      <Text m="auto" px="6" textStyle="dense" color="fg.muted" textAlign="center">
        {t('queues.choose')}
      </Text>
      {isMiddle || !can('readcannedanswer') ? null : <CannedPanel />}
    </Beside>
  )
}

/** /deskqueue/{id}: a queue, beside the other queues and the canned answers where there is room. */
export const QueuePage = () => {
  const { id = '' } = useParams()
  const isNarrow = useMedia(NARROW)
  const queue = <Queue key={id} id={id} />
  return isNarrow ? queue : <Beside open={id}>{queue}</Beside>
}

/** /deskqueue/search: the queues, none of them open; on a small screen the list alone; `?view=table`: the generated list. */
export const QueuesPage = () => {
  const { t } = useTranslation('desk')
  const { can } = useSession()
  const [params] = useSearchParams()
  const isNarrow = useMedia(NARROW)
  const ready = useEntityTextsReady(['deskqueue'])
  const queues = useQuery({ ...queuesQuery, enabled: can('readdeskqueue') })
  if (!can('readdeskqueue')) return <ErrorMessage code="403" />
  if (params.size > 0) return <EntityListPage />
  if (queues.data === undefined)
    return queues.error ? (
      <PageLoadError error={queues.error} onRetry={() => void queues.refetch()} />
    ) : (
      <PageSkeleton />
    )
  if (!ready) return <PageSkeleton />
  if (queues.data.items.length === 0)
    return (
      <Page title={t('queues.title')}>
        {can('createagentchannel') ? (
          <EnableDesk />
        ) : (
          <EmptyState title={t('queues.none')} text={t('queues.nonetext')}>
            {can('createdeskqueue') ? (
              <Button asChild variant="solid">
                <Link to="/deskqueue/new">{t('queues.new')}</Link>
              </Button>
            ) : null}
          </EmptyState>
        )}
      </Page>
    )
  return isNarrow ? (
    <Page
      title={t('queues.title')}
      beside={<Total total={queues.data.total} />}
      actions={<NewLink entity="deskqueue" newLabel={t('queues.new')} />}
    >
      <Box borderWidth="1px" borderRadius="lg" overflow="hidden">
        <QueueList hasHead={false} />
      </Box>
    </Page>
  ) : (
    <NoQueue />
  )
}
