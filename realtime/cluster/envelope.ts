import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

const VERSION = 1
const SENDER_BYTES = 16
const NUMBER_BYTES = 8
const TAG_BYTES = 16
/** version, sender, number, tag */
const HEADER = 1 + SENDER_BYTES + NUMBER_BYTES + TAG_BYTES
const ALGORITHM = 'aes-256-gcm'
/** Keys of senders kept; nodes come and go with every start. */
const MAX_SENDERS = 256

interface Opened {
  /** Id of the sending node, new at each start. */
  readonly sender: string
  /** Grows with each message of a sender. */
  readonly number: number
  readonly content: Uint8Array
}

/**
 * Encrypts and signs messages between nodes, bound to their subject, so that only holders of the cluster's keys can
 * read or send. Each sender has its own key; its counter is the nonce.
 */
export class Envelope {
  readonly sender: string
  readonly #key: string
  readonly #keys = new Map<string, Buffer>()
  #number = 0

  /** @param key the cluster's, any text */
  constructor(key: string) {
    this.#key = key
    this.sender = randomBytes(SENDER_BYTES).toString('hex')
  }

  /** Bytes that sealing adds to a message. */
  static readonly overhead = HEADER

  seal(subject: string, content: Uint8Array): Uint8Array {
    this.#number += 1
    const nonce = nonceOf(this.#number)
    const cipher = createCipheriv(ALGORITHM, this.#keyOf(this.sender), nonce).setAAD(Buffer.from(subject))
    const body = [cipher.update(content), cipher.final()]
    const sender = Buffer.from(this.sender, 'hex')
    return Buffer.concat([Buffer.of(VERSION), sender, nonce.subarray(-NUMBER_BYTES), cipher.getAuthTag(), ...body])
  }

  /** Undefined for what no node of this cluster has sent on this subject. */
  open(subject: string, sealed: Uint8Array): Opened | undefined {
    if (sealed.length < HEADER || sealed[0] !== VERSION) return undefined
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
    const sender = bytes.toString('hex', 1, 1 + SENDER_BYTES)
    const number = Number(bytes.readBigUInt64BE(1 + SENDER_BYTES))
    try {
      const decipher = createDecipheriv(ALGORITHM, this.#keyOf(sender), nonceOf(number), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(subject))
        .setAuthTag(bytes.subarray(HEADER - TAG_BYTES, HEADER))
      return { sender, number, content: Buffer.concat([decipher.update(bytes.subarray(HEADER)), decipher.final()]) }
    } catch {
      return undefined
    }
  }

  #keyOf(sender: string): Buffer {
    const known = this.#keys.get(sender)
    if (known !== undefined) return known
    const key = createHmac('sha256', this.#key).update(sender).digest()
    if (this.#keys.size >= MAX_SENDERS) this.#keys.clear()
    this.#keys.set(sender, key)
    return key
  }
}

const nonceOf = (number: number): Buffer => {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number), 12 - NUMBER_BYTES)
  return nonce
}
