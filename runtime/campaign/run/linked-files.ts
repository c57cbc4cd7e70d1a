import { templateFor } from '#domain/campaign/comparison.ts'
import { mappingOf, mediaVariables } from '#domain/campaign/message-body.ts'
import type { MediaFormat } from '#domain/template/template.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { RunPlan, Variant } from '#schemas/events/campaign.ts'
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
const LINK_TIMEOUT_MS = 10_000
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

/** Asks the server of an address once for type and size of its file; undefined: a provider can load it. */
const checkLink = async (call: Call, url: string, format: MediaFormat): Promise<LinkFault | undefined> => {
  const ask = (method: 'HEAD' | 'GET') =>
    call({ method, url, headers: [], timeout: LINK_TIMEOUT_MS, most: FIRST_BYTES })
  const head = await ask('HEAD')
  // Signed addresses and some servers refuse HEAD; providers send GET.
  const found = head.ok && head.value.status >= 400 ? await ask('GET') : head
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
  if (!isLoaded) return { code: 'type', detail: type.trim() }
  const size = Number(headerOf(found.value, 'content-length') || 0)
  return size > most ? { code: 'size', detail: String(size) } : undefined
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
  /** Messages whose address was not checked, because there are too many different ones. */
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

  async check(call: Call): Promise<CheckedLinks | null> {
    const files = [...this.#found.values()]
    const faults: (LinkedFile & LinkFault)[] = []
    for (let at = 0; at < files.length; at += LINKS_AT_ONCE) {
      const some = files.slice(at, at + LINKS_AT_ONCE)
      const found = await Promise.all(some.map(({ url, format }) => checkLink(call, url, format)))
      faults.push(...some.flatMap((file, place) => (found[place] === undefined ? [] : { ...file, ...found[place] })))
    }
    return files.length === 0 ? null : { checked: files.length, unchecked: this.#unchecked, faults }
  }

  #begin(key: string, { url, format, example }: Pick<LinkedFile, 'url' | 'format' | 'example'>) {
    if (this.#found.size >= MAX_LINKS) return undefined
    const isPasted = this.#pasted.has(url)
    const file: LinkedFile = { url, format, example, isPasted, variables: new Set(), count: 0 }
    this.#found.set(key, file)
    return file
  }
}
