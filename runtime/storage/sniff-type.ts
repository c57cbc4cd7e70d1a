import { inflateRawSync } from 'node:zlib'
import { fileTypeFromBuffer } from 'file-type'
import { FILE_TYPE_NAMES, type FileType } from '#schemas/field/file-type.ts'
import { parseJson } from '#schemas/json.ts'

/** First bytes of an archive and of each of its files. */
const LOCAL_SIGNATURE = Buffer.from('PK\x03\x04', 'latin1')
const CENTRAL = Buffer.from('PK\x01\x02', 'latin1')
const END = Buffer.from('PK\x05\x06', 'latin1')
const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
const END_BYTES = 22
/** Names of archives are longer only to hide something, bytes. */
const MAX_NAME = 1_024
/** The end record of an archive is within its last bytes: the comment after it has at most 65,535. */
const TAIL_BYTES = 65_557
const CONTENT_TYPES = '[content_types].xml'
/** Packed and unpacked bytes of a list of content types; real ones have some kB. */
const MAX_PACKED = 262_144
const MAX_UNPACKED = 1_048_576
/** Lists of content types that are looked at. An archive has one. */
const MAX_LISTS = 8
/** Entries of archives with programs: of Java, of Android, of a browser. */
const PROGRAM = /(?:^|\/)(?:meta-inf\/manifest\.mf|androidmanifest\.xml|install\.rdf)$|\.class$/u

/** Macros, and what would hide the word. */
const HIDING = /macroenabled|&#|<!/iu

