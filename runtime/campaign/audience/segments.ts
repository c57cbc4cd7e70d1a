import { TimeSlicer } from '#commands/time-slicer.ts'
import { plainName } from '#domain/audience/contact-columns.ts'
import {
  estimateSegment,
  type OpenFacts,
  type SampledRun,
  type SegmentNeeds,
  type SegmentResult,
  segmentNeeds,
  withColumns,
} from '#domain/audience/segment.ts'
import { isCapReason, reasonClass } from '#domain/campaign/provider-error.ts'
import type { ReadModels, Scope } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { type FailureClass, type SegmentGroup, type SegmentRule, segmentConditions } from '#schemas/segment-rule.ts'
import { SEGMENT_ROWS } from '../../isolation/jobs.ts'
import { answerOf } from '../../isolation/pooled-work.ts'
import type { WorkCaller, WorkPool } from '../../isolation/work.ts'
import type { RunQueries } from '../run/run-queries.ts'
import type { MemberOfAudience } from './audience-queries.ts'
import type { StoredAudience } from './open-audience.ts'
import { ROW_KEY_BYTES, type SegmentAnswer, type SegmentTask } from './segment-job.ts'

/** Rows that a sample looks at; fewer where the facts of each person come from conversations. */
const SAMPLE_ROWS = 10_000
const SAMPLE_OF_PEOPLE = 2_500
/** Neighbours that are looked at together: one file's contacts share the streams of their keys. */
const RUN_ROWS = 100
/** Rows that are read from the index in one piece. */
const PAGE_ROWS = 1_000
/** A population is read again after this time, ms: a plan asks for it with each page. */
const FRESH_MS = 10_000
/** Rows of one job. */
const JOB_ROWS = 2_000
/** Names of columns that are offered. */
const MAX_COLUMNS = 200
const NO_NEEDS: SegmentNeeds = { isSealed: false, lists: [], campaigns: [], hasTags: false, hasReplies: false }
/** Places that one page of a segment covers. */
const WINDOW = 2_000

/** Things of a level and of the levels below. */
export const levelScope = (level: string | null): Scope =>
  level === null ? SYSTEM_SCOPE : ({ ...SYSTEM_SCOPE, home: level, level } as Scope)

/** Replies of people and tags of their conversations, by the numbers that they write from. */
export interface PeopleFacts {
  /** For each number of E.164 the person's last message (ms), and folded tags. */
  of(
    level: string | null,
    phones: readonly string[],
    needs: Pick<SegmentNeeds, 'hasTags' | 'hasReplies'>,
  ): Promise<readonly { readonly replied: number | undefined; readonly tags: readonly string[] }[]>
}

interface SegmentParts {
  readonly read: Pick<ReadModels, 'list'>
  readonly work: WorkPool
  readonly audience: StoredAudience
  readonly queries: RunQueries
  readonly people: PeopleFacts
  readonly now: () => number
}

/** Rule and level of a segment. */
export interface SegmentOf {
  readonly level: string | null
  readonly rule: SegmentGroup
  /** One campaign or list whose contacts alone are looked at. */
  readonly holder?: string
}

/** Contacts of a level and of the levels below: those of its lists, and own ones of its campaigns. */
interface Population {
  readonly level: string | null
  readonly numbers: readonly number[]
  /** `numbers` as a parameter of a query. */
  readonly json: string
  readonly idOf: ReadonlyMap<number, string>
  readonly namesOf: ReadonlyMap<number, Readonly<Record<string, string>>>
}

/** The rule names a list or a campaign that is not of its level or below, or was removed. */
export class SegmentUnknown extends Error {
  override readonly name = 'SegmentUnknown'
  readonly ids: readonly string[]
  constructor(ids: readonly string[]) {
    super(ids.join(', '))
    this.ids = ids
  }
}

/** Work of a caller that may be ended. */
interface SegmentCaller {
  readonly from: WorkCaller
  readonly signal?: AbortSignal
}

/** Class of a stored reason of a failure. */
export const failureClass = (reason: string | null): FailureClass => {
  if (reason === null) return 'other'
  if (isCapReason(reason)) return 'cap'
  const known = reasonClass(reason) ?? META_CLASSES[reason]
  return known === 'throttle' || known === 'window' || known === 'defect' || known === undefined ? 'other' : known
}

