import type { FileType } from '#schemas/field/file-type.ts'

type Test = (content: Buffer) => boolean

const at =
  (offset: number, text: string): Test =>
  content =>
    content.length >= offset + text.length && content.toString('latin1', offset, offset + text.length) === text

const all =
  (...tests: readonly Test[]): Test =>
  content =>
    tests.every(test => test(content))

/** A frame of MPEG audio layer III. */
const isMpegFrame: Test = content => content[0] === 0xff && ((content[1] ?? 0) & 0xe6) === 0xe2

/** First bytes of each type, as the WHATWG MIME Sniffing standard and the formats themselves give them. */
const SIGNATURES: readonly (readonly [FileType, Test])[] = [
  ['image/png', at(0, '\x89PNG\r\n\x1a\n')],
  ['image/jpeg', at(0, '\xff\xd8\xff')],
  ['image/gif', content => at(0, 'GIF87a')(content) || at(0, 'GIF89a')(content)],
  ['image/webp', all(at(0, 'RIFF'), at(8, 'WEBP'))],
  ['audio/wav', all(at(0, 'RIFF'), at(8, 'WAVE'))],
  ['audio/mpeg', content => at(0, 'ID3')(content) || isMpegFrame(content)],
  ['audio/ogg', at(0, 'OggS')],
  ['video/mp4', at(4, 'ftyp')],
  ['application/pdf', at(0, '%PDF-')],
  ['application/zip', at(0, 'PK\x03\x04')],
]

const CONTROL = /(?![\t\n\f\r])\p{Cc}/u
/** Bytes in which the signatures are. */
const HEAD_BYTES = 16
/** JSON up to this size is parsed; of longer JSON only the first and the last character are checked, bytes. */
const PARSED_JSON = 1_048_576
const BRACKETS: ReadonlySet<string> = new Set(['{}', '[]'])

/** Recognizes text while it passes. */
class TextSniffer {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  readonly #isJson: boolean
  #isText = true
  #size = 0
  #kept = ''
  #first = ''
  #last = ''

  constructor(isJson: boolean) {
    this.#isJson = isJson
  }

  add(chunk: Buffer | undefined): void {
    if (!this.#isText) return
    let text: string
    try {
      text = chunk === undefined ? this.#decoder.decode() : this.#decoder.decode(chunk, { stream: true })
    } catch {
      this.#isText = false
      return
    }
    this.#size += chunk?.length ?? 0
    const trimmed = text.trim()
    if (this.#first === '') this.#first = trimmed.slice(0, 1)
    if (trimmed !== '') this.#last = trimmed.slice(-1)
    // HTML, SVG and XML start with `<`; they may contain scripts.
    if (CONTROL.test(text) || this.#first === '<') this.#isText = false
    if (this.#isJson) this.#kept = this.#size > PARSED_JSON ? '' : this.#kept + text
  }

  get isText(): boolean {
    return this.#isText
  }

  get isJson(): boolean {
    return this.#size > PARSED_JSON ? BRACKETS.has(this.#first + this.#last) : isJson(this.#kept)
  }
}

/** Finds the type of a file while it passes, by its content; the name only distinguishes kinds of text. */
export const createSniffer = (name: string) => {
  const text = new TextSniffer(/\.json$/i.test(name))
  let head: Buffer = Buffer.alloc(0)
  return {
    add(chunk: Buffer): void {
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)])
      text.add(chunk)
    },
    /** Undefined for unaccepted types. */
    end(): FileType | undefined {
      const signed = SIGNATURES.find(([, test]) => test(head))?.[0]
      if (signed !== undefined) return signed
      text.add(undefined)
      if (!text.isText) return undefined
      if (/\.json$/i.test(name)) return text.isJson ? 'application/json' : undefined
      return /\.csv$/i.test(name) ? 'text/csv' : 'text/plain'
    },
  }
}

/** The type of a whole file by its content; undefined for unaccepted types. */
export const sniffType = (content: Buffer, name: string): FileType | undefined => {
  const sniffer = createSniffer(name)
  sniffer.add(content)
  return sniffer.end()
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