const MAIN_TYPES: readonly (readonly [string, FileType])[] = [
  ['wordprocessingml.document', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['spreadsheetml.sheet', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['presentationml.presentation', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
]

interface List {
  /** Place of its local header in the file. */
  readonly at: number
  readonly method: number
  /** First byte of its packed content. */
  readonly from: number
  readonly parts: Buffer[]
  /** Bytes of the parts. */
  held: number
}

interface Entry {
  /** Place of its record in the file. */
  readonly at: number
  readonly name: string
  /** Place of its local header that the record names. */
  readonly local: number
  /** Packed bytes. */
  readonly size: number
}

/**
 * Finds what an archive contains while it passes, wherever in it: the names in its directory, which comes last, and the
 * content types of an Office document.
 */
class ArchiveSniffer {
  /** Bytes not examined yet: a header may continue after them. */
  #rest: Buffer = Buffer.alloc(0)
  /** Place of the first byte of `#rest`. */
  #at = 0
  /** At least the last bytes, in the chunks in which they came. */
  #tail: Buffer[] = []
  #tailBytes = 0
  #size = 0
  readonly #lists: List[] = []
  readonly #entries: Entry[] = []
  #hasTooManyLists = false

  add(chunk: Buffer): void {
    this.#size += chunk.length
    this.#keep(chunk)
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    for (const list of this.#lists) this.#fill(list, chunk, this.#size - chunk.length)
    this.#scan(bytes, false)
  }

  /** Undefined for an archive that must not be accepted; the given type where the archive tells no better one. */
  end(type: FileType): FileType | undefined {
    this.#scan(this.#rest, true)
    const directory = this.#directory()
    const entries = this.#entries.filter(({ at }) => at >= directory)
    if (type === 'application/zip' && entries.some(({ name }) => PROGRAM.test(name))) return undefined
    const named = entries.filter(({ name }) => name === CONTENT_TYPES)
    if (named.length === 0) return type
    const texts = named.map(({ local, size }) => {
      const list = this.#lists.find(({ at }) => at === local)
      return list === undefined ? undefined : textOf(list, size)
    })
    // A list that cannot be read may declare anything.
    if (this.#hasTooManyLists || texts.some(text => text === undefined || HIDING.test(text))) return undefined
    if (type !== 'application/zip') return type
    return MAIN_TYPES.find(([main]) => texts.some(text => text?.includes(`${main}.main+xml`)))?.[1] ?? type
  }

  /** Place of the directory; 0 where there is no end record: then every record counts. */
  #directory(): number {
    const tail = Buffer.concat(this.#tail).subarray(-TAIL_BYTES)
    const end = tail.lastIndexOf(END)
    if (end === -1 || end + END_BYTES > tail.length) return 0
    const place = tail.readUInt32LE(end + 16)
    return place <= this.#size ? place : 0
  }

  #keep(chunk: Buffer): void {
    this.#tail.push(chunk)
    this.#tailBytes += chunk.length
    // Small chunks are joined now and then, not each time.
    if (this.#tailBytes < 2 * TAIL_BYTES) return
    this.#tail = [Buffer.concat(this.#tail).subarray(-TAIL_BYTES)]
    this.#tailBytes = TAIL_BYTES
  }

  #scan(bytes: Buffer, isLast: boolean): void {
    let at = bytes.indexOf('PK')
    let end = bytes.length
    while (at !== -1) {
      const isWhole = bytes.length - at >= CENTRAL_BYTES + MAX_NAME
      if (!isWhole && !isLast) {
        end = at
        break
      }
      this.#header(bytes, at)
      at = bytes.indexOf('PK', at + 2)
    }
    // A signature may be cut after its first letter.
    if (end === bytes.length && !isLast && bytes.at(-1) === 0x50) end -= 1
    this.#at += end
    this.#rest = bytes.subarray(end)
  }

  #header(bytes: Buffer, at: number): void {
    const signature = bytes.subarray(at, at + 4)
    const place = this.#at + at
    if (signature.equals(CENTRAL) && at + CENTRAL_BYTES <= bytes.length) {
      const name = nameAt(bytes, at + CENTRAL_BYTES, bytes.readUInt16LE(at + 28))
      if (name === CONTENT_TYPES || PROGRAM.test(name))
        this.#note({ at: place, name, size: bytes.readUInt32LE(at + 20), local: bytes.readUInt32LE(at + 42) })
    }
    if (!signature.equals(LOCAL_SIGNATURE) || at + LOCAL_BYTES > bytes.length) return
    const length = bytes.readUInt16LE(at + 26)
    if (nameAt(bytes, at + LOCAL_BYTES, length) !== CONTENT_TYPES) return
    if (this.#lists.length === MAX_LISTS) {
      this.#hasTooManyLists = true
      return
    }
    const from = place + LOCAL_BYTES + length + bytes.readUInt16LE(at + 28)
    const list: List = { at: place, method: bytes.readUInt16LE(at + 8), from, parts: [], held: 0 }
    this.#lists.push(list)
    this.#fill(list, bytes, this.#at)
  }

  /** Of the records of nested archives, which come before, only so many are kept. */
  #note(entry: Entry): void {
    this.#entries.push(entry)
    if (this.#entries.length > 1_000) this.#entries.shift()
  }

  #fill(list: List, bytes: Buffer, place: number): void {
    const start = Math.max(0, list.from + list.held - place)
    const more = bytes.subarray(start, start + MAX_PACKED - list.held)
    if (more.length === 0) return
    list.parts.push(Buffer.from(more))
    list.held += more.length
  }
}

const nameAt = (bytes: Buffer, at: number, length: number): string =>
  length > MAX_NAME ? '' : bytes.toString('utf8', at, at + length).toLowerCase()

/** Undefined when it cannot be read. */
const textOf = ({ method, parts }: List, size: number): string | undefined => {
  const packed = Buffer.concat(parts)
  // UTF-16 is read as well.
  if (method === 0) return size > packed.length ? undefined : packed.toString('utf8', 0, size).replaceAll('\0', '')
  if (method !== 8) return undefined
  try {
    return inflateRawSync(packed, { maxOutputLength: MAX_UNPACKED }).toString('utf8').replaceAll('\0', '')
  } catch {
    return undefined
  }
}

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

const isJson = (text: string): boolean => parseJson(text) !== undefined
