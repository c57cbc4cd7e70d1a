import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bot, Eye, EyeOff, MessageCircleQuestionMark, MessagesSquare } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { nluproject } from '#schemas/entities/nluproject.ts'
import type { RowOf } from '#schemas/row.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { PageSkeleton, RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { Segments } from '#web/components/segments.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { detailQuery } from '#web/entity/entity-query.ts'
import { useEntityTextsReady } from '#web/entity/label.ts'
import { Pagination } from '#web/entity/list/pagination.tsx'
import { ParentTabs } from '#web/entity/parent-tabs.tsx'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { agoOf, momentOf } from '#web/format/time.ts'
import { AddStatement } from '#web/nlu/add-statement.tsx'
import { notice } from '#web/notice/notice.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { RouterLink } from '#web/page/router-link.ts'

type UnrecognizedLine = AnswerOf<'GET /nluproject/{id}/unrecognized'>['items'][number]

/** While people talk, what is shown is at most this old. */
const REFETCH_INTERVAL_MS = 30_000

const unrecognizedQuery = (project: string) =>
  queryOptions({
    // Read again with the intents: a line that is a statement by now is not listed.
    queryKey: ['intent', 'unrecognized', project],
    queryFn: ({ signal }) => http.get('/nluproject/{id}/unrecognized', { params: { id: project }, signal }),
    refetchInterval: REFETCH_INTERVAL_MS,
  })

interface Props {
  readonly project: string
  readonly line: UnrecognizedLine
  onAdded(line: UnrecognizedLine, intent: string, undo: () => Promise<void>): void
  /** Takes it off the list, or puts it back. */
  readonly onDismiss: (() => void) | undefined
}

/** Count, time, bot and a link to the conversation. */
const LineFacts = ({ line }: Pick<Props, 'line'>) => {
  const { t } = useTranslation('unrecognized')
  const { can } = useSession()
  const { text, count, time, bot, conversation } = line
  return (
    <HStack mt="1" gap="1" columnGap="3" flexWrap="wrap" textStyle="secondary" color="fg.muted">
      <Text as="span" fontVariantNumeric="tabular-nums">
        {t('said', { count })}
      </Text>
      <time dateTime={time} title={momentOf(time)}>
        {agoOf(time)}
      </time>
      {can('readbot') ? (
        <>
          <HStack as="span" gap="1">
            <Bot size={13} aria-hidden="true" />
            <ReferenceName to="bot" id={bot} />
          </HStack>
          <RouterLink
            to={`/bot/conversation/${bot}?open=${conversation}`}
            aria-label={`${t('conversation')}: ${text}`}
            display="inline-flex"
            alignItems="center"
            gap="1"
            minH={{ base: '8', md: 'auto' }}
            color="accent.fg"
            _hover={{ textDecoration: 'underline' }}
            focusVisibleRing="outside"
          >
            <MessagesSquare size={13} aria-hidden="true" />
            {t('conversation')}
          </RouterLink>
        </>
      ) : null}
    </HStack>
  )
}

