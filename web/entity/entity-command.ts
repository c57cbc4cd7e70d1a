import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AnswerOf, BodyOf } from '#schemas/api/routes.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { isProblem } from '#web/api/problem.ts'
import { notice } from '#web/notice/notice.ts'
import { type Said, useTellCleared } from './cleared-references.ts'
import type { Row } from './entity-query.ts'
import { useLabel } from './label.ts'

const removeRow = async (entity: EntityDeclaration, { id }: Row, couldNot: string | undefined) => {
  const body = entity.confirm ? { confirm: 'CONFIRM' as const } : undefined
  try {
    return await http.delete('/{entity}/{id}', { params: { entity: entity.name, id }, body })
  } catch (error) {
    throw couldNot === undefined ? error : new Error(failureOf(error, couldNot), { cause: error })
  }
}

/** The writes of one entity, each with its notice and with everything that shows it read again. */
export const useEntityCommand = (entity: EntityDeclaration) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const client = useQueryClient()
  const tellCleared = useTellCleared(entity)
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

  /** `said`: what is said when it is done, with the references that could not come back. */
  const restore = async (row: Row, revision: number, fields?: readonly string[], said?: Said) => {
    const done = await http.post('/{entity}/{id}/restore', {
      params: { entity: entity.name, id: row.id },
      body: {
        revision,
        ...(fields ? { fields } : {}),
      },
    })
    await refresh()
    if (tellCleared(done.cleared, said ?? { text: t('broughtback', { name: title(row) }) })) return
    if (said !== undefined) notice.snack(said.text, said.options)
  }
  /** Removing, with the way back in the notice. */
  const remove = async (row: Row) => {
    const { revision } = await removeRow(entity, row, label.message(entity.name, 'message.notremoved'))
    await refresh()
    notice.snack(label.message(entity.name, 'message.removed') ?? t('removed', { name: title(row) }), {
      action: { label: t('undo'), run: () => void restore(row, revision - 1).catch(failed) },
    })
  }
  const bringBack = async (row: Row) => {
    try {
      const said: Said = { text: t('broughtback', { name: title(row) }), options: { tone: 'positive' } }
      await restore(row, Math.max(1, row.revision - 1), undefined, said)
    } catch (error) {
      failed(error)
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
  /** With what is said where it could not be done and the server does not say why. */
  const act = async (
    row: Row,
    action: string,
    body: BodyOf<'POST /{entity}/{id}/{action}'> = {},
    couldNot?: string,
  ): Promise<AnswerOf<'POST /{entity}/{id}/{action}'> | undefined> => {
    try {
      return await perform(row, action, body)
    } catch (error) {
      failed(error, couldNot)
      return undefined
    }
  }
  return { refresh, restore, remove, bringBack, perform, act, failed }
}
