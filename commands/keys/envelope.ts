import type { Json, JsonObject } from '#schemas/event.ts'
import { decrypt, encrypt } from './cipher.ts'
import { SealBroken } from './error.ts'

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
