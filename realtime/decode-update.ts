import * as Y from 'yjs'

export type Decoded = ReturnType<typeof Y.decodeUpdate>

/** Structs and deleted ranges of one message: ten times what the largest flow that people draw has. */
const MAX_STRUCTS = 300_000
/** Characters that one client can have written: clocks above it are no clocks of a client. */
const MAX_CLOCK = 2 ** 40
/** Yjs draws client ids from 32 bits. */
const MAX_CLIENT = 2 ** 32
/** Number of `ContentDoc` in the encoding: a document within the document, which is built while it is read. */
const CONTENT_DOC = 9
const CONTENT_BITS = 31

/** More structs than a message may bring. */
export class TooManyStructs extends Error {
  override readonly name = 'TooManyStructs'
}

/** Not as Yjs writes it, or not to be read at all. */
export class MalformedUpdate extends Error {
  override readonly name = 'MalformedUpdate'
}

/** Counts while it reads, so that what is too much is not read to its end. */
class BoundedDecoder extends Y.UpdateDecoderV1 {
  #structs = 0

  override readInfo(): number {
    this.#count()
    const info = super.readInfo()
    if ((info & CONTENT_BITS) === CONTENT_DOC) throw new TypeError('a document within the document')
    return info
  }

  override readDsLen(): number {
    this.#count()
    return super.readDsLen()
  }

  #count(): void {
    this.#structs += 1
    if (this.#structs > MAX_STRUCTS) throw new TooManyStructs()
  }
}

/**
 * Reads an update that is as Yjs writes it: one section for each client, structs that are not empty, deleted ranges in
 * order and apart. Throws `MalformedUpdate` on any other, which costs time with the square of its size or has clocks that are no integers.
 */
export const decodeUpdate = (update: Uint8Array): Decoded => {
  try {
    const decoded = Y.decodeUpdateV2(update, BoundedDecoder)
    checkStructs(decoded.structs)
    for (const [client, ranges] of decoded.ds.clients) checkRanges(client, ranges)
    return decoded
  } catch (error) {
    if (error instanceof TooManyStructs) throw error
    throw new MalformedUpdate('malformed update', { cause: error })
  }
}

const checkStructs = (structs: Decoded['structs']): void => {
  const ended = new Set<number>()
  let current: number | undefined
  for (const { id, length } of structs) {
    if (length <= 0 || id.clock + length > MAX_CLOCK)
      throw new RangeError('a struct without length or beyond any clock')
    if (id.client === current) continue
    if (id.client >= MAX_CLIENT) throw new RangeError('no id of a client')
    if (ended.has(id.client)) throw new RangeError('a client in two places')
    ended.add(id.client)
    current = id.client
  }
}

const checkRanges = (client: number, ranges: readonly { readonly clock: number; readonly len: number }[]): void => {
  if (client >= MAX_CLIENT) throw new RangeError('no id of a client')
  let end = -1
  for (const { clock, len } of ranges) {
    if (len <= 0 || clock <= end || clock + len > MAX_CLOCK) throw new RangeError('deleted ranges out of order')
    end = clock
    end += len - 1
  }
}
