import type { EventStore } from '#commands/store/port.ts'
import type { Parts } from '../port.ts'
import { createSample, SampleRefused, sampleIds } from './create-sample.ts'
import { openSampleLog } from './sample-log.ts'
import { trainSample } from './train-sample.ts'

type SampleParts = Pick<Parts, 'keys' | 'lookup' | 'log' | 'commands' | 'read' | 'nlu'>

/** The sample workspace of a store, made in the background once the gateway is ready. */
interface Sample {
  begin(parts: SampleParts): void
  /** Releases the store; the next start resumes. */
  stop(): Promise<void>
}

/** To be called before anything is written: a store that holds nothing yet gets a sample, and no other. */
export const openSample = async (store: EventStore, isWanted: boolean): Promise<Sample> => {
  const progress = isWanted ? await openSampleLog(store) : undefined
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()

  const run = async ({ keys, lookup, log, ...parts }: SampleParts): Promise<void> => {
    const now = await progress?.begun()
    if (progress === undefined || now === undefined) return
    const started = performance.now()
    try {
      const { resumed, isOurs } = progress
      const { signal } = stopping
      if (!(await createSample({ store, keys, lookup, now, resumed, signal, isOurs }))) return
      log.info({ ms: Math.round(performance.now() - started) }, 'the sample workspace is there')
      const project = sampleIds(store)('nluproject', 'saude')
      if (!(await trainSample({ ...parts, project, signal }))) return
    } catch (error) {
      if (!(error instanceof SampleRefused)) throw error
      log.warn(error, 'the sample workspace is not complete')
    }
    await progress.finish()
  }

  return {
    begin(parts) {
      running = run(parts).catch(error => parts.log.error(error, 'the sample workspace goes on at the next start'))
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
