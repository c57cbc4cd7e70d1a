import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { z } from 'zod'
import type { JsonObject } from '#schemas/event.ts'
import { type LogSealed, logSealedSchema, SEAL_STREAM } from '#schemas/events/seal.ts'
import { parseJson } from '#schemas/json.ts'
import { canonical } from '../pipeline/append.ts'
import type { EventStore } from '../store/port.ts'

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

/** A seal as it leaves the log: with the hash of the event that holds it. */
export interface ExportedSeal {
  readonly hash: string
  readonly seal: LogSealed
}

const lineSchema = z.object({ hash: z.string(), seal: logSealedSchema })

/** The file cannot be used. The message is the one line to print. */
class SealFileRefused extends Error {
  override readonly name = 'SealFileRefused'
}

/** One line of JSON for each seal of a log, oldest first. */
export async function* exportSeals(log: Pick<EventStore, 'read'>): AsyncGenerator<string> {
  for await (const { hash, data } of log.read(SEAL_STREAM)) yield `${JSON.stringify({ hash, seal: data })}\n`
}

/** Reads output of `exportSeals`. @throws SealFileRefused for an invalid line or signature, or mixed keys or logs */
export const readKeptSeals = (text: string): ExportedSeal[] => {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const kept = lines.map((line, index) => {
    const read = lineSchema.safeParse(parseJson(line))
    if (!read.success) throw new SealFileRefused(`Line ${index + 1} of the kept seals is no seal`)
    if (!isSigned(read.data.seal))
      throw new SealFileRefused(`Line ${index + 1} of the kept seals is not signed by its key`)
    return read.data
  })
  if (kept.length === 0) throw new SealFileRefused('The file of kept seals is empty')
  if (new Set(kept.map(({ seal }) => `${seal.log} ${seal.key}`)).size > 1)
    throw new SealFileRefused('The kept seals are of several logs')
  return kept
}
