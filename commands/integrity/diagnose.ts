import type { StoredEvent } from '#schemas/event.ts'
import type { Finding } from '#schemas/events/seal.ts'
import { hashOf, isIntact } from '../pipeline/append.ts'

/** Search distance for a moved event. */
const REACH = 4

/**
 * Describes the faults of one stream with a broken chain, in text; one finding per manipulation. @param events all
 * events of the stream, by revision
 */
export const diagnose = (events: readonly StoredEvent[]): Finding[] => {
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
