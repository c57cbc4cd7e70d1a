import type { NewEvent, StoredEvent } from '#schemas/event.ts'
import { CONVERSATION_PREFIXES, type Verification, verifyLog } from '../integrity/verify-log.ts'
import {
  type EventStore,
  type Mark,
  type ReadAll,
  START,
  StoreUnavailable,
  storeAround,
  WrongRevision,
} from '../store/port.ts'
import {
  applyStreamMarks,
  CopyRefused,
  findMarkMismatches,
  isPaddingEvent,
  type KeyCopy,
  type Patience,
  padToRevision,
  retryUntilAvailable,
  type Source,
  StreamMarkTable,
  type Target,
} from './copy-checkpoints.ts'

/**
 * The log without removed events: a server shows them until it is scavenged, and a target may have received them before
 * the source removed them. An interrupted read resumes.
 */
async function* readVisibleEvents(
  store: Pick<EventStore, 'readAll'>,
  marks: StreamMarkTable,
  patience: Patience,
  after = START,
): AsyncGenerator<StoredEvent> {
  let last = after
  let events = store.readAll({ after })[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await retryUntilAvailable(async () => {
        try {
          return await events.next()
        } catch (error) {
          if (error instanceof StoreUnavailable) events = store.readAll({ after: last })[Symbol.asyncIterator]()
          throw error
        }
      }, patience)
      if (done) return
      last = value.position
      if (!isRemoved(value, marks)) yield value
    }
  } finally {
    await events.return?.()
  }
}

const isRemoved = (event: StoredEvent, marks: StreamMarkTable): boolean => {
  if (isPaddingEvent(event)) return true
  const mark = marks.find(event.stream)
  return mark !== undefined && (mark.isTombstoned || event.revision <= mark.removed)
}

/** Takes the events of a log one by one, to hold them against those of another. */
class EventCursor implements AsyncDisposable {
  readonly #events: AsyncIterator<StoredEvent>

  constructor(events: AsyncIterable<StoredEvent>) {
    this.#events = events[Symbol.asyncIterator]()
  }

  /** Undefined at the end, for ever. */
  async next(): Promise<StoredEvent | undefined> {
    const { done, value } = await this.#events.next()
    return done ? undefined : value
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#events.return?.()
  }
}

/** Whether two stores hold the same event at the same place of the same stream: all of it but its position. */
const isSame = (one: StoredEvent, other: StoredEvent): boolean => textOf(one) === textOf(other)

const textOf = ({
  stream,
  revision,
  id,
  type,
  version,
  time,
  actor,
  correlation,
  causation,
  level,
  hash,
  data,
}: StoredEvent) =>
  JSON.stringify([stream, revision, id, type, version, time, actor, correlation, causation, level, hash, data])

const nameOf = ({ stream, revision }: StoredEvent): string => `revision ${revision} of ${stream}`

interface CompareOptions {
  readonly source: Source
  readonly target: Target
  readonly marks: StreamMarkTable
  readonly patience: Patience
  readonly progress: (events: number) => void
}

/**
 * Verifies the chains and seals of a copy, and that it holds the same events as its source in the same order.
 * @throws CopyRefused naming the first event that differs
 */
const compare = async ({ source, target, marks, patience, progress }: CompareOptions): Promise<Verification> => {
  await using original = new EventCursor(readVisibleEvents(source.store, marks, patience))

  async function* compared() {
    for await (const event of readVisibleEvents(target.store, marks, patience)) {
      const wanted = await original.next()
      if (wanted === undefined || !isSame(event, wanted)) throw different(target, event, wanted)
      yield event
    }
    const missing = await original.next()
    if (missing !== undefined) throw new CopyRefused(`${nameOf(missing)} is not in ${target.name}`)
  }

  const { store } = target
  // Awaited here: until then the original is read.
  return await verifyLog({ id: store.id, read: store.read.bind(store), readAll: compared }, { progress })
}

const different = ({ name }: Target, event: StoredEvent, wanted: StoredEvent | undefined) => {
  const expected = wanted === undefined ? 'nothing' : nameOf(wanted)
  return new CopyRefused(`${name} differs: ${nameOf(event)} stands where this log has ${expected}`)
}

