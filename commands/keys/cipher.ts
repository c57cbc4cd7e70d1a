import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import type { Json, JsonObject } from '#schemas/event.ts'

/** The key is missing, malformed or another one than the stored keys were made with. The message is the one line to print. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused'
}

/** Nothing can be written about a user whose key was destroyed. */
export class UserForgotten extends Error {
  override readonly name = 'UserForgotten'
}

/** A sealed value was changed, or moved from its original place. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken'
}

const ALGORITHM = 'aes-256-gcm'
export const KEY_BYTES = 32
const IV_BYTES = 12

/** AES-256-GCM with a random nonce. @returns `iv:tag:ciphertext`, each base64url */
export function encrypt(key: Buffer, clear: Buffer, context: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, createSecretKey(key), iv).setAAD(Buffer.from(context))
  const text = Buffer.concat([cipher.update(clear), cipher.final()])
  return [iv, cipher.getAuthTag(), text].map(part => part.toString('base64url')).join(':')
}

/** @throws SealBroken when key, context or text is another one than it was encrypted with */
export function decrypt(key: Buffer, sealed: string, context: string): Buffer {
  const [iv = '', tag = '', text = ''] = sealed.split(':')
  try {
    const decipher = createDecipheriv(ALGORITHM, createSecretKey(key), Buffer.from(iv, 'base64url'), {
      authTagLength: 16,
    })
      .setAAD(Buffer.from(context))
      .setAuthTag(Buffer.from(tag, 'base64url'))
    return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()])
  } catch {
    throw new SealBroken(`The sealed value of ${context} does not open`)
  }
}

type SealKind = '$secret' | '$personal'

const VERSION = 'v1'

/** `{"$secret": "v1:keyId:iv:tag:ciphertext"}`, which replaces the value in event data. */
export function seal(kind: SealKind, keyId: string, key: Buffer, value: Json, context: string): JsonObject {
  const text = encrypt(key, Buffer.from(JSON.stringify(value)), binding(kind, keyId, context))
  return { [kind]: `${VERSION}:${keyId}:${text}` }
}

/** @throws SealBroken when it is not such an envelope */
export function keyIdOf(kind: SealKind, sealed: JsonObject): string {
  return parts(kind, sealed).keyId
}

/** @throws SealBroken when the value was changed or belongs to another context */
export function unseal(kind: SealKind, key: Buffer, sealed: JsonObject, context: string): Json {
  const { keyId, text } = parts(kind, sealed)
  return JSON.parse(decrypt(key, text, binding(kind, keyId, context)).toString())
}

function parts(kind: SealKind, sealed: JsonObject) {
  const [, version, keyId = '', text = ''] = /^([^:]*):([^:]*):(.*)$/.exec(String(sealed[kind])) ?? []
  if (version !== VERSION) throw new SealBroken(`Not a ${kind} of ${VERSION}`)
  return { keyId, text }
}

const binding = (kind: SealKind, keyId: string, context: string) => JSON.stringify([kind, keyId, context])
