import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { dialog } from '#schemas/entities/dialog.ts'
import { dialogtask } from '#schemas/entities/dialogtask.ts'
import { handler } from '#schemas/entities/handler.ts'
import type { RowOf } from '#schemas/row.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { detailQuery, type Row } from '#web/entity/entity-query.ts'
import { flowsQuery } from '#web/entity/read-all.ts'
import { PublishFlowsDialog } from './publish-flows-dialog.tsx'

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
