import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { flowAddress } from '#web/entity/address.ts'
import { untestedPrompt } from '#web/entity/untested.ts'
import { useDesigner } from '../session/designer.ts'

/** Publishes a revision of a flow, else its newest; `reason`: why it goes live although tests fail. */
export const publishRevision = (
  { kind, id }: ReturnType<typeof useDesigner>['address'],
  body: { readonly flowrevision?: number; readonly again?: true },
  reason?: string,
) =>
  http.post('/{entity}/{id}/{action}', {
    params: { entity: kind, id, action: reason === undefined ? 'publish' : 'publishuntested' },
    body: { ...body, ...(reason === undefined ? {} : { reason }) },
  })

/**
 * Makes a revision of the open flow live that was published before; a notice says so, with a way back to `from`. Asks for a
 * reason where errors or tests hold it back. Answers whether it is live.
 */
export const useRollback = () => {
  const { t } = useTranslation('designer')
  const { address, notice, said } = useDesigner()
  const client = useQueryClient()
  const publish = async (flowrevision: number, reason?: string) => {
    await publishRevision(address, { flowrevision, again: true }, reason)
    await client.invalidateQueries({ queryKey: [address.kind] })
  }
  /** Whether it was done, after a question where something holds it back. */
  const attempt = async (to: number): Promise<boolean> => {
    try {
      await publish(to)
      return true
    } catch (error) {
      return untestedPrompt.ask(error, {
        entity: address.kind,
        name: String(to),
        what: 'rollback',
        place: flowAddress(address.kind, address.id, { at: to }),
        goOn: reason => publish(to, reason),
      })
    }
  }
  const rollBack = async (to: number, from: number): Promise<boolean> => {
    notice.set({ text: t('rollback.busy', { revision: to }), tone: 'busy' })
    try {
      if (!(await attempt(to))) {
        notice.set({ text: t('rollback.left', { revision: from }) })
        return false
      }
      const text = t('rollback.done', { revision: to })
      said.set(text)
      notice.set({ text, action: { label: t('rollback.undo'), run: () => void rollBack(from, to) } })
      return true
    } catch (error) {
      notice.set({ text: failureOf(error, t('rollback.failed', { revision: to })), tone: 'failed' })
      return false
    }
  }
  return rollBack
}
