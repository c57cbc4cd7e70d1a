import { Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { numberText } from '#web/format/number.ts'
import { notice } from '#web/notice/notice.ts'

type ContactJob = AnswerOf<'GET /contactjob/{id}'>

const READ_EVERY_MS = 500

/** Work over many contacts: starts it, follows its progress, reads contacts again at its end, and says what was done. */
export const useContactJob = (kind: 'bulk' | 'fill', onEnd: () => void) => {
  const { t } = useTranslation('contact')
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
  const ended = useEffectEvent(({ state, count }: ContactJob) => {
    void client.invalidateQueries({ queryKey: ['contact'] })
    setStarted(undefined)
    if (state === 'failed') return setError(t(`${kind}.failed`))
    notice.snack(t(`${kind}.done`, { count: count ?? 0, shown: numberText(count ?? 0) }), { tone: 'positive' })
    onEnd()
  })
  useEffect(() => {
    if (job !== undefined && job.state !== 'running') ended(job)
  }, [job])
  const start = async (begin: () => Promise<ContactJob>) => {
    setStarting(true)
    setError(undefined)
    try {
      setStarted(await begin())
    } catch (failure) {
      setError(failureOf(failure, t(`${kind}.failed`)))
    } finally {
      setStarting(false)
    }
  }
  const progress =
    job !== undefined && isRunning
      ? t('bulk.running', { done: numberText(job.done), total: numberText(job.total) })
      : undefined
  return { progress, isRunning, error, start }
}

/** Progress of the work in a dialog, and its error. */
export const ContactJobState = ({ progress, error }: Pick<ReturnType<typeof useContactJob>, 'progress' | 'error'>) => (
  <>
    {progress === undefined ? null : (
      <Text role="status" textStyle="dense" color="fg.muted">
        {progress}
      </Text>
    )}
    <ErrorLine text={error} />
  </>
)
