import { Button, HStack, Text } from '@chakra-ui/react'
import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '#web/api/failure.ts'
import { IconButton } from './hint.tsx'
import { ProgressBar } from './progress-bar.tsx'

/** Arguments of a call that uploads. */
export interface UploadOptions {
  readonly signal: AbortSignal
  readonly onProgress: (share: number) => void
}

type Work = (options: UploadOptions) => Promise<unknown>

/** One upload: how much of it is sent, and why it failed. */
interface UploadState {
  /** From 0 to 1; undefined: nothing is sent. */
  readonly share: number | undefined
  /** Reason of a failure, in the person's language. */
  readonly error: string | undefined
  /** Undefined while it cannot be cancelled any more. */
  readonly cancel: (() => void) | undefined
  /** Sends the same again; undefined where that is of no use. */
  readonly retry: (() => void) | undefined
}

interface UseUploadProgress extends UploadState {
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

interface UploadProgressProps extends UploadState {
  /** Id of the error, for fields that it describes. */
  readonly id?: string
}

/** Under a control that uploads: the percentage that is sent with a way to cancel, or why it failed with a way to repeat. */
export const UploadProgress = ({ id, share, error, cancel, retry }: UploadProgressProps) => {
  const { t } = useTranslation('shell')
  if (share !== undefined) {
    const percent = Math.floor(share * 100)
    const text = percent < 100 ? t('progress.sending', { percent }) : t('progress.checking')
    return (
      <HStack gap="2" mt="1" minW="180px" maxW="320px">
        <ProgressBar label={t('progress.title')} percent={percent} text={text} flex="1" />
        <Text textStyle="secondary" color="fg.muted" whiteSpace="nowrap">
          {text}
        </Text>
        {cancel === undefined ? null : (
          <IconButton icon={X} iconSize={14} label={t('progress.cancel')} onClick={cancel} />
        )}
      </HStack>
    )
  }
  if (error === undefined) return null
  return (
    <HStack gap="2" mt="1" flexWrap="wrap">
      <Text id={id} role="alert" textStyle="secondary" color="danger.fg">
        {error}
      </Text>
      {retry === undefined ? null : (
        <Button size="xs" onClick={retry}>
          {t('progress.again')}
        </Button>
      )}
    </HStack>
  )
}
