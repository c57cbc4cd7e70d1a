import { templateFor } from '#domain/campaign/comparison.ts'
import { mappingOf, mediaVariables } from '#domain/campaign/message-body.ts'
import type { MediaFormat } from '#domain/template/template.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { RunPlan, Variant } from '#schemas/events/campaign.ts'
import type { Result } from '#schemas/refusal.ts'
import { templateProvider } from '#schemas/template-provider.ts'
import type { Call, OutboundAnswer } from '../../outbound/call.ts'
import { formsOf } from './plan-run.ts'

const MB = 1_048_576
/** Types and sizes that WhatsApp loads from an address. A document may be of any type but a page of the web. */
const LOADED: Readonly<Record<MediaFormat, { readonly types?: readonly string[]; readonly most: number }>> = {
  IMAGE: { types: ['image/jpeg', 'image/png'], most: 5 * MB },
  VIDEO: { types: ['video/mp4', 'video/3gpp'], most: 16 * MB },
  DOCUMENT: { most: 100 * MB },
}
const PAGES: ReadonlySet<string> = new Set(['', 'text/html', 'application/xhtml+xml'])
const LINK_TIMEOUT_MS = 5_000
/** Longest time of all requests of a review; later links are not checked. */
const LINKS_TIMEOUT_MS = 15_000
const MAX_REDIRECTS = 2
/** Characters of a fault's detail. */
const MAX_DETAIL = 100
/** Outcomes that a node keeps, and for how long. */
const MAX_OUTCOMES = 1_000
const OUTCOME_MS = 300_000
/** Bytes that are read of a file whose server answers no HEAD. */
const FIRST_BYTES = 1024

/** Why a provider will not load the file of an address. */
interface LinkFault {
  /** `status`: of the answer; `type`: its content type, empty without one; `size`: its bytes. */
  readonly code: 'address' | 'unreachable' | 'status' | 'type' | 'size'
  readonly detail: string
}

const headerOf = ({ headers }: OutboundAnswer, name: string): string =>
  headers.find(([own]) => own === name)?.[1].trim() ?? ''

/** Some servers do not answer HEAD, or answer it without a type; signed addresses refuse it. Providers send GET. */
const UNANSWERED: ReadonlySet<string> = new Set(['outbound.timeout', 'outbound.unreachable', 'outbound.answer'])

const isNoAnswer = (head: Result<OutboundAnswer>): boolean =>
  head.ok ? head.value.status >= 400 || headerOf(head.value, 'content-type') === '' : UNANSWERED.has(head.refusal.code)

/** Undefined: a provider can load the file. */
const faultOf = (found: Result<OutboundAnswer>, format: MediaFormat): LinkFault | undefined => {
  if (!found.ok) {
    const { code } = found.refusal
    const isWrong = code === 'outbound.address' || code === 'outbound.credentials'
    return { code: isWrong ? 'address' : 'unreachable', detail: '' }
  }
  const { status } = found.value
  if (status < 200 || status > 299) return { code: 'status', detail: String(status) }
  const [type = ''] = headerOf(found.value, 'content-type').toLowerCase().split(';')
  const { types, most } = LOADED[format]
  const isLoaded = types === undefined ? !PAGES.has(type.trim()) : types.includes(type.trim())
  if (!isLoaded) return { code: 'type', detail: type.trim().slice(0, MAX_DETAIL) }
  const size = Number(headerOf(found.value, 'content-length') || 0)
  return size > most ? { code: 'size', detail: String(size).slice(0, MAX_DETAIL) } : undefined
}

interface LinkOutcome {
  readonly fault: LinkFault | undefined
  /** ms since 1970. */
  readonly at: number
}

/** Asks servers for type and size of linked files. Keeps the outcomes of its node for 5 minutes. */
export class LinkChecker {
  readonly #call: Call
  readonly #now: () => number
  /** By format and address, the oldest first. */
  readonly #outcomes = new Map<string, LinkOutcome>()

  constructor(call: Call, now: () => number = Date.now) {
    this.#call = call
    this.#now = now
  }

  /** When all requests of a review that begins now have to end. */
  deadline(): number {
    return this.#now() + LINKS_TIMEOUT_MS
  }

  /** A kept outcome. */
  known(key: string): LinkOutcome | undefined {
    const outcome = this.#outcomes.get(key)
    return outcome !== undefined && this.#now() - outcome.at < OUTCOME_MS ? outcome : undefined
  }

