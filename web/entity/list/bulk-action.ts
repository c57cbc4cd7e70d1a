import { ICONS } from 'virtual:icon/../schemas/entities/*.ts'
import { CirclePause, CirclePlay, type LucideIcon, Trash2, Undo2, Zap } from 'lucide-react'
import { actionsAt, type EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Session } from '#web/api/session.ts'

export interface BulkAction {
  /** Key of its texts, or name of a declared action. */
  readonly id: string
  /** Name in the API. */
  readonly action: string
  readonly input?: JsonObject
  readonly icon: LucideIcon
  readonly isDeclared?: true
  readonly isDanger?: true
}

const ENABLED = 'enabled'

const iconOf = ({ actions }: EntityDeclaration, name: string) => ICONS[actions[name]?.icon ?? ''] ?? Zap

/** The bulk actions of an entity that a person may do; in the list of what was removed: bringing back. */
export const bulkActions = (
  entity: EntityDeclaration,
  can: Session['can'],
  isRemoved: boolean,
): readonly BulkAction[] => {
  const mayChange = can(`update${entity.name}`)
  if (isRemoved) return mayChange ? [{ id: 'restore', action: 'restore', icon: Undo2 }] : []
  const enabled = entity.fields[ENABLED]
  const canBeEnabled = mayChange && enabled?.kind === 'boolean' && !enabled.readonly && !enabled.fixed
  return [
    ...(canBeEnabled
      ? [
          { id: 'enable', action: 'change', input: { [ENABLED]: true }, icon: CirclePlay },
          { id: 'disable', action: 'change', input: { [ENABLED]: false }, icon: CirclePause },
        ]
      : []),
    ...actionsAt(entity, 'bulk')
      .filter(action => can(action + entity.name))
      .map(action => ({ id: action, action, icon: iconOf(entity, action), isDeclared: true as const })),
    ...(can(`delete${entity.name}`) ? [{ id: 'remove', action: 'remove', icon: Trash2, isDanger: true as const }] : []),
  ]
}
