import { useTranslation } from 'react-i18next'
import { entityOf } from '#schemas/entities/registry.ts'
import { failureOf } from '#web/api/failure.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { flowAddress } from '#web/entity/address.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { inSentence } from '#web/entity/in-sentence.ts'
import { useLabel } from '#web/entity/label.ts'
import { NameDialog } from '#web/entity/name-dialog.tsx'
import { RemovalText } from '#web/entity/removal-text.tsx'
import { usedByList } from '#web/entity/used-by-list.tsx'
import { PublishOneFlow } from '../publish/index.ts'
import type { AskedAction, FlowKind, FlowTask } from './flow-action.ts'

interface AskedDialogProps {
  readonly kind: FlowKind
  readonly task: FlowTask
  readonly what: AskedAction
  readonly row: Row
  /** Names that a copy cannot have. */
  readonly names: readonly string[]
  /** Of the flow, where they are known. */
  readonly blocks: number | undefined
  onClose(): void
  onRemoved?(row: Row): void
}

const RemoveDialog = ({ kind, task, row, blocks, onClose, onRemoved }: AskedDialogProps) => {
  const { t } = useTranslation('shell')
  const { t: words } = useTranslation('designer')
  const label = useLabel()
  const command = useEntityCommand(entityOf(kind))
  const remove = async () => {
    try {
      await command.remove(row)
    } catch (error) {
      throw new Error(failureOf(error, words(`failure.remove.${kind}`)), { cause: error })
    }
    onRemoved?.(row)
  }
  return (
    <ConfirmDialog
      details={usedByList}
      title={t('removetitle', { kind: inSentence(label.name(kind)), name: String(row.name) })}
      action={t('remove')}
      onClose={onClose}
      onConfirm={remove}
    >
      <RemovalText entity={kind} id={row.id} bot={task.bot} blocks={blocks} />
    </ConfirmDialog>
  )
}

/** Asks for what an action of the list still needs: a name, a yes, or what is published along. */
export const AskedDialog = (props: AskedDialogProps) => {
  const { kind, task, what, row, names, onClose } = props
  const openAt = (id: string) => flowAddress(kind, id, { bot: task.bot })
  switch (what) {
    case 'rename':
      return <NameDialog entity={kind} fixed={{}} row={row} onClose={onClose} />
    case 'duplicate':
      return <NameDialog entity={kind} fixed={{}} copied={{ row, names }} openAt={openAt} onClose={onClose} />
    case 'publish':
      return <PublishOneFlow kind={kind} row={row} bot={task.bot} onClose={onClose} />
    case 'remove':
      return <RemoveDialog {...props} />
    default:
      return what satisfies never
  }
}
