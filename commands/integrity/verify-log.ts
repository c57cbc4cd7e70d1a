import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { StoredEvent } from '#schemas/event.ts'
import { AUDIENCE_PREFIXES, RUN_PREFIXES, SIMULATED_PREFIX } from '#schemas/events/campaign.ts'
import { type Finding, type LogSealed, SEAL_STREAM } from '#schemas/events/seal.ts'
import { hashOf, isIntact, NO_STREAM, type Tail } from '../pipeline/append.ts'
import type { EventStore } from '../store/port.ts'
import { headFault, SealCheck } from './seal-check.ts'
import { isOutside } from './sealer.ts'
import type { ExportedSeal } from './signing.ts'

/** Search distance for a moved event. */
const REACH = 4

/**
 * Describes the faults of one stream with a broken chain, in text; one finding per manipulation. @param events all
 * events of the stream, by revision
 */
const diagnose = (events: readonly StoredEvent[]): Finding[] => {
  const findings: Finding[] = []
  let shift = 0
  /** Hash that the next event chains to. */
  let chained = ''
  events.forEach((event, at) => {
    const previous = chained
    chained = event.hash
    const before = events[at - 1]
    const expected = (before?.revision ?? 0) + 1
    if (event.revision > expected) {
      findings.push(missing(event, expected))
      return
    }
    if (before !== undefined && event.position < before.position) {
      findings.push(found('reordered', event, `stands in the log before revision ${before.revision}`))
    }
    if (isIntact(previous, event)) return
    const written = writtenAs(events, at)
    if (written === undefined) {
      const { finding, moved, hash } = unplaced(events, at, previous)
      findings.push(finding)
      shift += moved
      chained = hash
    } else if (written !== event.revision && written - event.revision !== shift) {
      findings.push(found('reordered', event, `was written as revision ${written}`))
    }
  })
  return findings
}

/** The revision that an event had when it was written: the one that its hash was made with. */
const writtenAs = (events: readonly StoredEvent[], at: number): number | undefined => {
  const event = events[at]
  if (event === undefined) return undefined
  const near = events.slice(Math.max(0, at - REACH), at + REACH + 1)
  const hashes = ['', ...near.filter(other => other !== event).map(other => other.hash)]
  const first = Math.max(1, event.revision - REACH)
  for (let revision = first; revision <= event.revision + REACH; revision++)
    for (const hash of hashes) if (hashOf(hash, event.stream, revision, event) === event.hash) return revision
  return undefined
}

interface Unplaced {
  readonly finding: Finding
  /** By how many places what follows stands off. */
  readonly moved: number
  /** Hash that the next event chained to. */
  readonly hash: string
}

/** An event that fits nowhere: the events after it show whether it was changed, added, or follows a removed one. */
const unplaced = (events: readonly StoredEvent[], at: number, before: string): Unplaced => {
  const event = events[at]
  const next = events[at + 1]
  if (event === undefined) throw new RangeError(`there are only ${events.length} events`)
  const { hash } = event
  const follows = (previous: string, offset: number) =>
    next !== undefined && hashOf(previous, next.stream, next.revision + offset, next) === next.hash
  if (follows(hash, 1)) {
    const text = 'an event before it was removed and what follows numbered anew'
    return { finding: found('removed', event, text), moved: 1, hash }
  }
  if (follows(before, -1)) {
    return { finding: found('inserted', event, 'was put between two events that belong together'), moved: -1, hash }
  }
  if (follows(hash, 0)) return { finding: found('changed', event, 'is not what was written'), moved: 0, hash }
  const own = hashOf(before, event.stream, event.revision, event)
  if (follows(own, 0)) {
    return { finding: found('changed', event, 'is what was written, but its hash was changed'), moved: 0, hash: own }
  }
  return { finding: found('changed', event, 'is not what was written here: changed, or put there'), moved: 0, hash }
}