/** Words that led nowhere, and the intent that they are to be a statement of. */
const UnrecognizedRow = ({ project, line, onAdded, onDismiss }: Props) => {
  const { t } = useTranslation('unrecognized')
  const { text, intent, confidence, dismissed } = line
  const Glyph = dismissed ? Eye : EyeOff
  const percent = Math.round(confidence * 100)
  const closest = percent === 0 ? undefined : (intent ?? undefined)
  return (
    <Box
      as="li"
      display="flex"
      flexDirection={{ base: 'column', lg: 'row' }}
      gap={{ base: '2.5', lg: '6' }}
      alignItems={{ lg: 'center' }}
      px="4"
      py="3"
      borderTopWidth="1px"
    >
      <Box flex="1" minW="0">
        <HStack gap="2" flexWrap="wrap">
          <Text as="q" fontSize={{ base: 'md', md: 'sm' }} lineHeight="1.6" minW="0" overflowWrap="anywhere">
            {text}
          </Text>
          <Chip minW="0" flexShrink="1">
            <Text as="span" truncate>
              {closest === undefined ? t('noguess') : t('guess', { intent: closest, confidence: percent })}
            </Text>
          </Chip>
        </HStack>
        <LineFacts line={line} />
      </Box>
      {dismissed ? null : (
        <Box w={{ lg: '360px' }} flex="none">
          <AddStatement
            project={project}
            text={text}
            guess={closest}
            onAdded={added => onAdded(line, added.intent, () => added.undo())}
          />
        </Box>
      )}
      {onDismiss === undefined ? null : (
        <Button
          variant="ghost"
          size={{ base: 'md', lg: 'sm' }}
          flex="none"
          alignSelf={{ base: 'start', lg: 'center' }}
          aria-label={t(dismissed ? 'bringbackline' : 'dismissline', { text })}
          onClick={onDismiss}
        >
          <Glyph size={15} aria-hidden="true" />
          {t(dismissed ? 'bringback' : 'dismiss')}
        </Button>
      )}
    </Box>
  )
}

const ORDERS = ['newest', 'often'] as const
type Order = (typeof ORDERS)[number]
const PARTS = ['todo', 'dismissed'] as const
type Part = (typeof PARTS)[number]

/** The server lists the newest first. */
const inOrder = (lines: readonly UnrecognizedLine[], order: Order): readonly UnrecognizedLine[] =>
  order === 'newest' ? lines : lines.toSorted((one, other) => other.count - one.count)

const useTellAdded = () => {
  const { t } = useTranslation(['unrecognized', 'shell'])
  return ({ text }: UnrecognizedLine, intent: string, undo: () => Promise<void>) => {
    const run = () => void undo().catch(error => notice.toast(failureOf(error, t('notundone')), { tone: 'danger' }))
    notice.snack(t('added', { text, intent }), { tone: 'positive', action: { label: t('shell:undo'), run } })
  }
}

interface LinesProps {
  readonly project: RowOf<'nluproject'>
  readonly lines: readonly UnrecognizedLine[]
}

/** Takes a line off the list or puts it back; undefined where the person may not. */
const useDismiss = (project: RowOf<'nluproject'>) => {
  const { t } = useTranslation(['unrecognized', 'shell'])
  const { can } = useSession()
  const client = useQueryClient()
  const command = useEntityCommand(nluproject)
  const set = async ({ line }: UnrecognizedLine, done: boolean): Promise<boolean> => {
    try {
      const params = { entity: 'nluproject', id: project.id, action: 'dismissline' } as const
      await http.post('/{entity}/{id}/{action}', { params, body: { line, done } })
      await Promise.all([client.invalidateQueries(unrecognizedQuery(project.id)), command.refresh()])
      return true
    } catch (error) {
      command.failed(error)
      return false
    }
  }
  if (!can('dismisslinenluproject')) return undefined
  return async (line: UnrecognizedLine): Promise<void> => {
    const { text, dismissed } = line
    if (!(await set(line, !dismissed))) return
    notice.snack(t(dismissed ? 'broughtback' : 'dismissedone', { text }), {
      tone: 'positive',
      action: { label: t('shell:undo'), run: () => void set(line, dismissed) },
    })
  }
}

interface HeadProps {
  readonly heading: RefObject<HTMLHeadingElement | null>
  readonly order: Order
  readonly part: Part
  readonly countOf: (part: Part) => number
  onOrder(order: Order): void
  onPart(part: Part): void
}

/** The title, which lines are shown, and in which order. */
const Head = ({ heading, order, part, countOf, onOrder, onPart }: HeadProps) => {
  const { t } = useTranslation('unrecognized')
  return (
    <HStack px="4" py="2.5" gap="2" flexWrap="wrap">
      <Text as="h2" ref={heading} tabIndex={-1} textStyle="card" focusVisibleRing="outside" me="auto">
        {t('title')}
      </Text>
      <Segments<Part>
        label={t('show')}
        value={part}
        options={PARTS.map(value => ({ value, label: t(value, { count: countOf(value) }) }))}
        onChange={onPart}
      />
      <Segments<Order>
        label={t('sort')}
        value={order}
        options={ORDERS.map(value => ({ value, label: t(value) }))}
        onChange={onOrder}
      />
    </HStack>
  )
}

