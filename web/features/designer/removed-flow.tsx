import { Button, Flex } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, SquareArrowLeft, Trash2, Undo2 } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { entityOf } from '#schemas/entities/registry.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { nameOf } from '#web/components/person-avatar.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { useRemovedEntity } from '#web/entity/use-removed-entity.ts'
import { momentOf } from '#web/format/time.ts'
import { ErrorMessage, MessagePage } from '#web/page/error-page.tsx'
import { downloadFlow } from './file/download.ts'
import type { FlowAddress } from './session/room/flow-address.ts'

/** Milliseconds: a restore only notifies readers of its history, so others poll. */
const ASK_EVERY = 5000

interface RemovedFlowProps {
  readonly address: FlowAddress
  /** It was drawn in just before. */
  readonly wasOpen: boolean
  /** Edits that the server did not take any more. */
  readonly unsent: FlowFile | undefined
  /** The flow was restored. */
  readonly onBack: () => void
}

const useBroughtBack = ({ kind, id }: FlowAddress, onBack: () => void): void => {
  const { isSuccess: isThere } = useQuery({
    queryKey: [kind, 'there', id],
    queryFn: () => http.get('/{entity}/{id}', { params: { entity: kind, id } }).then(() => true),
    retry: false,
    gcTime: 0,
    refetchInterval: ASK_EVERY,
  })
  const queries = useQueryClient()
  useEffect(() => {
    if (!isThere) return
    // Its name and those around it were asked for while it was gone.
    void queries.invalidateQueries({ queryKey: [kind] })
    onBack()
  }, [isThere, onBack, queries, kind])
}

/** Replaces a removed flow, also during editing: shows the person, unsaved edits, and a restore. */
export const RemovedFlow = ({ address, wasOpen, unsent, onBack }: RemovedFlowProps) => {
  const { t } = useTranslation(['designer', 'history', 'shell'])
  const { kind, id } = address
  const { can } = useSession()
  const entity = entityOf(kind)
  const command = useEntityCommand(entity)
  const { isPending, removed } = useRemovedEntity(kind, id)
  useBroughtBack(address, onBack)
  if (isPending) return <PageSkeleton />
  if (removed === undefined && !wasOpen && unsent === undefined) return <ErrorMessage code="404" />
  const name = removed === undefined ? t('flow') : String(removed.row[entity.title])
  const title = removed === undefined ? t('closed.missing') : t('closed.removed', { name })
  const who =
    removed === undefined
      ? t('shell:errorpage.404.text')
      : t('history:removedby', { name: nameOf(removed.last.actor), time: momentOf(removed.last.time) })
  const task = removed?.row.dialogtask
  return (
    <Flex flex="1" {...(wasOpen ? { role: 'alert' } : {})}>
      <MessagePage
        mark={<Trash2 size={26} />}
        title={title}
        text={unsent === undefined ? who : `${who.replace(/\.?$/u, '.')} ${t('closed.unsent')}`}
      >
        {unsent === undefined ? null : (
          <Button size="lg" onClick={() => downloadFlow(unsent, `${name} ${t('closed.file')}`)}>
            <Download size={16} aria-hidden />
            {t('closed.download')}
          </Button>
        )}
        {removed === undefined || !can(`update${kind}`) ? null : (
          <Button size="lg" onClick={() => void command.restore(removed.row, removed.revision).catch(command.failed)}>
            <Undo2 size={16} aria-hidden />
            {t('shell:bringback')}
          </Button>
        )}
        {typeof task === 'string' ? (
          <Button size="lg" asChild>
            <Link to={`/dialogtask/${task}`}>
              <SquareArrowLeft size={16} aria-hidden />
              {t('bar.back')}
            </Link>
          </Button>
        ) : null}
      </MessagePage>
    </Flex>
  )
}