  /** Undefined: there was no time for it. */
  async check(key: string, { url, format }: LinkedFile, deadline: number): Promise<LinkOutcome | undefined> {
    const ask = async (method: 'HEAD' | 'GET') => {
      const timeout = Math.min(LINK_TIMEOUT_MS, deadline - this.#now())
      if (timeout <= 0) return undefined
      const answer = await this.#call({
        ...{ method, url, headers: [], timeout, most: FIRST_BYTES, maxRedirects: MAX_REDIRECTS },
      })
      // Cut short by the end of the review, it says nothing about the server.
      return !answer.ok && timeout < LINK_TIMEOUT_MS && answer.refusal.code === 'outbound.timeout' ? undefined : answer
    }
    const head = await ask('HEAD')
    const found = head !== undefined && isNoAnswer(head) ? await ask('GET') : head
    if (found === undefined) return undefined
    const outcome = { fault: faultOf(found, format), at: this.#now() }
    this.#outcomes.delete(key)
    this.#outcomes.set(key, outcome)
    const [oldest] = this.#outcomes.keys()
    if (this.#outcomes.size > MAX_OUTCOMES && oldest !== undefined) this.#outcomes.delete(oldest)
    return outcome
  }
}

/** Checker of the links of one review. */
export interface LinkCheck {
  readonly checker: LinkChecker
  /** Called once before servers are asked; false: only kept outcomes are used. */
  readonly mayAsk: () => boolean
}

/** A recipient that a review names. */
export interface ReviewedRecipient {
  readonly contact: string
  /** Line in the file of the upload that added it; without an upload the place in the list of contacts. From 1. */
  readonly line: number
  readonly upload: string | null
  /** The variable without a value. */
  readonly variable: string | null
}

/** Most different addresses of files that a review asks for, and how many at a time. */
const MAX_LINKS = 20
const LINKS_AT_ONCE = 4

interface LinkedFile {
  readonly url: string
  readonly format: MediaFormat
  readonly variables: Set<string>
  /** Part of the campaign, not of a contact. */
  readonly isPasted: boolean
  /** The first recipient. */
  readonly example: ReviewedRecipient
  count: number
}

export interface CheckedLinks {
  /** Different addresses. */
  readonly checked: number
  /** Messages whose address was not checked: too many different ones, no time left, or the caller may not. */
  readonly unchecked: number
  readonly faults: readonly (LinkedFile & LinkFault)[]
}

/** Addresses from which providers load files of the messages of a plan. */
export class LinkedFiles {
  readonly #found = new Map<string, LinkedFile>()
  readonly #media: Readonly<Record<'a' | 'b', ReadonlyMap<string, MediaFormat>>>
  readonly #winner: 'a' | 'b' | null
  readonly #pasted: ReadonlySet<string>
  /** Values may be parts of an address that the provider has. */
  readonly #hasParts: boolean
  #unchecked = 0

  constructor(plan: RunPlan) {
    const { a, b } = formsOf(plan)
    this.#media = { a: mediaVariables(a.template), b: mediaVariables(b.template) }
    this.#winner = plan.comparison?.winner ?? null
    const mapping = mappingOf((plan.settings as JsonObject).mapping)
    this.#pasted = new Set(mapping.flatMap(one => [one.text.trim(), one.default.trim()]))
    this.#hasParts = templateProvider(a.registration.provider)?.names === 'content'
  }

  /** Adds those of a message. */
  add(values: ReadonlyMap<string, string>, variant: Variant | '', example: ReviewedRecipient): void {
    const counted = new Set<string>()
    const own = templateFor(variant, this.#winner)
    const forms = variant === 'rest' && this.#winner === null ? (['a', 'b'] as const) : [own]
    for (const form of forms)
      for (const [variable, format] of this.#media[form]) {
        const url = values.get(variable) ?? ''
        if (url === '' || (this.#hasParts && URL.parse(url) === null)) continue
        const key = `${format} ${url}`
        const known = this.#found.get(key) ?? this.#begin(key, { url, format, example })
        if (!counted.has(key) && known === undefined) this.#unchecked += 1
        if (!counted.has(key) && known !== undefined) known.count += 1
        counted.add(key)
        known?.variables.add(variable)
      }
  }

  /** Null: the messages have no links. */
  async check({ checker, mayAsk }: LinkCheck, signal?: AbortSignal): Promise<CheckedLinks | null> {
    if (this.#found.size === 0) return null
    const outcomes = new Map<string, LinkOutcome | undefined>()
    for (const key of this.#found.keys()) outcomes.set(key, checker.known(key))
    const unknown = [...this.#found].filter(([key]) => outcomes.get(key) === undefined)
    const asked = unknown.length > 0 && mayAsk() ? unknown : []
    const deadline = checker.deadline()
    for (let at = 0; at < asked.length; at += LINKS_AT_ONCE) {
      signal?.throwIfAborted()
      const some = asked.slice(at, at + LINKS_AT_ONCE)
      const found = await Promise.all(some.map(([key, file]) => checker.check(key, file, deadline)))
      for (const [place, [key]] of some.entries()) outcomes.set(key, found[place])
    }
    const faults: (LinkedFile & LinkFault)[] = []
    let [checked, unchecked] = [0, this.#unchecked]
    for (const [key, file] of this.#found) {
      const outcome = outcomes.get(key)
      if (outcome === undefined) unchecked += file.count
      else checked += 1
      if (outcome?.fault !== undefined) faults.push({ ...file, ...outcome.fault })
    }
    return { checked, unchecked, faults }
  }

  #begin(key: string, { url, format, example }: Pick<LinkedFile, 'url' | 'format' | 'example'>) {
    if (this.#found.size >= MAX_LINKS) return undefined
    const isPasted = this.#pasted.has(url)
    const file: LinkedFile = { url, format, example, isPasted, variables: new Set(), count: 0 }
    this.#found.set(key, file)
    return file
  }
}
