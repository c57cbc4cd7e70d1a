import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { notice } from '#web/notice/notice.ts'

/** Takes one who waits out of the queue of an agent channel, or all. Needs the texts of `agentchannel`. */
export const useClearQueue = (channel: string) => {
  const { t } = useTranslation('entity/agentchannel')
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const clear = async (conversation?: string) => {
    setBusy(true)
    try {
      const body = conversation === undefined ? {} : { conversation }
      const { cleared } = await http.post('/agentchannel/{id}/clearqueue', { params: { id: channel }, body })
      notice.snack(t('queue.cleared', { count: cleared }), { tone: 'positive' })
      await client.invalidateQueries({ queryKey: ['agentchannel', 'queue', channel] })
      await client.invalidateQueries({ queryKey: ['conversation'] })
    } catch (error) {
      notice.toast(failureOf(error, t('queue.notcleared')), { tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, clear }
}
