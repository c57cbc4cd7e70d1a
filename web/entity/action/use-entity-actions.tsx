import { ICONS } from 'virtual:icon/../schemas/entities/*.ts'
import { Zap } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { actionsAt, type EntityAction, type EntityDeclaration, isOffered } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import { useSession } from '#web/api/session.ts'
import type { MenuAction } from '#web/components/action-menu.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { ActionDialog, visibleInputFields } from './action-dialog.tsx'

export type ActionAnswer = AnswerOf<'POST /{entity}/{id}/{action}'>

interface PendingAction {
  readonly name: string
  readonly action: EntityAction
  readonly row: Row
}

interface EntityActions {
  /** Actions available now for this row, person and place. */
  entries(row: Row, place: 'page' | 'row'): readonly MenuAction[]
  /** Dialog for input and confirmation of the chosen action. */
  readonly dialog: ReactNode
}

/** Icon of a declared action. */
const actionIcon = ({ icon }: EntityAction) => ICONS[icon] ?? Zap

const asksFirst = (action: EntityAction) => action.confirm !== undefined || visibleInputFields(action).length > 0

/** Declared actions of an entity in the console. `onDone` receives the answer. */
export const useEntityActions = (
  entity: EntityDeclaration,
  onDone?: (name: string, answer: ActionAnswer) => void,
): EntityActions => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const { can } = useSession()
  const command = useEntityCommand(entity)
  const [asked, setAsked] = useState<PendingAction>()
  const run = async ({ name, row }: PendingAction, body: JsonObject) => {
    const answer = await command.perform(row, name, body)
    onDone?.(name, answer)
  }
  const notDone = ({ name, row }: PendingAction) =>
    label.message(entity.name, `action.${name}.notdone`) ??
    t('notacted', { action: label.action(entity.name, name), name: label.title(entity, row) })
  const choose = (one: PendingAction) => {
    if (asksFirst(one.action)) setAsked(one)
    else void run(one, {}).catch(error => command.failed(error, notDone(one)))
  }
  const entries: EntityActions['entries'] = (row, place) =>
    actionsAt(entity, place).flatMap(name => {
      const action = entity.actions[name]
      if (action === undefined || !can(name + entity.name) || !isOffered(action, row)) return []
      return [
        {
          id: name,
          label: label.action(entity.name, name),
          icon: actionIcon(action),
          ...(action.danger === true ? { danger: true } : {}),
          run: () => choose({ name, action, row }),
        },
      ]
    })
  const verb = asked === undefined ? '' : label.action(entity.name, asked.name)
  const Icon = asked === undefined ? undefined : actionIcon(asked.action)
  const dialog =
    asked === undefined || Icon === undefined ? null : (
      <ActionDialog
        action={asked.action}
        title={t('actiontitle', { action: verb, name: label.title(entity, asked.row) })}
        text={label.question(entity.name, asked.name)}
        verb={verb}
        icon={<Icon size={18} aria-hidden="true" />}
        couldNot={notDone(asked)}
        texts={field => label.input(entity.name, asked.name, field)}
        onSubmit={body => run(asked, body)}
        onClose={() => setAsked(undefined)}
      />
    )
  return { entries, dialog }
}
