import { fileTypeFromBuffer } from 'file-type'
import { FILE_TYPE_NAMES, type FileType } from '#schemas/field/file-type.ts'
import { ArchiveSniffer, LOCAL_SIGNATURE } from './archive-sniffer.ts'

/** Other names of accepted types, as file-type gives them. */
const SAME: Readonly<Record<string, FileType>> = {
  'image/apng': 'image/png',
  'image/heif': 'image/heic',
  'audio/x-m4a': 'audio/mp4',
  'audio/ogg; codecs=opus': 'audio/ogg',
  'application/ogg': 'audio/ogg',
  'video/x-m4v': 'video/mp4',
  'video/3gpp2': 'video/3gpp',
}
/** Archives with programs or macros. */
const ACTIVE = /macroenabled|java-archive|android|xpinstall/

/** Formats whose kind comes after parts that may be longer than the bytes that are kept, such as pictures in tags. */
const LONG_HEADS: readonly (readonly [string, FileType])[] = [
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['ID3', 'audio/mpeg'],
  ['OggS', 'audio/ogg'],
]

const isArchive = (bytes: Buffer): boolean => bytes.subarray(0, LOCAL_SIGNATURE.length).equals(LOCAL_SIGNATURE)

const isFileType = (type: string): type is FileType => Object.hasOwn(FILE_TYPE_NAMES, type)

/** The type that the first bytes declare; undefined for unaccepted types. */
const signedType = async (head: Buffer): Promise<FileType | undefined> => {
  const type = (await fileTypeFromBuffer(head))?.mime
  const begins = (signature: string) => head.toString('latin1', 0, signature.length) === signature
  if (type === undefined) return LONG_HEADS.find(([signature]) => begins(signature))?.[1]
  if (isFileType(type)) return type
  return SAME[type] ?? (isArchive(head) && !ACTIVE.test(type) ? 'application/zip' : undefined)
}

const CONTROL = /(?![\t\n\f\r])\p{Cc}/u
/** Bytes in which signatures are, and the names of the first entries of an archive. */
const HEAD_BYTES = 65_536
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
  const parts: Buffer[] = []
  let bytes = 0
  /** The first bytes, until they identify an archive. */
  let start: Buffer = Buffer.alloc(0)
  let archive: ArchiveSniffer | undefined
  return {
    add(chunk: Buffer): void {
      const more = chunk.subarray(0, HEAD_BYTES - bytes)
      if (more.length > 0) parts.push(Buffer.from(more))
      bytes += more.length
      text.add(chunk)
      if (start.length < LOCAL_SIGNATURE.length) {
        start = Buffer.concat([start, chunk])
        if (isArchive(start)) archive = new ArchiveSniffer()
        archive?.add(start)
      } else archive?.add(chunk)
    },
    /** Undefined for unaccepted types. */
    async end(): Promise<FileType | undefined> {
      const signed = await signedType(Buffer.concat(parts))
      if (signed !== undefined) return archive === undefined ? signed : archive.end(signed)
      text.add(undefined)
      if (!text.isText) return undefined
      if (/\.json$/i.test(name)) return text.isJson ? 'application/json' : undefined
      return /\.csv$/i.test(name) ? 'text/csv' : 'text/plain'
    },
  }
}

/** The type of a whole file by its content; undefined for unaccepted types. */
export const sniffType = (content: Buffer, name: string): Promise<FileType | undefined> => {
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
