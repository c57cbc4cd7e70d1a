import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { notice } from '#web/notice/notice.ts'

export type TestAnswer = AnswerOf<'POST /channel/{id}/test'>

/**
 * Connection tests of channels with their last answers; a test also renews the health, which depends on the token. To
 * connect registers the channel's address at its provider, and tests.
 */
export const useChannelTests = () => {
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  const [answers, setAnswers] = useState<ReadonlyMap<string, TestAnswer>>(new Map())
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const run = async (id: string, path: 'test' | 'connect'): Promise<TestAnswer | undefined> => {
    setBusy(before => new Set(before).add(id))
    try {
      const answer = await http.post(`/channel/{id}/${path}`, { params: { id } })
      setAnswers(before => new Map(before).set(id, answer))
      await client.invalidateQueries({ queryKey: ['channel'] })
      return answer
    } catch (error) {
      notice.toast(isProblem(error) && error.status > 0 ? error.message : t('error.noanswer'), { tone: 'danger' })
      return undefined
    } finally {
      setBusy(before => new Set([...before].filter(each => each !== id)))
    }
  }
  return { answers, busy, test: (id: string) => run(id, 'test'), connect: (id: string) => run(id, 'connect') }
}