/** Codes of Meta whose class matters to a list of people. */
const META_CLASSES: Readonly<Record<string, FailureClass>> = Object.fromEntries(
  (
    [
      ['recipient', ['131026', '131021', '131030', '130472', '130497', '132005', '132008', '132012']],
      ['optedout', ['131050']],
      [
        'template',
        ['132001', '132007', '132015', '132016', '132000', '132018', '131008', '131053', '132068', '132069'],
      ],
      ['account', ['131031', '131042', '131045', '131048', '131037', '131063', '131064', '133010', '135000']],
      ['transient', ['131016', '131057', '133004', '134101', '131000']],
    ] as const
  ).flatMap(([name, codes]) => codes.map(code => [code, name])),
)

/** Above all places. */
const WANTED_RANK = 2 ** 50

/** Lists that a rule asks for. */
const wantedLists = (rule: SegmentRule): ReadonlySet<string> =>
  new Set(
    [...segmentConditions(rule)].flatMap(({ field, op, value }) =>
      field === 'list' && op === 'in' ? (value as readonly string[]) : [],
    ),
  )

/** Chooses people by rules. Rows are opened and compared in the pool of processes, never on this thread. */
export class Segments {
  readonly #parts: SegmentParts
  readonly #populations = new WeakMap<
    SegmentGroup,
    { readonly at: number; readonly holder: string | undefined; readonly population: Population }
  >()

  constructor(parts: SegmentParts) {
    this.#parts = parts
  }

  /**
   * Estimates the size of a segment from a sample; small populations are counted.
   * @throws SegmentUnknown, FileNotRead
   */
  async sample(segment: SegmentOf, caller: SegmentCaller) {
    const { population: queries } = this.#parts.audience.index
    const needs = segmentNeeds(segment.rule)
    const population = await this.#populationOf(segment, needs)
    const most = needs.hasTags || needs.hasReplies ? SAMPLE_OF_PEOPLE : SAMPLE_ROWS
    const extents = population.numbers.map(number => ({ number, ...queries.extentOf(number) }))
    const total = extents.reduce((sum, { rows }) => sum + rows, 0)
    const runs: (readonly MemberOfAudience[])[] = []
    const slices = new TimeSlicer()
    if (total <= most)
      for (const { number } of extents)
        for (let from: number | undefined = 0; from !== undefined; ) {
          const run = queries.runFrom(number, from, PAGE_ROWS)
          runs.push(run)
          const last: number | undefined = run.at(-1)?.place
          from = run.length < PAGE_ROWS || last === undefined ? undefined : last + 1
          await slices.pause()
        }
    else
      for (const { number, rows, first, last } of extents) {
        const many = Math.max(1, Math.round(((most / RUN_ROWS) * rows) / total))
        const step = (last - first + 1) / many
        const offset = Math.random() * step
        for (let at = 0; at < many; at += 1)
          runs.push(queries.runFrom(number, Math.floor(first + offset + at * step), RUN_ROWS))
      }
    const rows = runs.flat()
    const matching = new Set(await this.#matching(population, segment.rule, needs, rows, caller))
    const sampled = runs.map(
      (run): SampledRun => ({ rows: run.length, matches: run.filter(row => matching.has(row)).length }),
    )
    return { ...estimateSegment(sampled, total), looked: rows.length, total, isExact: rows.length >= total }
  }

  /** Names of the columns that contacts of a level and below were imported from. */
  async columns(level: string | null): Promise<readonly string[]> {
    const { namesOf } = await this.#population({ level }, NO_NEEDS)
    const names = new Map<string, string>()
    for (const named of namesOf.values())
      for (const name of Object.values(named)) if (!names.has(plainName(name))) names.set(plainName(name), name)
    return [...names.values()].slice(0, MAX_COLUMNS).toSorted((one, other) => one.localeCompare(other))
  }

  /** Rows that a rule is compared with, to show progress. */
  async size(segment: SegmentOf): Promise<number> {
    const { numbers } = await this.#populationOf(segment, segmentNeeds(segment.rule))
    return numbers.reduce((sum, number) => sum + this.#parts.audience.index.population.extentOf(number).rows, 0)
  }

  /**
   * People of a segment in pages, each once: with the newest of their rows that matches. `before` undefined: the first
   * page; `looked`: rows that the page was chosen from.
   * @throws SegmentUnknown, FileNotRead
   */
  async page(segment: SegmentOf, before: number | undefined, caller: SegmentCaller) {
    const { population: queries } = this.#parts.audience.index
    const needs = segmentNeeds(segment.rule)
    const population = await this.#populationOf(segment, needs)
    const { first, last } = queries.boundsOf(population.json) ?? { first: 1, last: 0 }
    const slices = new TimeSlicer()
    let at = before ?? last
    while (at >= first) {
      const rows = queries.between(population.json, at - WINDOW, at)
      at -= WINDOW
      if (rows.length > 0) {
        const found = await this.#matching(population, segment.rule, needs, rows, caller)
        const members = found.map(row => ({ ...row, of: population.idOf.get(row.audience) ?? '' }))
        return { members, looked: rows.length, next: at >= first ? at : undefined }
      }
      await slices.pause()
    }
    return { members: [], looked: 0, next: undefined }
  }

  /**
   * All pages of a segment.
   * @throws SegmentUnknown, FileNotRead
   */
  async *pages(segment: SegmentOf, caller: SegmentCaller) {
    for (let before: number | undefined, isFirst = true; isFirst || before !== undefined; isFirst = false) {
      caller.signal?.throwIfAborted()
      const page: Awaited<ReturnType<Segments['page']>> = await this.page(segment, before, caller)
      before = page.next
      yield page
    }
  }

  /** The population of a rule, kept for a while for the same object. */
  async #populationOf(segment: SegmentOf, needs: SegmentNeeds): Promise<Population> {
    const kept = this.#populations.get(segment.rule)
    if (kept !== undefined && kept.holder === segment.holder && Date.now() - kept.at < FRESH_MS) return kept.population
    const population = await this.#population(segment, needs)
    this.#populations.set(segment.rule, { at: Date.now(), holder: segment.holder, population })
    return population
  }

  async #population({ level, holder }: Omit<SegmentOf, 'rule'>, needs: SegmentNeeds): Promise<Population> {
    const { read, audience } = this.#parts
    const scope = levelScope(level)
    const [campaigns, lists] = [await allRows(read, scope, 'campaign'), await allRows(read, scope, 'contactlist')]
    const holders = new Set([...campaigns, ...lists].map(({ id }) => id))
    const unknown = [...needs.lists, ...needs.campaigns].filter(id => !holders.has(id))
    if (unknown.length > 0) throw new SegmentUnknown(unknown)
    const idOf = audience.index.population.audiencesOf(holder === undefined ? holders : new Set([holder]))
    const numbers = [...idOf.keys()]
    const namesOf = new Map([...idOf].map(([number, id]) => [number, audience.index.fieldNames(id)]))
    return { level, numbers, json: JSON.stringify(numbers), idOf, namesOf }
  }

