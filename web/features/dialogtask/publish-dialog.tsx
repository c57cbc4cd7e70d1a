import { Box, Button, HStack, Stack, Text } from '@chakra-ui/react'
import { useQueries } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#web/api/client.ts'
import { InstanceBadge } from '#web/components/instance-badge.tsx'
import { Modal } from '#web/components/modal.tsx'
import { type NamedPerson, nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import type { Row } from '#web/entity/entity-query.ts'
import { type FetchMoments, type MomentPage, readAfter } from '#web/features/designer/history/read-moments.ts'
import { type Going, goingLive } from '#web/features/designer/publish/going-live.ts'
import { liveRevision } from '#web/features/designer/publish/live-revision.ts'

interface Pending {
  readonly revision: number | undefined
  readonly edits: number
  readonly authors: readonly NamedPerson[]
  readonly added: number
  readonly changed: number
  readonly removed: number
}

/** What was drawn since the published revision, and by whom. */
const pendingOf = async (entity: string, row: Row): Promise<Pending> => {
  const live = liveRevision({
    published: row.published === true,
    publishedrevision: Number(row.publishedrevision ?? 0),
  })
  const fetchPage: FetchMoments = (after, size) =>
    api.get<MomentPage>(`/${entity}/${row.id}/flow/history`, { after, size })
  const moments = await readAfter(fetchPage, live)
  const authors = new Map(moments.flatMap(moment => moment.authors).map(person => [person.id, person]))
  const going = goingLive(moments)
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
  onPublish(body: object): Promise<unknown>
  onClose(): void
}

const Line = ({ row, pending }: { row: Row; pending: Pending | undefined }) => {
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

/** What goes live and whose edits these are; exactly what is shown here is published. */
export const PublishDialog = ({ entity, rows, onPublish, onClose }: Props) => {
  const { t } = useTranslation('shell')
  const [busy, setBusy] = useState(false)
  const pending = useQueries({
    queries: rows.map(row => ({
      queryKey: [entity, 'pending', row.id, row.revision],
      queryFn: () => pendingOf(entity, row),
      staleTime: 0,
      gcTime: 0,
    })),
  })
  const ready = pending.every(query => query.data !== undefined || query.isError)
  const publish = async () => {
    setBusy(true)
    const revision = rows.length === 1 ? pending[0]?.data?.revision : undefined
    const done = await onPublish(revision === undefined ? {} : { flowrevision: revision })
    setBusy(false)
    if (done !== undefined) onClose()
  }
  const [first] = rows
  return (
    <Modal
      open
      width={560}
      icon={<Upload size={18} aria-hidden="true" />}
      title={
        rows.length === 1 && first
          ? t('publish.title', { name: String(first.name) })
          : t('publish.all', { count: rows.length })
      }
      onClose={onClose}
      footer={
        <>
          <InstanceBadge />
          <Box flex="1" />
          <Button variant="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button variant="solid" data-autofocus="" loading={busy} disabled={!ready} onClick={() => void publish()}>
            {t('publish.do')}
          </Button>
        </>
      }
    >
      <Text color="fg.muted" mb="2">
        {t('publish.text')}
      </Text>
      <Stack gap="0" maxH="320px" overflow="auto">
        {rows.map((row, at) => (
          <Line key={row.id} row={row} pending={pending[at]?.data} />
        ))}
      </Stack>
    </Modal>
  )
}