const missing = ({ stream, revision }: StoredEvent, from: number): Finding => {
  const last = revision - 1
  const text = from === last ? `revision ${from} is missing` : `revisions ${from} to ${last} are missing`
  return { kind: 'removed', stream, revision: from, text }
}

const found = (kind: Finding['kind'], { stream, revision }: StoredEvent, text: string): Finding => ({
  kind,
  stream,
  revision,
  text,
})

/** Tails in memory at a time. */
const AT_HAND = 50_000

/** Last read event of each stream in a log: recent streams in memory, others in an unnamed file. */
class StreamHeadTable implements Disposable {
  readonly #db = new DatabaseSync('')
  readonly #find: StatementSync
  readonly #put: StatementSync
  readonly #recent = new Map<string, Tail>()
  #size = 0
  #isSpilled = false

  constructor() {
    this.#db.exec(`PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-16000;
      CREATE TABLE tail (stream TEXT PRIMARY KEY, revision INTEGER NOT NULL, hash TEXT NOT NULL) WITHOUT ROWID`)
    this.#find = this.#db.prepare('SELECT revision, hash FROM tail WHERE stream = ?')
    this.#put = this.#db.prepare('INSERT OR REPLACE INTO tail VALUES (?, ?, ?)')
  }

  get size(): number {
    return this.#size
  }

  get(stream: string): Tail | undefined {
    const recent = this.#recent.get(stream)
    if (recent !== undefined || !this.#isSpilled) return recent
    const row = this.#find.get(stream)
    return row && { revision: Number(row.revision), hash: String(row.hash) }
  }

  /** @param isNew whether `get` found none */
  set(stream: string, tail: Tail, isNew: boolean): void {
    if (isNew) this.#size += 1
    this.#recent.set(stream, tail)
    if (this.#recent.size >= AT_HAND) this.#spill()
  }

  [Symbol.dispose](): void {
    this.#db.close()
  }

  #spill(): void {
    this.#db.exec('BEGIN')
    for (const [stream, { revision, hash }] of this.#recent) this.#put.run(stream, revision, hash)
    this.#db.exec('COMMIT')
    this.#recent.clear()
    this.#isSpilled = true
  }
}

/** Store interface for verification. */
export type Log = Pick<EventStore, 'id' | 'read' | 'readAll'>

interface VerifyOptions {
  /** Public key of the log's seals; without it that of the kept ones, else they must all name the same one. */
  readonly key?: string | undefined
  /** Seals of this log that were kept elsewhere. */
  readonly kept?: readonly ExportedSeal[] | undefined
  /** Receives the number of events read. */
  readonly progress?: ((events: number) => void) | undefined
}

export interface Verification {
  readonly events: number
  readonly streams: number
  /** Events of streams that no seal covers (commands/integrity/sealer.ts). */
  readonly outside: number
  readonly seals: number
  readonly newest: LogSealed | undefined
  /** Events after the newest seal. */
  readonly unsealed: number
  readonly key: string | undefined
  /** The first ones; `amiss` counts them all. */
  readonly findings: readonly Finding[]
  readonly amiss: number
}

const STEP = 5000
/** Limit of closely checked streams and of reported findings. */
const MAX_FINDINGS = 200

/** Reads a whole log and recomputes every chain and every seal. Its memory does not grow with the log. */
export const verifyLog = async (log: Log, options: VerifyOptions = {}): Promise<Verification> => {
  using tails = new StreamHeadTable()
  const suspects = new Set<string>()
  using seals = new SealCheck({ log, key: options.key ?? options.kept?.[0]?.seal.key, suspects })
  let events = 0
  let outside = 0
  for await (const event of log.readAll()) {
    if ((events + outside) % STEP === 0) options.progress?.(events + outside)
    if (isOutside(event.stream)) {
      outside += 1
      continue
    }
    events += 1
    follow(tails, suspects, event)
    if (event.stream === SEAL_STREAM) await seals.seal(event)
    else seals.add(event)
  }
  options.progress?.(events + outside)
  const findings = [
    ...(await diagnoses(log, suspects)),
    ...seals.findings,
    ...(await keptFaults(log, seals, suspects, options.kept ?? [])),
  ]
  return {
    events,
    streams: tails.size,
    outside,
    seals: seals.count,
    newest: seals.newest,
    unsealed: seals.unsealed,
    key: seals.key,
    findings: findings.slice(0, MAX_FINDINGS),
    amiss: findings.length + Math.max(0, suspects.size - MAX_FINDINGS),
  }
}

const follow = (tails: StreamHeadTable, suspects: Set<string>, event: StoredEvent): void => {
  const { stream, revision, hash } = event
  const known = tails.get(stream)
  const tail = known ?? NO_STREAM
  if (revision !== tail.revision + 1 || !isIntact(tail.hash, event)) suspects.add(stream)
  if (revision > tail.revision) tails.set(stream, { revision, hash }, known === undefined)
}

const diagnoses = async (log: Log, suspects: ReadonlySet<string>): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (const stream of [...suspects].slice(0, MAX_FINDINGS)) {
    const events: StoredEvent[] = []
    for await (const event of log.read(stream)) events.push(event)
    const named = diagnose(events)
    const unnamed: Finding = { kind: 'changed', stream, revision: null, text: 'its chain does not hold' }
    findings.push(...(named.length > 0 ? named : [unnamed]))
  }
  return findings
}

/** A seal kept elsewhere must be in the log; if missing, its content shows the missing events. */
const keptFaults = async (
  log: Log,
  seals: SealCheck,
  suspects: ReadonlySet<string>,
  kept: readonly ExportedSeal[],
): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (const { seal, hash } of kept) {
    const { number, time, key } = seal
    const present = seals.hashOf(number)
    if (present === hash && (seals.key === undefined || seals.key === key)) continue
    const text =
      present === undefined
        ? `the seal of ${time}, kept elsewhere, is not in the log`
        : `is another seal than the one kept elsewhere (${time})`
    findings.push({ kind: present === undefined ? 'truncated' : 'seal', stream: SEAL_STREAM, revision: number, text })
    for (const head of seal.heads) {
      const fault = suspects.has(head[0]) ? undefined : await headFault(log, head, seal)
      if (fault !== undefined && !findings.some(({ stream }) => stream === fault.stream)) findings.push(fault)
    }
  }
  return findings
}

/** Streams of conversations and audiences: no seal covers them, because they are removed in time or hold what is forgotten, but each is a chain. */
export const CONVERSATION_PREFIXES: readonly string[] = [
  ...AUDIENCE_PREFIXES,
  ...RUN_PREFIXES,
  SIMULATED_PREFIX,
  'conversation-',
  'botuser-',
  'chatperson-',
  'deskplace-',
  'deskrouter-',
  'conversationday-',
  'delivery-',
  'inbox-',
]

const VERIFY_CHAINS_STEP = 5000

interface CheckedChains {
  readonly events: number
  readonly streams: number
  readonly findings: readonly Finding[]
}

/**
 * Recomputes the chain of every conversation stream. Streams removed whole leave no trace; in a server's partly
 * scavenged log a stream may start in its middle.
 */
export const verifyChains = async (log: Log, progress?: (events: number) => void): Promise<CheckedChains> => {
  using tails = new StreamHeadTable()
  const suspects = new Set<string>()
  let events = 0
  for await (const event of log.readAll({ filter: { streamPrefixes: CONVERSATION_PREFIXES } })) {
    if (events % VERIFY_CHAINS_STEP === 0) progress?.(events)
    events += 1
    const { stream, revision, hash } = event
    const known = tails.get(stream)
    const isComplete = known !== undefined || revision === 1
    const isNext = known === undefined || revision === known.revision + 1
    if (isComplete && !(isNext && isIntact((known ?? NO_STREAM).hash, event))) suspects.add(stream)
    tails.set(stream, { revision, hash }, known === undefined)
  }
  return { events, streams: tails.size, findings: await diagnoses(log, suspects) }
}