/** Events of one stream that follow each other in the log. */
interface Run {
  readonly stream: string
  readonly expected: number
  readonly events: NewEvent[]
}

interface WriteLogOptions {
  readonly target: Target
  readonly marks: StreamMarkTable
  readonly patience: Patience
  /** Called with the number of events written. */
  readonly progress: (events: number) => void
}

/** In one append; the limit of its bytes is half of what the target takes. */
const MAX_EVENTS = 200
/** Under way together, in bytes. */
const MAX_PENDING_BYTES = 8 * 1024 * 1024

/**
 * Appends events in the order of the log. The order between streams is part of what is sealed: so a target that does not
 * promise it is given one append at a time.
 * @throws CopyRefused, StoreUnavailable, StoreReadOnly
 */
const writeLog = async (events: AsyncIterable<StoredEvent>, options: WriteLogOptions): Promise<void> => {
  const { target, marks, patience, progress } = options
  let runs: Run[] = []
  let waiting = 0
  let ofRun = 0
  let written = 0

  const flush = async () => {
    const going = runs
    runs = []
    waiting = 0
    // Tried again only one by one: a second try of one among several would come after those behind it.
    const tried = target.atOnce === 1 ? patience : 0
    await Promise.all(going.map(run => retryUntilAvailable(() => append(target, run), tried)))
    written += going.reduce((sum, run) => sum + run.events.length, 0)
    progress(written)
  }

  for await (const event of events) {
    const { stream, revision } = event
    const size = target.sizeOf(event)
    const last = runs.at(-1)
    const follows = last?.stream === stream && last.events.length < MAX_EVENTS && ofRun + size <= target.most / 2
    if (!follows) {
      const isFull = runs.length >= target.atOnce || waiting >= MAX_PENDING_BYTES
      const isFirstLeft = marks.find(stream)?.removed === revision - 1
      if (runs.length > 0 && (isFull || isFirstLeft)) await flush()
      if (isFirstLeft && revision > 1)
        await retryUntilAvailable(() => padToRevision(target.store, stream, revision - 1), patience)
      runs.push({ stream, expected: revision - 1, events: [] })
      ofRun = 0
    }
    runs.at(-1)?.events.push(bare(event))
    ofRun += size
    waiting += size
  }
  if (runs.length > 0) await flush()
}

const append = async ({ store, name }: Target, { stream, expected, events }: Run): Promise<void> => {
  try {
    await store.append(stream, expected, events)
  } catch (error) {
    if (!(error instanceof WrongRevision)) throw error
    throw new CopyRefused(`${name} is written by somebody else: ${error.message}`)
  }
}

const bare = ({ stream: _, revision: __, position: ___, ...event }: StoredEvent): NewEvent => event

interface Survey {
  /** Events to copy in all. */
  readonly events: number
  /** Of them, those that the target has already. */
  readonly present: number
  /** Position in the source of the last one of those. */
  readonly after: string
}

interface ValidateSourceOptions {
  readonly source: Source
  readonly target: Target
  readonly marks: StreamMarkTable
  readonly patience: Patience
  readonly progress: (events: number) => void
}

/** Events that are too large, as many as a message names. */
const NAMED = 10

/**
 * Reads the whole source before anything is written: its chains and seals must hold, no event may be larger than the
 * target takes, and what the target has must be how the source begins.
 * @throws CopyRefused
 */
const survey = async ({ source, target, marks, patience, progress }: ValidateSourceOptions): Promise<Survey> => {
  await using copied = new EventCursor(readVisibleEvents(target.store, marks, patience))
  let theirs = await copied.next()
  let present = 0
  let after = START
  const large: string[] = []

  const compare = async (event: StoredEvent): Promise<void> => {
    if (theirs !== undefined) {
      if (!isSame(event, theirs)) throw foreign(target, theirs)
      present += 1
      after = event.position
      theirs = await copied.next()
    }
    const size = target.sizeOf(event)
    if (size > target.most) large.push(`${nameOf(event)} (${event.type}, ${size} bytes)`)
  }

  async function* seen() {
    for await (const event of readVisibleEvents(source.store, marks, patience)) {
      await compare(event)
      yield event
    }
  }

  const { store } = source
  const found = await verifyLog({ id: store.id, read: store.read.bind(store), readAll: seen }, { progress })
  if (theirs !== undefined) throw foreign(target, theirs)
  if (found.amiss > 0) throw new CopyRefused('The chain of this log does not hold: parley verify tells where')
  if (large.length > 0) throw new CopyRefused(tooLarge(target, large))
  return { events: found.events + found.outside, present, after }
}

