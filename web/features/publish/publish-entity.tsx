import { Box, HStack, Stack, Text } from '@chakra-ui/react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { dialog } from '#schemas/entities/dialog.ts'
import { dialogtask } from '#schemas/entities/dialogtask.ts'
import { handler } from '#schemas/entities/handler.ts'
import type { RowOf } from '#schemas/row.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { type NamedPerson, nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { formAddress } from '#web/entity/address.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { detailQuery, type Row } from '#web/entity/entity-query.ts'
import { type Going, pendingBlockChanges } from '#web/entity/flow/pending-changes.ts'
import { type FetchMoments, liveRevision, readMomentsAfter } from '#web/entity/flow/read-revisions.ts'
import { flowsQuery } from '#web/entity/read-all.ts'
import { notice } from '#web/notice/notice.ts'
import { PublishDialog } from './publish-dialog.tsx'
import { Published, type PublishResult } from './published-dialog.tsx'

interface Pending {
  readonly revision: number | undefined
  readonly edits: number
  readonly authors: readonly NamedPerson[]
  readonly added: number
  readonly changed: number
  readonly removed: number
}

/** Changes since the published revision, and their authors. */
const pendingOf = async (entity: string, row: Row): Promise<Pending> => {
  const live = liveRevision({
    published: row.published === true,
    publishedrevision: Number(row.publishedrevision ?? 0),
  })
  const fetchPage: FetchMoments = (after, size) =>
    http.get('/{kind}/{id}/flow/history', { params: { kind: entity, id: row.id }, query: { after, size } })
  const moments = await readMomentsAfter(fetchPage, live)
  const authors = new Map(moments.flatMap(moment => moment.authors).map(person => [person.id, person]))
  const going = pendingBlockChanges(moments)
  const sum = (kind: Going['kind']) => going.filter(each => each.kind === kind).length
  return {
    revision: moments.at(-1)?.revision ?? (live === 0 ? undefined : live),
    edits: moments.length,
    authors: [...authors.values()],
    added: sum('added'),
    changed: sum('changed'),
    removed: sum('removed'),
  }
}

interface Props {
  readonly entity: 'dialog' | 'handler'
  readonly rows: readonly Row[]
  readonly bot: string
  /** The task that is published whole, and its handlers beside the dialogs of `rows`. */
  readonly whole?: { readonly handlers: readonly string[] }
  /** With a `reason`: although tests fail. */
  onPublish(body: { readonly flowrevision?: number; readonly reason?: string }): Promise<unknown>
  onClose(): void
}

const FlowLine = ({ row, pending }: { row: Row; pending: Pending | undefined }) => {
  const { t } = useTranslation('shell')
  return (
    <HStack py="2.5" gap="3" css={{ '&:not(:last-child)': { borderBottomWidth: '1px' } }}>
      <Box flex="1" minW="0">
        <Text textStyle="card">{String(row.name)}</Text>
        {pending === undefined ? (
          <Text textStyle="secondary" color="fg.subtle">
            …
          </Text>
        ) : pending.edits === 0 ? (
          <Text textStyle="secondary" color="fg.muted">
            {t('publish.same')}
          </Text>
        ) : (
          <HStack gap="2.5" textStyle="secondary" fontWeight="semibold">
            <Text color="diff.added.fg">+{pending.added}</Text>
            <Text color="diff.changed.fg">△{pending.changed}</Text>
            <Text color="diff.removed.fg">−{pending.removed}</Text>
            <Text color="fg.muted" fontWeight="normal">
              {t('publish.edits', { count: pending.edits })} {pending.authors.map(nameOf).join(', ')}
            </Text>
          </HStack>
        )}
      </Box>
      <HStack gap="0">
        {pending?.authors.slice(0, 4).map(person => (
          <Box key={person.id} ms="-1.5">
            <PersonAvatar person={person} ring />
          </Box>
        ))}
      </HStack>
    </HStack>
  )
}

/** Shows the result of publishing with the act that opens a chat, or the way to the missing steps. */
const useTell = (bot: string) => {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  return ({ text, isLacking, tryIt }: PublishResult) => {
    const lead = { label: t('reach.missing'), run: () => void navigate(formAddress(`/bot/${bot}`)) }
    const attempt = tryIt && {
      label: t('reach.try'),
      run: () => {
        tryIt().catch(error => notice.toast(failureOf(error, t('reach.failed')), { tone: 'danger', action: lead }))
      },
    }
    if (isLacking || attempt) notice.snack(text, { action: attempt ?? lead, stays: true })
  }
}

