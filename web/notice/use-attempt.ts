import { useState } from 'react'
import { failureOf } from '#web/api/failure.ts'
import { notice } from './notice.ts'

type Work = () => Promise<unknown>

const useWork = (failed: (error: unknown) => void) => {
  const [isBusy, setBusy] = useState(false)
  const attempt = async (work: Work): Promise<void> => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      failed(error)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, attempt }
}

/** Runs the work of a button and keeps the message of its last failure. `couldNot`: message of a failure without a reason. */
export const useAttempt = (couldNot: string) => {
  const [failure, setFailure] = useState<string>()
  const { isBusy, attempt } = useWork(error => setFailure(failureOf(error, couldNot)))
  return {
    isBusy,
    failure,
    attempt(work: Work): Promise<void> {
      setFailure(undefined)
      return attempt(work)
    },
  }
}

/** Shows a failure as a notice. */
export const useNoticedAttempt = (couldNot: string) =>
  useWork(error => notice.toast(failureOf(error, couldNot), { tone: 'danger' }))
