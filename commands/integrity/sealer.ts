import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { StoredEvent } from '#schemas/event.ts'
import { SEAL_STREAM } from '#schemas/events/seal.ts'
import { append } from '../pipeline/append.ts'
import { draft } from '../pipeline/event-draft.ts'
import { type EventStore, START, type Subscription, WrongRevision } from '../store/port.ts'
import { NO_STREAM, type Tail } from './hash-chain.ts'
import { isOutside, newestSeal, Segment } from './segment.ts'
import type { Signer } from './signing.ts'

interface SealerOptions {
  readonly store: EventStore
  readonly signer: Signer
  /** A seal is made after this many events, and after this long when there were any. */
  readonly every: { readonly events: number; readonly milliseconds: number }
  /** One line when sealing has to wait. */
  readonly log?: (line: string) => void
  readonly now?: () => Date
}

/** Seals the log as it grows. Of several nodes each seal is made by one. */
interface Sealer {
  /** Events that no seal covers yet. */
  readonly unsealed: number
  /** Seals the remaining events, then releases the store. */
  close(): Promise<void>
}

/** State that the next seal links to. */
interface Joint {
  readonly log: string
  readonly total: number
  readonly tail: Tail
  /** Position of the last event that is sealed. */
  readonly after: string
}

/** An append holds at most 1 MiB. */
const MAX_BYTES = 600_000
const MAX_PAUSE_MS = 60_000

export const openSealer = (options: SealerOptions): Sealer => {
  const { store, signer, every, now = () => new Date() } = options
  let segment = new Segment()
  let joint: Joint | undefined
  let subscription: Subscription | undefined
  let sealing: Promise<void> | undefined
  let failures = 0
  let closed = false

  /** Starts at the newest seal of any node. */
  const begin = async (): Promise<void> => {
    await subscription?.stop()
    segment = new Segment()
    joint = await jointOf(store)
    if (closed) return
    subscription = store.subscribe(joint.after, {
      event: take,
      ended: error => {
        if (error !== undefined && !closed) void again(error)
      },
    })
  }

  /** A full segment holds back what comes after it until it is sealed. */
  const take = (event: StoredEvent): void | Promise<void> => {
    if (event.stream === SEAL_STREAM || isOutside(event.stream)) return
    segment.add(event)
    if (segment.events >= every.events || segment.size >= MAX_BYTES) return seal()
  }

  const seal = async (): Promise<void> => {
    await sealing
    if (joint === undefined || segment.events === 0) return
    const full = segment
    segment = new Segment()
    sealing = write(store, signer, joint, full, now())
      .then(next => {
        joint = next
        failures = 0
      })
      .catch(error => {
        joint = undefined
        if (!closed) void again(error)
      })
    await sealing
    sealing = undefined
  }

  /** Another node was faster or the store failed: reads unsealed events again. */
  const again = async (error: Error): Promise<void> => {
    if (!(error instanceof WrongRevision)) options.log?.(`The log cannot be sealed for now (${error.message})`)
    await pause(Math.min(1000 * 2 ** failures, MAX_PAUSE_MS) * (0.5 + Math.random()), undefined, { ref: false })
    failures += 1
    if (!closed) await begin().catch(again)
  }

  begin().catch(again)
  const timer = setInterval(() => void seal(), every.milliseconds).unref()
  return {
    get unsealed() {
      return segment.events
    },
    async close() {
      clearInterval(timer)
      await subscription?.stop()
      closed = true
      await seal()
    },
  }
}

const jointOf = async (store: EventStore): Promise<Joint> => {
  const newest = await newestSeal(store)
  if (newest === undefined) return { log: store.id, total: 0, tail: NO_STREAM, after: START }
  const { log, total, last } = newest.seal
  const { revision, hash } = newest.event
  for await (const { position } of store.read(last.stream, { from: last.revision, limit: 1 }))
    return { log, total, tail: { revision, hash }, after: position }
  throw new Error(`${last.stream} ends before revision ${last.revision}, which is sealed`)
}

const write = async (store: EventStore, signer: Signer, joint: Joint, full: Segment, now: Date): Promise<Joint> => {
  const { log, total, tail } = joint
  const time = now.toISOString()
  const contents = full.close()
  const number = tail.revision + 1
  const sealed = signer.sign({
    log,
    number,
    time,
    previous: tail.hash,
    total: total + contents.events,
    ...contents,
  })
  const seed = randomUUID()
  const author = { seed, actor: null, time, correlation: seed, causation: null }
  const written = await append(store, SEAL_STREAM, tail, [draft(author, 'sealed', 'LogSealed', null, sealed)])
  return { ...joint, total: sealed.total, tail: { revision: written.revision, hash: written.hash } }
}
