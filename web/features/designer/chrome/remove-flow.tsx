import { useTranslation } from 'react-i18next'
import type { FlowModel } from '#domain/flow/document/model.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { RemovalText } from '#web/entity/removal-text.tsx'
import { usedByList } from '#web/entity/used-by-list.tsx'
import { shapeOf } from '../model/look.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import type { FlowEntity } from '../session/flow-entity.ts'
import { useNames } from '../session/names-context.ts'
import type { FlowKind } from '../session/room/flow-address.ts'

interface RemoveFlowProps {
  readonly kind: FlowKind
  readonly flow: FlowEntity
  readonly onClose: () => void
  readonly onRemoved: () => void
}

/** Notes and groups are no blocks of a conversation. */
const blocksIn = ({ nodes }: FlowModel): number =>
  [...nodes.values()].filter(node => shapeOf(node) === undefined).length

/** Removing a flow takes the word CONFIRM; its history can bring it back. */
export const RemoveFlow = ({ kind, flow, onClose, onRemoved }: RemoveFlowProps) => {
  const { t } = useTranslation('designer')
  const { address, canvas } = useDesigner()
  const { bot } = useNames()
  const blocks = useStoreValue(canvas.flow, blocksIn)
  const remove = async () => {
    try {
      await http.delete('/{entity}/{id}', { params: { entity: kind, id: flow.id }, body: { confirm: 'CONFIRM' } })
    } catch (error) {
      throw new Error(failureOf(error, t(`failure.remove.${kind}`)), { cause: error })
    }
    onRemoved()
  }
  return (
    <ConfirmDialog
      details={usedByList}
      title={t(kind === 'dialog' ? 'remove.dialog' : 'remove.handler', { name: flow.name })}
      action={t(kind === 'dialog' ? 'remove.doDialog' : 'remove.doHandler')}
      onClose={onClose}
      onConfirm={remove}
    >
      <RemovalText entity={kind} id={flow.id} bot={bot?.id} blocks={flow.id === address.id ? blocks : undefined} />
    </ConfirmDialog>
  )
}
