import { Buffer } from 'node:buffer'
import type { NodeKeys } from '#commands/keys/secret.ts'
import { type EventStore, START } from '#commands/store/port.ts'
import { upcast } from '#commands/upcasters/upcast.ts'
import type { Lookup } from '#domain/lookup.ts'
import { SEND_PERSONAL } from '#domain/people/permission.ts'
import { type Place, personalFields, shaped, type Translated, translate } from '#domain/public-event.ts'
import type { ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import { sealContext } from '#schemas/events/entity.ts'
import { tokenOfSession } from '#schemas/events/origin.ts'
import { objectOf } from '#schemas/json.ts'
import type { PublicEvent } from '#schemas/public-event.ts'

/** Positions in both logs up to which a reader has read. On a shared store both are one log, and `conversations` is empty. */
export interface EventCursor {
  readonly console: string
  readonly conversations: string
  /** ms since 1970: earlier events are passed over, until the reader has caught up. */
  readonly from?: number
}

const MAC_LENGTH = 16
const MAX_LENGTH = 300

/** Cursors as callers hold them: opaque, of one store, and refused when they were changed. */
class CursorCodec {
  readonly #store: string
  readonly #hmac: (text: string) => string

  constructor(store: string, hmac: (text: string) => string) {
    this.#store = store
    this.#hmac = hmac
  }

  encode({ console, conversations, from }: EventCursor): string {
    const text = [console, conversations, ...(from === undefined ? [] : [from])].join(' ')
    return `${Buffer.from(text).toString('base64url')}.${this.#mac(text)}`
  }

  /** Undefined: of another store, or changed. */
  decode(cursor: string): EventCursor | undefined {
    const [packed = '', mac, ...more] = cursor.split('.')
    if (cursor.length > MAX_LENGTH || more.length > 0) return undefined
    const text = Buffer.from(packed, 'base64url').toString()
    if (mac !== this.#mac(text)) return undefined
    const [console = '', conversations = '', from] = text.split(' ')
    return { console, conversations, ...(from === undefined ? {} : { from: Number(from) }) }
  }

  #mac(text: string): string {
    return this.#hmac(JSON.stringify(['cursor of public events', this.#store, text])).slice(0, MAC_LENGTH)
  }
}

/** Stored events that one call looks at. */
const MAX_SCANNED = 10_000
/** Longest time of one call, ms. */
const MAX_SCAN_MS = 500
/** Public events that are read together, and whose receiver is judged in one question. */
const MAX_READ = 1_000
const JUDGED_AT_ONCE = 200
/** Parts of the logs that are kept for the next reader at the same position. */
const KEPT_PARTS = 4
/** Longest wait until this node shows what is in the log, ms. */
const SETTLE_MS = 2_000
const MAX_CONVERSATIONS = 10_000

/** Rights of a receiver at this moment. */
export interface Hearer {
  permits(permission: string): boolean
  /** Receives events of this level and those below it. */
  readonly level: string
}

export interface EventFilter {
  /** Empty: all. */
  readonly types?: readonly string[]
  readonly entity?: string
  /** Events of these bots alone. Empty: all, and those of no bot. */
  readonly bots?: readonly string[]
  readonly withValues?: boolean
  /** With personal values of users too, if the receiver has `sendpersonal`. */
  readonly withPersonal?: boolean
}

/** Ends of the logs, of the console's no further than this node's read models are: its rows decide on the receivers of an event. */
export interface LogEnds {
  readonly now: EventCursor
  /** This node shows all that is in the log. */
  readonly isShown: boolean
}

interface EventPage {
  readonly items: readonly PublicEvent[]
  /** Stored events that were looked at. */
  readonly scanned: number
  readonly next: EventCursor
  /** All events that were in the logs at the beginning of the call have been looked at. */
  readonly isCaughtUp: boolean
}

interface EventParts {
  readonly store: EventStore
  readonly read: Pick<ReadModels, 'places' | 'levels' | 'reached' | 'status'>
  readonly lookup: Pick<Lookup, 'ancestors'>
  readonly hmac: (text: string) => string
  readonly keys: { readonly personal: Pick<NodeKeys['personal'], 'decrypt'> }
  /** The log of conversations beside the console's; undefined: there is none so far, or both are one. */
  readonly conversationLog: () => Promise<EventStore | undefined>
}

interface Candidate {
  readonly event: StoredEvent
  readonly translated: Translated
  /** Behind the event. */
  readonly cursor: EventCursor
}

/** Public events of a part of the logs, before the rights and the filter of a reader. */
interface LogPart {
  readonly candidates: readonly Candidate[]
  readonly scanned: number
  readonly next: EventCursor
  /** It reaches the ends. */
  readonly isLast: boolean
}

/** One of the logs, read event by event up to a position. */
class LogReader {
  readonly #events: AsyncIterator<StoredEvent>
  readonly #until: string
  #next: StoredEvent | undefined

  constructor(store: EventStore, after: string, until: string) {
    // Without news nothing is read: waiting calls look each second.
    const events = after < until ? store.readAll({ after, limit: MAX_SCANNED }) : (async function* () {})()
    this.#events = events[Symbol.asyncIterator]()
    this.#until = until
  }

  /** Its next event, which stays the next one until it is taken. */
  async peek(): Promise<StoredEvent | undefined> {
    if (this.#next !== undefined) return this.#next
    const { value, done } = await this.#events.next()
    if (done === true || value.position > this.#until) return undefined
    this.#next = value
    return this.#next
  }

  take(): void {
    this.#next = undefined
  }

  async close(): Promise<void> {
    await this.#events.return?.()
  }
}

const isWanted = ({ type, entity: of }: Translated, { types = [], entity }: EventFilter): boolean =>
  (types.length === 0 || types.includes(type)) && (entity === undefined || entity === of)

/** Actor of an event that a token wrote: a service account, or the user of a personal token. */
const accountBehind = ({ actor, causation }: StoredEvent): string | null =>
  tokenOfSession(causation) === undefined ? null : actor

/** Counts the events with personal values. */
export const withPersonalIn = (events: readonly PublicEvent[]): number =>
  events.filter(({ data }) => data.personal !== undefined).length

/** Events of both logs as programs outside receive them: in the order of each log, merged by time. */
export class PublicEvents {
  readonly cursors: CursorCodec
  readonly #parts: EventParts
  /** Bot of a conversation. */
  readonly #bots = new Map<string, string>()
  /** Webhooks without news have the same position: they share its reading. */
  readonly #kept = new Map<string, Promise<LogPart>>()

  constructor(parts: EventParts) {
    this.#parts = parts
    this.cursors = new CursorCodec(parts.store.id, parts.hmac)
  }

  /** Behind all events that are there now. */
  async now(): Promise<EventCursor> {
    const { store, conversationLog } = this.#parts
    const [console, log] = await Promise.all([store.head(), conversationLog()])
    return { console, conversations: (await log?.head()) ?? START }
  }

  /** Whether a cursor lies within the logs: a restored backup may have lost the events before it. */
  async isWithin({ console, conversations }: EventCursor): Promise<boolean> {
    const now = await this.now()
    return console <= now.console && conversations <= now.conversations
  }

  /** Looks at a bounded number of stored events: a page may be empty without having caught up. */
  async page(
    hearer: () => Promise<Hearer> | Hearer,
    cursor: EventCursor,
    filter: EventFilter,
    limit: number,
    ends?: LogEnds,
  ): Promise<EventPage> {
    const { now, isShown } = ends ?? (await this.ends())
    const started = performance.now()
    const items: PublicEvent[] = []
    let scanned = 0
    let next = cursor
    for (;;) {
      const part = await this.#part(next, now)
      scanned += part.scanned
      const wanted = part.candidates.filter(({ translated }) => isWanted(translated, filter))
      for (let at = 0; at < wanted.length; ) {
        const some = wanted.slice(at, at + Math.min(limit - items.length, JUDGED_AT_ONCE))
        at += some.length
        items.push(...(await this.#judged(await hearer(), some, filter)))
        const last = some.at(-1)
        if (items.length >= limit && at < wanted.length && last !== undefined)
          return { items, scanned, next: last.cursor, isCaughtUp: false }
      }
      // Positions of other programs' and of sealing events between are passed as well.
      if (part.isLast) return { items, scanned, next: isShown ? now : part.next, isCaughtUp: isShown }
      next = part.next
      if (items.length >= limit || scanned >= MAX_SCANNED || performance.now() - started > MAX_SCAN_MS)
        return { items, scanned, next, isCaughtUp: false }
    }
  }

  /** Present ends of the logs. */
  async ends(): Promise<LogEnds> {
    const { read } = this.#parts
    const now = await this.now()
    const isShown = await read.reached(now.console, SETTLE_MS)
    return isShown ? { now, isShown } : { now: { ...now, console: read.status().position }, isShown }
  }

  /** The part from a cursor on, which readers at the same position share. */
  #part(cursor: EventCursor, end: EventCursor): Promise<LogPart> {
    const key = [cursor.console, cursor.conversations, cursor.from, end.console, end.conversations].join(' ')
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const part = this.#read(cursor, end)
    this.#kept.set(key, part)
    const [oldest = ''] = this.#kept.keys()
    if (this.#kept.size > KEPT_PARTS) this.#kept.delete(oldest)
    part.catch(() => this.#kept.delete(key))
    return part
  }

  async #read(cursor: EventCursor, end: EventCursor): Promise<LogPart> {
    const logs = await this.#open(cursor, end)
    const started = performance.now()
    const candidates: Candidate[] = []
    let scanned = 0
    let next = cursor
    try {
      while (candidates.length < MAX_READ && scanned < MAX_SCANNED && performance.now() - started <= MAX_SCAN_MS) {
        const event = await logs.next()
        if (event === undefined) return { candidates, scanned, next, isLast: true }
        const { log, stored } = event
        next = { ...next, [log]: stored.position }
        scanned += 1
        if (stored.type === 'ConversationStarted') this.#keepBot(stored)
        if (next.from !== undefined && Date.parse(stored.time) < next.from) continue
        const translated = translate(upcast(stored))
        if (translated !== undefined) candidates.push({ event: stored, translated, cursor: next })
      }
      return { candidates, scanned, next, isLast: false }
    } finally {
      await logs.close()
    }
  }

  async #open(cursor: EventCursor, end: EventCursor) {
    const { store, conversationLog } = this.#parts
    const log = await conversationLog()
    const readers = [
      { log: 'console' as const, reader: new LogReader(store, cursor.console, end.console) },
      ...(log === undefined
        ? []
        : [{ log: 'conversations' as const, reader: new LogReader(log, cursor.conversations, end.conversations) }]),
    ]
    return {
      /** The earlier of the two next events. */
      async next() {
        let first: { readonly log: (typeof readers)[number]['log']; readonly stored: StoredEvent } | undefined
        for (const { log: name, reader } of readers) {
          const stored = await reader.peek()
          if (stored !== undefined && (first === undefined || stored.time < first.stored.time))
            first = { log: name, stored }
        }
        readers.find(({ log: name }) => name === first?.log)?.reader.take()
        return first
      },
      async close() {
        for (const { reader } of readers) await reader.close()
      },
    }
  }

  /** Events that the receiver may have, by the rights and levels of this moment. */
  async #judged(
    hearer: Hearer,
    candidates: readonly Candidate[],
    { bots = [], withValues = false, withPersonal = false }: EventFilter,
  ): Promise<readonly PublicEvent[]> {
    const permitted = candidates.filter(({ translated }) => hearer.permits(`read${translated.entity}`))
    const subjects = await Promise.all(permitted.map(({ translated }) => this.#subjectOf(translated)))
    const ids: Record<string, string[]> = {}
    for (const { entity, id } of subjects.filter(subject => subject !== undefined)) {
      ids[entity] ??= []
      ids[entity].push(id)
    }
    const accounts = permitted.map(({ event }) => accountBehind(event)).filter(id => id !== null)
    if (accounts.length > 0) ids.serviceaccount = [...(ids.serviceaccount ?? []), ...accounts]
    const places = Object.keys(ids).length === 0 ? {} : await this.#parts.read.places(SYSTEM_SCOPE, ids)
    const covers = this.#covers(hearer.level)
    const heard: PublicEvent[] = []
    for (const [at, { event, translated, cursor }] of permitted.entries()) {
      const subject = subjects[at]
      const place: Place | undefined = subject && places[subject.entity]?.[subject.id]
      if (place === undefined || !(await covers(place.level))) continue
      if (bots.length > 0 && !bots.includes(place.bot ?? '')) continue
      const isByService = places.serviceaccount?.[accountBehind(event) ?? ''] !== undefined
      const mayHave = withValues && withPersonal && place.isForgotten !== true && hearer.permits(SEND_PERSONAL)
      const personal = mayHave ? await this.#personalOf(translated) : {}
      const shape = { position: this.cursors.encode(cursor), withValues, isByService, personal }
      heard.push(shaped(event, translated, place, shape))
    }
    return heard
  }

  /** Personal values in clear; those of a person who was forgotten meanwhile are missing. */
  async #personalOf(translated: Translated): Promise<JsonObject> {
    const { id, fields } = translated
    const opened: Record<string, Json> = {}
    for (const name of personalFields(translated)) {
      const stored = fields[name] ?? null
      const sealed = objectOf(stored)
      const value =
        '$personal' in sealed
          ? await this.#parts.keys.personal.decrypt(id, sealed, sealContext('user', id, name))
          : stored
      if (value !== undefined) opened[name] = value
    }
    return opened
  }

  /** The thing whose level decides: a conversation is in its bot. */
  async #subjectOf({ entity, id }: Translated): Promise<{ readonly entity: string; readonly id: string } | undefined> {
    if (entity !== 'conversation') return { entity, id }
    const bot = await this.#botOf(id)
    return bot === undefined ? undefined : { entity: 'bot', id: bot }
  }

  async #botOf(conversation: string): Promise<string | undefined> {
    const known = this.#bots.get(conversation)
    if (known !== undefined) return known
    const log = (await this.#parts.conversationLog()) ?? this.#parts.store
    for await (const first of log.read(conversationStream(conversation), { limit: 1 })) return this.#keepBot(first)
    return undefined
  }

  #keepBot({ type, correlation, data }: StoredEvent): string | undefined {
    if (type !== 'ConversationStarted' || typeof data.bot !== 'string') return undefined
    if (this.#bots.size >= MAX_CONVERSATIONS) this.#bots.delete(this.#bots.keys().next().value ?? '')
    this.#bots.set(correlation, data.bot)
    return data.bot
  }

  /** Whether a level is the receiver's or below it. Things without a level are received at the only root. */
  #covers(top: string): (level: string | null) => Promise<boolean> {
    const { lookup, read } = this.#parts
    const known = new Map<string | null, Promise<boolean>>()
    const ask = async (level: string | null): Promise<boolean> => {
      if (level !== null) return (await lookup.ancestors(level)).includes(top)
      const roots = (await read.levels(SYSTEM_SCOPE)).filter(({ parent }) => parent === null)
      return roots.length === 1 && roots[0]?.id === top
    }
    return level => {
      const answer = known.get(level) ?? ask(level)
      known.set(level, answer)
      return answer
    }
  }
}
