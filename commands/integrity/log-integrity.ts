import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { append, draft, NO_STREAM } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { type LogSealed, type LogVerified, logVerifiedSchema, VERIFICATION_STREAM } from '#schemas/events/seal.ts'
import { type Settings, withoutSettings } from '#schemas/settings.ts'
import { newestSeal, openSealer } from './sealer.ts'
import { signerOf } from './signing.ts'
import type { FromVerify, VerifyData } from './verify-worker.ts'

interface Verified {
  readonly time: string
  /** User id. */
  readonly actor: string | null
  readonly result: LogVerified
}

interface Running {
  readonly since: string
  readonly actor: string | null
}

interface IntegrityLog {
  warn(line: string): void
  info(fields: object, line: string): void
  error(cause: unknown, line?: string): void
}

/** The log's seals and verifications, as one node makes them. */
export interface LogIntegrity {
  /** Public key of the seals. */
  readonly key: string
  /** Events that no seal covers yet. */
  readonly unsealed: number
  /** The verification under way on this node. */
  readonly running: Running | undefined
  newestSeal(): Promise<LogSealed | undefined>
  newestVerification(): Promise<Verified | undefined>
  /** Has the whole log read and checked by a worker; one at a time. The result is on record when it is there. */
  verify(actor: string | null, correlation: string): void
  close(): Promise<void>
}

interface Options {
  readonly settings: Settings
  readonly store: EventStore
  readonly keys: Parameters<typeof signerOf>[0]
  readonly log: IntegrityLog
}

const MINUTE = 60_000

export const openLogIntegrity = ({ settings, store, keys, log }: Options): LogIntegrity => {
  const signer = signerOf(keys)
  const every = { events: settings.SEAL_EVENTS, milliseconds: settings.SEAL_MINUTES * MINUTE }
  const sealer = openSealer({ store, signer, every, log: line => log.warn(line) })
  let running: (Running & { readonly worker: Worker; readonly over: Promise<void> }) | undefined

  const verify = async (worker: Worker, actor: string | null, correlation: string): Promise<void> => {
    try {
      const answer = await answerOf(worker)
      if ('failed' in answer) log.error(`The log could not be verified (${answer.failed})`)
      else {
        const { amiss, milliseconds } = answer.verified
        log.info({ amiss, milliseconds }, 'the log was verified')
        await record(store, answer.verified, actor, correlation)
      }
    } catch (error) {
      log.error(error, 'the log could not be verified')
    }
    running = undefined
  }

  return {
    key: signer.key,
    get unsealed() {
      return sealer.unsealed
    },
    get running() {
      return running
    },
    newestSeal: async () => (await newestSeal(store))?.seal,
    newestVerification: async () => {
      const event = await newestOf(store)
      if (event === undefined) return undefined
      return { time: event.time, actor: event.actor, result: logVerifiedSchema.parse(event.data) }
    },
    verify(actor, correlation) {
      if (running !== undefined) return
      const workerData: VerifyData = { settings, key: signer.key }
      const worker = new Worker(new URL('./verify-worker.ts', import.meta.url), {
        workerData,
        env: withoutSettings(process.env),
      })
      const since = new Date().toISOString()
      running = { since, actor, worker, over: verify(worker, actor, correlation) }
    },
    async close() {
      await running?.worker.terminate()
      await running?.over
      await sealer.close()
    },
  }
}

const answerOf = (worker: Worker): Promise<FromVerify> =>
  new Promise((resolve, reject) => {
    worker.once('message', resolve).once('error', reject)
    worker.once('exit', () => resolve({ failed: 'it was ended' }))
  })

const newestOf = async (store: EventStore): Promise<StoredEvent | undefined> => {
  for await (const event of store.read(VERIFICATION_STREAM, { direction: 'backwards', limit: 1 })) return event
  return undefined
}

const record = async (
  store: EventStore,
  result: LogVerified,
  actor: string | null,
  correlation: string,
): Promise<void> => {
  const tail = (await newestOf(store)) ?? NO_STREAM
  const author = { seed: randomUUID(), actor, time: new Date().toISOString(), correlation, causation: null }
  await append(store, VERIFICATION_STREAM, tail, [draft(author, 'verified', 'LogVerified', null, result)])
}