const Lines = ({ project, lines }: LinesProps) => {
  const { t } = useTranslation('unrecognized')
  const heading = useRef<HTMLHeadingElement>(null)
  const tellAdded = useTellAdded()
  const dismiss = useDismiss(project)
  const [order, setOrder] = useState<Order>('newest')
  const [part, setPart] = useState<Part>('todo')
  const [state, setState] = useState({ page: 1, size: 25 })
  const ofPart = (wanted: Part) => lines.filter(({ dismissed }) => dismissed === (wanted === 'dismissed'))
  const own = ofPart(part)
  const page = Math.min(state.page, Math.max(1, Math.ceil(own.length / state.size)))
  const shown = inOrder(own, order).slice((page - 1) * state.size, page * state.size)
  // The row goes, and the keyboard's focus would go with it.
  const keepFocus = () => heading.current?.focus()
  return (
    <>
      <Box as="section" aria-label={t('title')} borderWidth="1px" borderRadius="lg" bg="bg.surface" overflow="hidden">
        <Head {...{ heading, order, part }} countOf={each => ofPart(each).length} onOrder={setOrder} onPart={setPart} />
        <Box as="ul" listStyleType="none">
          {shown.map(line => (
            <UnrecognizedRow
              key={line.line}
              project={project.id}
              line={line}
              onAdded={(...added) => {
                tellAdded(...added)
                keepFocus()
              }}
              onDismiss={dismiss && (() => void dismiss(line).then(keepFocus))}
            />
          ))}
        </Box>
        {own.length > 0 ? null : part === 'todo' ? (
          <EmptyState icon={MessageCircleQuestionMark} title={t('empty')} text={t('emptytext')} />
        ) : (
          <EmptyState icon={EyeOff} title={t('nodismissed')} text={t('nodismissedtext')} />
        )}
        <Text textStyle="secondary" color="fg.muted" px="4" py="2" borderTopWidth="1px">
          {t('help')}
        </Text>
      </Box>
      {own.length > 25 ? (
        <Pagination
          state={{ page, size: state.size }}
          total={own.length}
          onChange={change => setState(before => ({ ...before, page, ...change }))}
        />
      ) : null}
    </>
  )
}

/** Unrecognized messages to a project's bots, for labelling. */
const UnrecognizedList = ({ project }: { readonly project: RowOf<'nluproject'> }) => {
  const { t } = useTranslation('unrecognized')
  const { data, error, refetch } = useQuery(unrecognizedQuery(project.id))
  if (error && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <RowsSkeleton rows={6} />
  if (data.items.length === 0)
    return (
      <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
        <EmptyState icon={MessageCircleQuestionMark} title={t('empty')} text={t('emptytext')} />
      </Box>
    )
  return (
    <>
      <Lines project={project} lines={data.items} />
      {data.more ? (
        <Text mt="2" textStyle="secondary" color="fg.muted">
          {t('more')}
        </Text>
      ) : null}
    </>
  )
}

const Shown = ({ project }: { readonly project: RowOf<'nluproject'> }) => {
  const { t } = useTranslation('unrecognized')
  return (
    <Page title={project.name} name={t('title')}>
      <ParentTabs entity="nluproject" id={project.id} active="unrecognized" />
      <UnrecognizedList project={project} />
    </Page>
  )
}

/** /nluproject/unrecognized/{project} */
export const UnrecognizedPage = () => {
  const { id = '' } = useParams()
  const { can } = useSession()
  const query = useQuery(detailQuery('nluproject', id))
  const ready = useEntityTextsReady(['nluproject', 'intent'])
  if (!can('readconversation')) return <ErrorMessage code="403" />
  if (query.error && query.data === undefined)
    return <PageLoadError error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined || !ready) return <PageSkeleton />
  return <Shown key={id} project={query.data} />
}
