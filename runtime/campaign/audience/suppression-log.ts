import { appendAtEnd } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { TimeSlicer } from '#commands/time-slicer.ts'
import type { JsonObject } from '#schemas/event.ts'
import {
  type PassedOptOut,
  type ResumedContact,
  type SuppressedContact,
  suppressionStream,
} from '#schemas/events/campaign.ts'
import { exclusiveDrafts, type StreamFact } from '../../log/stream-aggregate.ts'
import { EVERY_CATEGORY, type PersonDigests, type Suppression, storedDigests } from './audience.ts'
import type { AudienceIndex } from './audience-index.ts'

/** Suppressions that are written with one append. */
const APPENDED_TOGETHER = 500

/** Opt-out lists in the log of audiences. */
export class SuppressionLog {
  readonly index: AudienceIndex
  readonly #store: EventStore

  constructor(store: EventStore, index: AudienceIndex) {
    this.#store = store
    this.index = index
  }

  /** Waits until the index includes a position. */
  reached(position: string): Promise<void> {
    return this.index.reached(position)
  }

  async suppress(list: string, person: PersonDigests, why: Suppression): Promise<boolean> {
    const { category, source, rule = '', reason = '', actor = null, origin } = why
    // Sources are lifted separately: a person stopped by Meta who then opts out is stopped twice.
    const isHeld = (digest: string) =>
      this.index.suppressions.sourcesOf({ lists: [list], category }, storedDigests([digest])).includes(source)
    if (person.every(isHeld)) return false
    const data: SuppressedContact = { category, person, source, rule, reason, ...origin }
    await this.#tell(list, 'ContactSuppressed', data, actor)
    return true
  }

  /** Suppresses many people. Returns the number of those who were not suppressed in the list before. */
  async suppressAll(list: string, people: readonly PersonDigests[], why: Suppression): Promise<number> {
    const { category, source, rule = '', reason = '', actor = null } = why
    const given = new Set<string>()
    const slices = new TimeSlicer()
    const facts: StreamFact[] = []
    let added = 0
    for (const person of people) {
      if (slices.isOver) await slices.next()
      const present = this.index.suppressions.sourcesOf({ lists: [list], category }, person)
      if (present.includes(source) || person.some(digest => given.has(digest))) continue
      for (const digest of person) given.add(digest)
      if (present.length === 0) added += 1
      facts.push({ type: 'ContactSuppressed', data: { category, person, source, rule, reason } })
    }
    const stream = suppressionStream(list)
    let position: string | undefined
    for (let at = 0; at < facts.length; at += APPENDED_TOGETHER) {
      const drafts = exclusiveDrafts(stream, facts.slice(at, at + APPENDED_TOGETHER), actor)
      position = (await appendAtEnd(this.#store, stream, drafts)).position
    }
    if (position !== undefined) await this.reached(position)
    return added
  }

  /** Lifts the suppressions of a person that came from these sources; false when there is none. */
  async resume(
    list: string,
    person: PersonDigests,
    why: Suppression & { readonly lifts: readonly string[] },
  ): Promise<boolean> {
    const { category, source, rule = '', reason = '', actor = null, origin, lifts } = why
    const categories = [category, EVERY_CATEGORY]
    const present = this.index.suppressions.sourcesOf({ lists: [list], category }, person)
    if (!present.some(each => lifts.includes(each))) return false
    const data: ResumedContact = { person, categories, sources: lifts, source, rule, reason, ...origin }
    await this.#tell(list, 'ContactResumed', data, actor)
    return true
  }

  /** Stores that a word was not taken as an opt-out, and the rule that said so. */
  async passed(list: string, person: PersonDigests, rule: string): Promise<void> {
    await this.#tell(list, 'OptOutPassed', { person, rule } satisfies PassedOptOut, null)
  }

  /** Appends at the end of the stream, at any revision. Returns the position. */
  protected async append(stream: string, fact: StreamFact, actor: string | null): Promise<string> {
    return (await appendAtEnd(this.#store, stream, exclusiveDrafts(stream, [fact], actor))).position
  }

  async #tell(list: string, type: string, data: object, actor: string | null): Promise<void> {
    const fact = { type, data: data as JsonObject }
    await this.reached(await this.append(suppressionStream(list), fact, actor))
  }
}
