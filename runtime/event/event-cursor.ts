import { Buffer } from 'node:buffer'

/** Positions in both logs up to which a reader has read. On a shared store both are one log, and `conversations` is empty. */
export interface EventCursor {
  readonly console: string
  readonly conversations: string
  /** ms since 1970: earlier events are passed over, until the reader has caught up. */
  readonly from?: number
}

const MAC_LENGTH = 16
const MAX_LENGTH = 300

/** Cursors as callers hold them: opaque, of one store, and refused when they were changed. */
export class CursorCodec {
  readonly #store: string
  readonly #hmac: (text: string) => string

  constructor(store: string, hmac: (text: string) => string) {
    this.#store = store
    this.#hmac = hmac
  }

  encode({ console, conversations, from }: EventCursor): string {
    const text = [console, conversations, ...(from === undefined ? [] : [from])].join(' ')
    return `${Buffer.from(text).toString('base64url')}.${this.#mac(text)}`
  }

  /** Undefined: of another store, or changed. */
  decode(cursor: string): EventCursor | undefined {
    const [packed = '', mac, ...more] = cursor.split('.')
    if (cursor.length > MAX_LENGTH || more.length > 0) return undefined
    const text = Buffer.from(packed, 'base64url').toString()
    if (mac !== this.#mac(text)) return undefined
    const [console = '', conversations = '', from] = text.split(' ')
    return { console, conversations, ...(from === undefined ? {} : { from: Number(from) }) }
  }

  #mac(text: string): string {
    return this.#hmac(JSON.stringify(['cursor of public events', this.#store, text])).slice(0, MAC_LENGTH)
  }
}
