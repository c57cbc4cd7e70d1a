import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { notice } from '#web/notice/notice.ts'

interface RunAll {
  /** Undefined while none is run. */
  readonly progress: { readonly done: number; readonly of: number } | undefined
  run(tests: readonly Row[]): Promise<void>
  stop(): void
}

/** Runs tests one after another and keeps what each came to. */
export const useRunAll = (): RunAll => {
  const { t } = useTranslation('conversationtest')
  const client = useQueryClient()
  const [progress, setProgress] = useState<RunAll['progress']>()
  const isStopped = useRef(false)
  const run = async (tests: readonly Row[]) => {
    isStopped.current = false
    let passed = 0
    let done = 0
    setProgress({ done, of: tests.length })
    try {
      for (const { id } of tests) {
        if (isStopped.current) break
        const answer = await http.post('/{entity}/{id}/{action}', {
          params: { entity: 'conversationtest', id, action: 'run' },
          body: {},
        })
        done += 1
        if ((answer.result as { readonly passed?: boolean } | undefined)?.passed === true) passed += 1
        setProgress({ done, of: tests.length })
      }
      const tone = passed === done ? 'positive' : 'danger'
      notice.toast(t('ran', { passed, count: done }), { tone })
    } catch (error) {
      notice.toast(failureOf(error, t('notrun')), { tone: 'danger' })
    }
    setProgress(undefined)
    await client.invalidateQueries({ queryKey: ['conversationtest'] })
  }
  return {
    progress,
    run,
    stop: () => {
      isStopped.current = true
    },
  }
}
