import { CopyPlus, History, Pencil, Star, Trash2, Undo2, Upload } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { entityOf } from '#schemas/entities/registry.ts'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import type { MenuAction } from '#web/components/action-menu.tsx'
import { flowAddress } from '#web/entity/address.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { useLabel } from '#web/entity/label.ts'

export type FlowKind = 'dialog' | 'handler'

export type FlowEntry = RowOf<FlowKind>

/** Task data that a list of flows needs. */
export interface FlowTask {
  readonly id: string
  readonly bot: string
  readonly principaldialog: string | null
}

/** Actions with a dialog. */
export type DialogAction = 'rename' | 'duplicate' | 'remove' | 'publish'

interface Listed {
  readonly kind: FlowKind
  readonly task: FlowTask
  readonly onMain?: ((dialog: FlowEntry) => void) | undefined
  readonly onAsk: (what: DialogAction, row: FlowEntry) => void
}

/** Actions on a flow of the list that the user's rights permit. */
export const useFlowActions = ({ kind, task, onMain, onAsk }: Listed): ((row: FlowEntry) => readonly MenuAction[]) => {
  const { t } = useTranslation('shell')
  const { t: words } = useTranslation('designer')
  const label = useLabel()
  const { can } = useSession()
  const navigate = useNavigate()
  const command = useEntityCommand(entityOf(kind))
  return row => {
    const asks = (id: DialogAction) => ({ id, run: () => onAsk(id, row) })
    const isMain = task.principaldialog === row.id
    const actions: readonly (MenuAction & { readonly if: boolean })[] = [
      { ...asks('publish'), if: can(`publish${kind}`), icon: Upload, label: label.action(kind, 'publish') },
      {
        id: 'unpublish',
        if: can(`unpublish${kind}`) && row.published,
        icon: Undo2,
        label: label.action(kind, 'unpublish'),
        run: () => void command.act(row, 'unpublish', {}, words(`failure.unpublish.${kind}`)),
      },
      {
        id: 'main',
        if: onMain !== undefined && !isMain && can('updatedialogtask'),
        icon: Star,
        label: t('task.makemain'),
        run: () => onMain?.(row),
      },
      { ...asks('rename'), if: can(`update${kind}`), separated: true, icon: Pencil, label: t('renameaction') },
      { ...asks('duplicate'), if: can(`duplicate${kind}`), icon: CopyPlus, label: label.action(kind, 'duplicate') },
      {
        id: 'history',
        if: true,
        icon: History,
        label: t('history'),
        run: () => void navigate(flowAddress(kind, row.id, { bot: task.bot, history: true })),
      },
      {
        ...asks('remove'),
        // A global handler belongs to the whole bot.
        if: can(`delete${kind}`) && !('global' in row && row.global),
        separated: true,
        danger: true,
        icon: Trash2,
        label: t('remove'),
      },
    ]
    return actions.filter(action => action.if).map(({ if: _, ...action }) => action)
  }
}