  /**
   * The rows that match, each person once: with the row of a list that the rule asks for, else with the newest. The
   * values of a person in `list in` are those of that list.
   */
  async #matching(
    population: Population,
    rule: SegmentRule,
    needs: SegmentNeeds,
    rows: readonly MemberOfAudience[],
    caller: SegmentCaller,
  ): Promise<readonly MemberOfAudience[]> {
    const found = await this.#compared(population, rule, needs, rows, caller)
    if (population.numbers.length < 2) return found
    const { population: queries } = this.#parts.audience.index
    const slices = new TimeSlicer()
    const others: MemberOfAudience[] = []
    for (const { contact, place } of found) {
      await slices.pause()
      others.push(...queries.othersOf(population.json, contact, place))
    }
    const wanted = wantedLists(rule)
    const rankOf = ({ audience, place }: MemberOfAudience): number =>
      place + (wanted.has(population.idOf.get(audience) ?? '') ? WANTED_RANK : 0)
    const best = new Map<string, number>()
    for (const row of await this.#compared(population, rule, needs, others, caller))
      best.set(row.contact, Math.max(rankOf(row), best.get(row.contact) ?? 0))
    return found.filter(row => rankOf(row) >= (best.get(row.contact) ?? 0))
  }

  async #compared(
    population: Population,
    rule: SegmentRule,
    needs: SegmentNeeds,
    rows: readonly MemberOfAudience[],
    caller: SegmentCaller,
  ): Promise<readonly MemberOfAudience[]> {
    const found: MemberOfAudience[] = []
    for (let at = 0; at < rows.length; at += JOB_ROWS) {
      caller.signal?.throwIfAborted()
      const some = rows.slice(at, at + JOB_ROWS)
      const { matching } = await this.#job(population, rule, needs, some, caller)
      for (const place of matching) found.push(...some.slice(place, place + 1))
    }
    return found
  }

  async #job(
    population: Population,
    rule: SegmentRule,
    needs: SegmentNeeds,
    rows: readonly MemberOfAudience[],
    { from, signal }: SegmentCaller,
  ): Promise<SegmentAnswer> {
    const { work, now } = this.#parts
    const numbers = [...new Set(rows.map(({ audience }) => audience))]
    const placeOf = new Map(numbers.map((number, place) => [number, place]))
    const audiences = numbers.map(number => ({
      id: population.idOf.get(number) ?? '',
      rule: withColumns(rule, population.namesOf.get(number) ?? {}),
    }))
    const keys = needs.isSealed ? await this.#keysOf(population, rows) : new Uint8Array()
    const bare = rows.map(({ audience, contact, country, sealed }) => ({
      ...{ of: placeOf.get(audience) ?? 0, contact, sealed: needs.isSealed ? sealed : '' },
      open: { country, lists: [], tags: [], results: {} } as OpenFacts,
    }))
    const ask = async (task: SegmentTask): Promise<SegmentAnswer> => {
      const options = { from, ...(signal === undefined ? {} : { signal }) }
      const answer = answerOf(await work.run(SEGMENT_ROWS, task, options))
      if (answer === undefined) throw new Error('rows of a segment exceed their limits')
      return answer
    }
    const task: SegmentTask = { now: now(), audiences, rows: bare, keys }
    const isOfPeople = needs.hasTags || needs.hasReplies
    const phones = isOfPeople ? (await ask({ ...task, isForNumbers: true })).phones : []
    const facts = await this.#factsOf(population.level, rows, needs, phones)
    return ask({ ...task, rows: bare.map((row, place) => ({ ...row, open: { ...row.open, ...facts[place] } })) })
  }

  async #keysOf({ idOf }: Population, rows: readonly MemberOfAudience[]): Promise<Uint8Array> {
    const keys = new Uint8Array(rows.length * ROW_KEY_BYTES)
    const slices = new TimeSlicer()
    for (const [number, some] of Map.groupBy([...rows.entries()], ([, { audience }]) => audience))
      for (let at = 0; at < some.length; at += RUN_ROWS) {
        const part = some.slice(at, at + RUN_ROWS)
        const contacts = part.map(([, { contact }]) => contact)
        const found = await this.#parts.audience.rowKeys(idOf.get(number) ?? '', contacts)
        for (const [place, key] of found.entries())
          if (key !== undefined) keys.set(key, (part[place]?.[0] ?? 0) * ROW_KEY_BYTES)
        await slices.pause()
      }
    return keys
  }

  /** Facts beside those of the contact itself. */
  async #factsOf(
    level: string | null,
    rows: readonly MemberOfAudience[],
    needs: SegmentNeeds,
    phones: readonly string[],
  ): Promise<readonly Partial<OpenFacts>[]> {
    const { audience, people, queries } = this.#parts
    const numbers = rows.map(({ phone }) => phone)
    const results = new Map(needs.campaigns.map(id => [id, queries.resultsOf(id, numbers)]))
    const engaged = needs.hasReplies ? queries.engagedAt(numbers) : undefined
    const slices = new TimeSlicer()
    const listsOf = new Map<string, readonly string[]>()
    if (needs.lists.length > 0)
      for (let at = 0; at < rows.length; at += RUN_ROWS) {
        const contacts = rows.slice(at, at + RUN_ROWS).map(({ contact }) => contact)
        for (const [contact, lists] of audience.index.listsOf(needs.lists, contacts)) listsOf.set(contact, lists)
        if (slices.isOver) await slices.next()
      }
    const heard = phones.length === 0 ? [] : await people.of(level, phones, needs)
    const facts: Partial<OpenFacts>[] = []
    for (const [place, row] of rows.entries()) {
      await slices.pause()
      const lists = listsOf.get(row.contact) ?? []
      const ofCampaigns: Record<string, SegmentResult> = {}
      for (const [id, found] of results) {
        const result = found.get(row.phone)
        if (result !== undefined)
          ofCampaigns[id] = {
            state: result.state,
            ...(result.state === 'failed' ? { class: failureClass(result.reason) } : {}),
          }
      }
      const replied = Math.max(engaged?.get(row.phone) ?? 0, heard[place]?.replied ?? 0)
      const tags = heard[place]?.tags ?? []
      facts.push({ lists, tags, results: ofCampaigns, ...(replied > 0 ? { replied } : {}) })
    }
    return facts
  }
}
