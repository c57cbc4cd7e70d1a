import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import type { JsonObject } from '#schemas/event.ts'
import type { LogSealed } from '#schemas/events/seal.ts'
import { canonical } from './hash-chain.ts'

export type Unsigned = Omit<LogSealed, 'key' | 'signature'>

export interface Signer {
  /** Ed25519, 32 bytes in base64url: may be given to anyone. */
  readonly key: string
  sign(seal: Unsigned): LogSealed
}

/** DER prefix of the 32 bytes of an Ed25519 key (RFC 8410). */
const PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC = Buffer.from('302a300506032b6570032100', 'hex')

interface IndexKey {
  readonly index: { hmac(text: string): string }
}

/** The log's own key, derived from one that PARLEY_KEY wraps and that no rotation changes. */
export const signerOf = ({ index }: IndexKey): Signer => {
  const seed = Buffer.from(index.hmac(JSON.stringify(['log seal'])), 'hex')
  const secret = createPrivateKey({ key: Buffer.concat([PRIVATE, seed]), format: 'der', type: 'pkcs8' })
  const der = createPublicKey(secret).export({ format: 'der', type: 'spki' })
  const key = der.subarray(PUBLIC.length).toString('base64url')
  return {
    key,
    sign: seal => {
      const signed = { ...seal, key }
      return { ...signed, signature: sign(null, textOf(signed), secret).toString('base64url') }
    },
  }
}

/** Whether a seal was signed with the key that it names. */
export const isSigned = ({ signature, ...signed }: LogSealed): boolean => {
  const raw = Buffer.from(signed.key, 'base64url')
  if (raw.length !== 32) return false
  const key = createPublicKey({ key: Buffer.concat([PUBLIC, raw]), format: 'der', type: 'spki' })
  return verify(null, textOf(signed), key, Buffer.from(signature, 'base64url'))
}

const textOf = (signed: Omit<LogSealed, 'signature'>): Buffer => Buffer.from(canonical(signed as JsonObject))
