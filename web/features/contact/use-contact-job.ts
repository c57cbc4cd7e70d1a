import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'

type ContactJob = AnswerOf<'GET /contactjob/{id}'>

const READ_EVERY_MS = 500

/** Work over many contacts: starts it, follows its progress, and reads contacts again at its end. */
export const useContactJob = (failed: string, onEnd?: (job: ContactJob) => void) => {
  const client = useQueryClient()
  const [started, setStarted] = useState<ContactJob>()
  const [error, setError] = useState<string>()
  const [isStarting, setStarting] = useState(false)
  const { data } = useQuery({
    queryKey: ['contactjob', started?.id],
    queryFn: ({ signal }) => http.get('/contactjob/{id}', { params: { id: started?.id ?? '' }, signal }),
    enabled: started !== undefined,
    refetchInterval: query =>
      query.state.data?.state === 'running' || query.state.data === undefined ? READ_EVERY_MS : false,
    gcTime: 0,
  })
  const job = started === undefined ? undefined : (data ?? started)
  const isRunning = isStarting || job?.state === 'running'
  useEffect(() => {
    if (job === undefined || job.state === 'running') return
    void client.invalidateQueries({ queryKey: ['contact'] })
    if (job.state === 'failed') setError(failed)
    else onEnd?.(job)
    setStarted(undefined)
  }, [job, client, failed, onEnd])
  const start = async (begin: () => Promise<ContactJob>) => {
    setStarting(true)
    setError(undefined)
    try {
      setStarted(await begin())
    } catch (failure) {
      setError(failureOf(failure, failed))
    } finally {
      setStarting(false)
    }
  }
  return { job, isRunning, error, start }
}