/** Publishes the drawn state of one or several dialogs or handlers; of a single one exactly the revision that is shown. */
const PublishFlowsDialog = ({ entity, rows, bot, whole, onPublish, onClose }: Props) => {
  const { t } = useTranslation('shell')
  const [busy, setBusy] = useState(false)
  const [isDone, setDone] = useState(false)
  const tell = useTell(bot)
  const pending = useQueries({
    queries: rows.map(row => ({
      queryKey: [entity, 'pending', row.id, row.revision],
      queryFn: () => pendingOf(entity, row),
      staleTime: 0,
      gcTime: 0,
    })),
  })
  const ready = pending.every(query => query.data !== undefined || query.isError)
  const ids = rows.map(({ id }) => id)
  const isDialogs = entity === 'dialog'
  const going = { bot, dialogs: isDialogs ? ids : [], handlers: isDialogs ? (whole?.handlers ?? []) : ids }
  const publish = async (reason?: string) => {
    setBusy(true)
    const revision = rows.length === 1 ? pending[0]?.data?.revision : undefined
    const done = await onPublish({
      ...(revision === undefined || whole !== undefined ? {} : { flowrevision: revision }),
      ...(reason === undefined ? {} : { reason }),
    })
    setBusy(false)
    setDone(done !== undefined)
  }
  const [first] = rows
  if (isDone && first !== undefined) {
    const task = String(first.dialogtask)
    const flow = { kind: entity, id: first.id, name: String(first.name), task }
    return <Published bot={bot} flow={flow} tell={tell} onClose={onClose} />
  }
  return (
    <PublishDialog
      title={
        rows.length === 1 && first
          ? t('publish.title', { name: String(first.name) })
          : t('publish.all', { count: rows.length })
      }
      blocked={!ready}
      busy={busy}
      going={going}
      entity={whole === undefined ? entity : 'dialogtask'}
      onPublish={reason => void publish(reason)}
      onClose={onClose}
    >
      <Stack gap="0" maxH="320px" overflow="auto">
        {rows.map((row, at) => (
          <FlowLine key={row.id} row={row} pending={pending[at]?.data} />
        ))}
      </Stack>
    </PublishDialog>
  )
}

type FlowKind = 'dialog' | 'handler'

interface TaskProps {
  readonly row: RowOf<'dialogtask'>
  readonly dialogs: readonly RowOf<'dialog'>[]
  onClose(): void
}

/** Publishes all flows of a task. */
export const PublishTask = ({ row, dialogs, onClose }: TaskProps) => {
  const { t: words } = useTranslation('designer')
  const command = useEntityCommand(dialogtask)
  const handlers = useQuery(flowsQuery('handler', row.id)).data?.items ?? []
  return (
    <PublishFlowsDialog
      entity="dialog"
      rows={dialogs}
      bot={row.bot}
      whole={{ handlers: handlers.map(({ id }) => id) }}
      onClose={onClose}
      onPublish={({ reason }) =>
        reason === undefined
          ? command.act(row, 'publishall', {}, words('failure.publishAll'))
          : command.act(row, 'publishuntested', { reason }, words('failure.publishAll'))
      }
    />
  )
}

interface FlowProps {
  readonly kind: FlowKind
  readonly row: Row
  readonly bot: string
  onClose(): void
}

/** Publishes one dialog or handler as it is drawn. */
export const PublishOneFlow = ({ kind, row, bot, onClose }: FlowProps) => {
  const { t: words } = useTranslation('designer')
  const command = useEntityCommand(kind === 'dialog' ? dialog : handler)
  return (
    <PublishFlowsDialog
      entity={kind}
      rows={[row]}
      bot={bot}
      onClose={onClose}
      onPublish={body =>
        command.act(
          row,
          body.reason === undefined ? 'publish' : 'publishuntested',
          body,
          words(`failure.publish.${kind}`),
        )
      }
    />
  )
}

const TaskById = ({ id, onClose }: { readonly id: string; onClose(): void }) => {
  const task = useQuery(detailQuery('dialogtask', id)).data
  const dialogs = useQuery(flowsQuery('dialog', id)).data?.items
  return task === undefined || dialogs === undefined ? null : (
    <PublishTask row={task} dialogs={dialogs} onClose={onClose} />
  )
}

const FlowById = ({ id, kind, ...given }: Omit<FlowProps, 'row'> & { readonly id: string }) => {
  const row = useQuery(detailQuery(kind, id)).data
  return row === undefined ? null : <PublishOneFlow kind={kind} row={row} {...given} />
}

interface EntityProps {
  readonly entity: FlowKind | 'dialogtask'
  readonly id: string
  readonly bot: string
  onClose(): void
}

/** Publishes a flow or a whole task of which only the id is at hand. */
export const PublishEntity = ({ entity, ...given }: EntityProps) =>
  entity === 'dialogtask' ? <TaskById {...given} /> : <FlowById kind={entity} {...given} />