const foreign = ({ name }: Target, event: StoredEvent) =>
  new CopyRefused(`${name} holds something else: ${nameOf(event)} is not what comes there in this log`)

const tooLarge = ({ name, most }: Target, large: readonly string[]): string => {
  const rest = large.length > NAMED ? [`and ${large.length - NAMED} more`] : []
  return [
    `${name} takes at most ${most} bytes at once; these events are larger:`,
    ...large.slice(0, NAMED),
    ...rest,
  ].join('\n  ')
}

export type Step = 'reading' | 'copying' | 'removing' | 'verifying'

interface Options {
  readonly source: Source
  readonly target: Target
  readonly keys: KeyCopy
  readonly patience: Patience
  readonly progress?: (step: Step, done: number, total?: number) => void
}

interface Copied {
  /** Events that the target had from an earlier, interrupted copy. */
  readonly present: number
  /** Streams of which something is removed or limited. */
  readonly marks: number
  readonly found: Verification
}

/**
 * Copies a log with its store's stream metadata and verifies the copy. Skips events the target already has, so an
 * interrupted copy resumes. No other process may write to either. @throws CopyRefused and the stores' errors, each with
 * a printable message
 */
export const copyStore = async ({
  source,
  target,
  keys,
  patience,
  progress = () => undefined,
}: Options): Promise<Copied> => {
  const { store } = target
  const head = await source.store.head()
  using marks = await StreamMarkTable.of(whole(source))
  const given = { source, target, marks, patience }
  const { events, present, after } = await survey({ ...given, progress: done => progress('reading', done) })
  await keys.begin()
  await writeLog(readVisibleEvents(source.store, marks, patience, after), {
    ...given,
    progress: written => progress('copying', present + written, events),
  })
  await applyStreamMarks({ store, marks, patience, progress: done => progress('removing', done, marks.size) })
  const found = await compare({ ...given, progress: done => progress('verifying', done, events) })
  const [other] = await findMarkMismatches({ store, marks, patience, progress: () => undefined })
  if (other !== undefined) throw new CopyRefused(`${target.name} shows more or less of ${other} than this log`)
  if ((await retryUntilAvailable(() => source.store.head(), patience)) !== head)
    throw new CopyRefused('Something was written while it was copied: stop every gateway, then go on with the copy')
  if (found.amiss === 0) await keys.finish()
  return { present, marks: marks.size, found }
}

/** Events beyond `maxCount` are removed: a server shows them until it is scavenged. */
async function* whole({ store, marks }: Source): AsyncGenerator<Mark> {
  for await (const mark of marks()) {
    if (mark.maxCount === undefined) yield mark
    else yield { ...mark, removed: Math.max(mark.removed, (await store.revision(mark.stream)) - mark.maxCount) }
  }
}

type LogPart = 'console' | 'conversations'

/** On a server, conversations share the console's store; in a folder they have a separate store (docs/adr/0022). */
const isIn = (part: LogPart, stream: string): boolean =>
  CONVERSATION_PREFIXES.some(prefix => stream.startsWith(prefix)) === (part === 'conversations')

/** A store that reads only the streams of one part; writes are not filtered. */
const storePart = (store: EventStore, part: LogPart): EventStore => {
  async function* readAll(options?: ReadAll): AsyncGenerator<StoredEvent> {
    for await (const event of store.readAll(options)) if (isIn(part, event.stream)) yield event
  }
  return storeAround(store, { readAll })
}

export const sourcePart = ({ store, marks }: Source, part: LogPart): Source => ({
  store: storePart(store, part),
  async *marks() {
    for await (const mark of marks()) if (isIn(part, mark.stream)) yield mark
  },
})

export const targetPart = (target: Target, part: LogPart): Target => ({
  ...target,
  store: storePart(target.store, part),
})
