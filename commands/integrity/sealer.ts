import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { StoredEvent } from '#schemas/event.ts'
import { type Head, type LogSealed, logSealedSchema, SEAL_STREAM } from '#schemas/events/seal.ts'
import { append, draft, NO_STREAM, type Tail } from '../pipeline/append.ts'
import { type EventStore, START, type Subscription, WrongRevision } from '../store/port.ts'
import type { Signer, Unsigned } from './signing.ts'

export type Link = Pick<StoredEvent, 'stream' | 'revision' | 'hash'>
type Contents = Pick<Unsigned, 'events' | 'order' | 'last' | 'heads'>

/** Around a head's stream name in JSON: its hash, revision and quotes. */
const HEAD = 90

/** Events between two seals, in log order. */
class Segment {
  readonly #order = createHash('sha256')
  readonly #heads = new Map<string, Head>()
  #count = 0
  #size = 0
  #last: Link | undefined

  get events(): number {
    return this.#count
  }

  /** Roughly how large its seal will be, in bytes. */
  get size(): number {
    return this.#size
  }

  add(link: Link): void {
    const { stream, revision, hash } = link
    this.#order.update(hash)
    if (!this.#heads.has(stream)) this.#size += HEAD + stream.length
    this.#heads.set(stream, [stream, revision, hash])
    this.#count += 1
    this.#last = link
  }

  /** @throws RangeError when nothing was added */
  close(): Contents {
    if (this.#last === undefined) throw new RangeError('nothing was added')
    const { stream, revision } = this.#last
    return {
      events: this.#count,
      order: this.#order.digest('hex'),
      last: { stream, revision },
      heads: [...this.#heads.values()],
    }
  }
}

interface PlacedSeal {
  readonly seal: LogSealed
  readonly event: StoredEvent
}

/** The seal that the log ends its chain of seals with; undefined before the first. */
export const newestSeal = async (log: Pick<EventStore, 'read'>): Promise<PlacedSeal | undefined> => {
  for await (const event of log.read(SEAL_STREAM, { direction: 'backwards', limit: 1 }))
    return { seal: logSealedSchema.parse(event.data), event }
  return undefined
}

/** Streams that no seal covers, because taking them away is what they are for. */
export const OUTSIDE: readonly { readonly prefix: string; readonly reason: string }[] = [
  { prefix: 'request-', reason: 'answers kept for idempotency keys, removed after a day' },
  { prefix: 'origin-', reason: 'addresses and browsers of sessions and attempts to sign in, removed after 90 days' },
  { prefix: 'conversation-', reason: 'conversations, removed when they have been kept long enough' },
  { prefix: 'delivery-', reason: 'what became of messages of conversations, removed with them' },
  { prefix: 'deskplace-', reason: 'state and places of agents, as often as chats are given' },
  { prefix: 'deskrouter-', reason: 'which node gives out the chats of a queue, the newest alone' },
  { prefix: 'inbox-', reason: 'what providers of channels told, removed once they do not tell it again' },
  { prefix: 'conversationday-', reason: 'sums of conversations that were removed' },
  { prefix: 'botuser-', reason: 'what bots keep of people, removed with them' },
  { prefix: 'chatperson-', reason: 'which conversation of a person is the newest, an id alone' },
  { prefix: 'campaignrun-', reason: 'what is sent of a campaign, very many events in little time' },
  { prefix: 'receipts-', reason: 'what became of messages of campaigns, as often as Meta tells it' },
  { prefix: 'sender-', reason: 'which node sends from a number, the newest alone' },
  {
    prefix: 'audience-',
    reason: 'who is in the audience of a campaign, under keys that are destroyed when people are forgotten',
  },
  { prefix: 'uploadrows-', reason: 'what an upload read, under the same keys' },
  { prefix: 'suppression-', reason: 'who gets no campaigns' },
  { prefix: 'contactkeys-', reason: 'keys of contacts, written again without the keys of those who are forgotten' },
  { prefix: 'alert-', reason: 'alerts on their way to an address, removed after 30 days' },
  { prefix: 'mail-', reason: 'mails on their way to a person, removed after 30 days' },
  { prefix: 'userkey-', reason: "people's own keys, removed when somebody is forgotten" },
]

export const isOutside = (stream: string): boolean => OUTSIDE.some(({ prefix }) => stream.startsWith(prefix))

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
