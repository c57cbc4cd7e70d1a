import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import type { AnswerOf, BodyOf } from '#schemas/api/routes.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { type NoticeOptions, notice } from '#web/notice/notice.ts'
import type { Row } from './entity-query.ts'
import { useLabel } from './label.ts'
import { untestedPrompt } from './untested.ts'

const clearedSchema = z.array(
  z.object({ path: z.string(), of: z.object({ entity: z.string(), id: z.string() }).optional() }),
)

interface Said {
  readonly text: string
  readonly options?: NoticeOptions
}

/** Reports references cleared because their target was removed. Returns false if there were none. */
export const useClearedReferencesNotice = (entity: EntityDeclaration) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  return (cleared: unknown, { text, options = {} }: Said): boolean => {
    const parsed = clearedSchema.safeParse(cleared)
    if (!parsed.success || parsed.data.length === 0) return false
    const fields = parsed.data.map(({ path, of }) =>
      of === undefined ? label.field(entity.name, path) : `${label.name(of.entity)}: ${label.field(of.entity, path)}`,
    )
    const detail = t('clearedreferences', { fields: [...new Set(fields)].join(', ') })
    notice.toast(text, { ...options, tone: 'warning', detail })
    return true
  }
}

const removeRow = async (entity: EntityDeclaration, { id }: Row, couldNot: string) => {
  const body = entity.confirm ? { confirm: 'CONFIRM' as const } : undefined
  try {
    return await http.delete('/{entity}/{id}', { params: { entity: entity.name, id }, body })
  } catch (error) {
    // A refusal says itself why, with the list of what still uses it.
    if (isProblem(error) && error.status >= 400 && error.status < 500) throw error
    throw new Error(failureOf(error, couldNot), { cause: error })
  }
}

type Restored = AnswerOf<'POST /{entity}/{id}/restore'>

interface Restoring {
  readonly row: Row
  readonly revision: number
  readonly fields: readonly string[] | undefined
  readonly name: string
  refresh(): Promise<unknown>
}

/** Restores an earlier state, also of removed things; asks first when tests block it. */
const restoreRow = async (
  entity: EntityDeclaration,
  { row, revision, fields, name, refresh }: Restoring,
  tell: (cleared: Restored['cleared']) => void,
) => {
  const params = { entity: entity.name, id: row.id }
  const bring = async (more: { readonly reason?: string } = {}) => {
    const body = { revision, ...(fields ? { fields } : {}), ...more }
    const { cleared } = await http.post('/{entity}/{id}/restore', { params, body })
    await refresh()
    tell(cleared)
  }
  try {
    await bring()
  } catch (error) {
    await untestedPrompt.ask(error, { entity: entity.name, name, what: 'restore', goOn: reason => bring({ reason }) })
  }
}

/** Texts for failed writes without a reason from the server. */
const useNotDone = ({ name: entity }: EntityDeclaration) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  return {
    removed: (name: string) => label.message(entity, 'message.notremoved') ?? t('notremoved', { name }),
    broughtBack: (name: string) => t('notbroughtback', { name }),
    acted: (action: string, name: string) => t('notacted', { action: label.action(entity, action), name }),
  }
}

/** The writes of one entity, each with its notice and with everything that shows it read again. */
export const useEntityCommand = (entity: EntityDeclaration) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const client = useQueryClient()
  const tellCleared = useClearedReferencesNotice(entity)
  const notDone = useNotDone(entity)
  const title = (row: Row) => String(row[entity.title] ?? '')
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: [entity.name] }),
      client.invalidateQueries({ queryKey: ['home'] }),
      client.invalidateQueries({ queryKey: ['audit'] }),
    ])
  const failed = (error: unknown, couldNot?: string) => {
    const plain = isProblem(error) ? error.message : t('error.noanswer')
    notice.toast(couldNot === undefined ? plain : failureOf(error, couldNot), { tone: 'danger' })
  }

  /** `said`: success notice, extended by the references that were not restored. */
  const restore = async (row: Row, revision: number, fields?: readonly string[], said?: Said) => {
    const tell = (cleared: Restored['cleared']) => {
      if (tellCleared(cleared, said ?? { text: t('broughtback', { name: title(row) }) })) return
      if (said !== undefined) notice.snack(said.text, said.options)
    }
    await restoreRow(entity, { row, revision, fields, name: title(row), refresh }, tell)
  }
  /** Removing, with the way back in the notice. */
  const remove = async (row: Row) => {
    const { revision } = await removeRow(entity, row, notDone.removed(title(row)))
    await refresh()
    const undo = () => restore(row, revision - 1).catch(error => failed(error, notDone.broughtBack(title(row))))
    notice.snack(label.message(entity.name, 'message.removed') ?? t('removed', { name: title(row) }), {
      action: { label: t('undo'), run: () => void undo() },
    })
  }
  const bringBack = async (row: Row) => {
    try {
      const said: Said = { text: t('broughtback', { name: title(row) }), options: { tone: 'positive' } }
      await restore(row, Math.max(1, row.revision - 1), undefined, said)
    } catch (error) {
      failed(error, notDone.broughtBack(title(row)))
    }
  }
  /** A declared action; rejects with the refusal. */
  const perform = async (
    row: Row,
    action: string,
    body: BodyOf<'POST /{entity}/{id}/{action}'>,
  ): Promise<AnswerOf<'POST /{entity}/{id}/{action}'>> => {
    const done = await http.post('/{entity}/{id}/{action}', {
      params: { entity: entity.name, id: row.id, action },
      body,
    })
    // Publishing all of a task or applying a version changes things of other kinds too.
    await client.invalidateQueries()
    notice.snack(t('acted', { action: label.action(entity.name, action), name: title(row) }), { tone: 'positive' })
    return done
  }
  /** `couldNot`: text for a failure without a reason from the server. */
  const act = async (
    row: Row,
    action: string,
    body: BodyOf<'POST /{entity}/{id}/{action}'> = {},
    couldNot?: string,
  ): Promise<AnswerOf<'POST /{entity}/{id}/{action}'> | undefined> => {
    try {
      return await perform(row, action, body)
    } catch (error) {
      failed(error, couldNot ?? notDone.acted(action, title(row)))
      return undefined
    }
  }
  return { refresh, restore, remove, bringBack, perform, act, failed }
}
