import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '#web/api/failure.ts'

/** Arguments of a call that uploads. */
export interface UploadOptions {
  readonly signal: AbortSignal
  readonly onProgress: (share: number) => void
}

type Work = (options: UploadOptions) => Promise<unknown>

/** One upload: how much of it is sent, and why it failed. */
export interface UploadProgress {
  /** From 0 to 1; undefined: nothing is sent. */
  readonly share: number | undefined
  /** Reason of a failure, in the person's language. */
  readonly error: string | undefined
  /** Undefined while it cannot be cancelled any more. */
  readonly cancel: (() => void) | undefined
  /** Sends the same again; undefined where that is of no use. */
  readonly retry: (() => void) | undefined
}

interface UseUploadProgress extends UploadProgress {
  readonly busy: boolean
  readonly fail: (reason: string | undefined) => void
  /** Runs an upload. `reasonOf`: words for a refusal of the server. */
  readonly run: (work: Work, reasonOf?: (failure: unknown) => string | undefined) => Promise<void>
}

/** The server did not answer: whether it has the file is not known. */
export const isCut = (failure: unknown): boolean =>
  isProblem(failure) && (failure.code === 'network' || failure.status >= 502)

/** Progress of an upload, its cancellation, and its repetition after a cut connection. An upload ends with its screen. */
export const useUploadProgress = (): UseUploadProgress => {
  const { t } = useTranslation('shell')
  const [share, setShare] = useState<number>()
  const [error, setError] = useState<string>()
  const [again, setAgain] = useState<() => void>()
  const current = useRef<AbortController>(undefined)
  useEffect(() => () => current.current?.abort(), [])

  const run: UseUploadProgress['run'] = async (work, reasonOf = () => undefined) => {
    current.current?.abort()
    const controller = new AbortController()
    current.current = controller
    const { signal } = controller
    setError(undefined)
    setAgain(undefined)
    setShare(0)
    try {
      await work({ signal, onProgress: sent => signal.aborted || setShare(sent) })
    } catch (failure) {
      if (signal.aborted) return
      const reason = isProblem(failure) ? (failure.errors[0]?.message ?? failure.message) : t('error.noanswer')
      setError(isCut(failure) ? t('progress.cut') : (reasonOf(failure) ?? reason))
      if (isCut(failure)) setAgain(() => () => void run(work, reasonOf))
    } finally {
      if (current.current === controller) {
        current.current = undefined
        setShare(undefined)
      }
    }
  }
  const cancel = () => {
    current.current?.abort()
    current.current = undefined
    setShare(undefined)
  }
  return { share, error, retry: again, busy: share !== undefined, cancel, fail: setError, run }
}
