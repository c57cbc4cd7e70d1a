import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useDesigner } from '../session/designer.ts'

/** Makes a revision of the open flow live that was published before; a notice says so, with a way back to `from`. */
export const useRollback = () => {
  const { t } = useTranslation('designer')
  const { address, notice, said } = useDesigner()
  const client = useQueryClient()
  const rollBack = async (to: number, from: number): Promise<void> => {
    notice.set({ text: t('rollback.busy', { revision: to }), tone: 'busy' })
    try {
      await http.post('/{entity}/{id}/{action}', {
        params: { entity: address.kind, id: address.id, action: 'publish' },
        body: { flowrevision: to, again: true },
      })
      await client.invalidateQueries({ queryKey: [address.kind] })
      const text = t('rollback.done', { revision: to })
      said.set(text)
      notice.set({ text, action: { label: t('rollback.undo'), run: () => void rollBack(from, to) } })
    } catch (error) {
      notice.set({ text: failureOf(error, t('rollback.failed', { revision: to })), tone: 'failed' })
    }
  }
  return rollBack
}
