import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import type { Fields } from '#domain/entity.ts'
import { itemsOf, itemWithId } from '#domain/field/stored-items.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { sealContext } from '#schemas/events/entity.ts'
import type { ListField } from '#schemas/field/kind.ts'
import { jsonEqual } from '#schemas/json.ts'
import { derivedId } from '../pipeline/append.ts'

/** Keys interface for commands (commands/keys/). A context binds a ciphertext to its place. */
export interface Keys {
  readonly secret: {
    encrypt(value: Json, context: string): Promise<JsonObject> | JsonObject
    decrypt(sealed: JsonObject, context: string): Promise<Json> | Json
  }
  readonly personal: {
    encrypt(user: string, value: Json, context: string): Promise<JsonObject> | JsonObject
    /** Undefined when the user was forgotten. */
    decrypt(user: string, sealed: JsonObject, context: string): Promise<Json | undefined> | Json | undefined
    /** Destroys the user's key, for ever. May be repeated. */
    forget(user: string): Promise<void> | void
  }
  readonly index: {
    /** HMAC under the index key, lower-case hex. */
    hmac(text: string): Promise<string> | string
  }
}

const isSealed = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && ('$secret' in value || '$personal' in value)

/** Whether a field's value is to be kept secret, given all fields as they will be. */
const isSecret = (entity: EntityDeclaration, name: string, fields: Fields): boolean => {
  const field = entity.fields[name]
  return field?.secret === true || (field?.secretWhen !== undefined && fields[field.secretWhen] === true)
}

/**
 * `changes` as they may be written: secret and personal values encrypted, those that did not change left as they are
 * stored, and a value that is no longer secret taken out instead of being shown.
 */
export const sealChanges = async (
  keys: Keys,
  entity: EntityDeclaration,
  id: string,
  present: Fields,
  changes: Fields,
): Promise<Fields> => {
  const next = { ...present, ...changes }
  const sealed: Record<string, Json> = { ...changes }
  for (const [name, field] of Object.entries(entity.fields)) {
    if (field.kind === 'list') {
      if (changes[name] !== undefined)
        sealed[name] = await sealItems(keys, field, sealContext(entity.name, id, name), present[name], changes[name])
      continue
    }
    const value = next[name] ?? null
    const context = sealContext(entity.name, id, name)
    if (isSecret(entity, name, next)) {
      if (value !== null && !isSealed(value)) sealed[name] = await sealSecret(keys, present[name], value, context)
    } else if (field.personal) {
      if (value !== null && !isSealed(value)) sealed[name] = await sealPersonal(keys, id, present[name], value, context)
    } else if (field.secretWhen !== undefined && isSealed(value)) sealed[name] = null
  }
  return sealed
}

/** Items of a list with their secrets encrypted; a secret is tied to its item's id. */
const sealItems = async (
  keys: Keys,
  { item: fields }: ListField,
  context: string,
  stored: Json | undefined,
  value: Json,
): Promise<Json> => {
  const secrets = Object.keys(fields).filter(name => fields[name]?.secret === true)
  if (secrets.length === 0 || !Array.isArray(value)) return value
  const seal = async (item: JsonObject): Promise<JsonObject> => {
    const sealed: Record<string, Json> = { ...item }
    for (const name of secrets) {
      const given = item[name] ?? null
      if (given === null || isSealed(given)) continue
      const place = `${context}.${String(item.id)}.${name}`
      sealed[name] = await sealSecret(keys, itemWithId(stored, item.id)?.[name], given, place)
    }
    return sealed
  }
  return Promise.all(itemsOf(value).map(seal))
}

const SET: JsonObject = { set: true }

/** Items of a list as they may be shown: their secrets as {set: true}. */
export const maskItems = (value: Json): Json =>
  Array.isArray(value)
    ? itemsOf(value).map(item =>
        Object.fromEntries(Object.entries(item).map(([name, member]) => [name, isSealed(member) ? SET : member])),
      )
    : value

const sealSecret = async (keys: Keys, stored: Json | undefined, value: Json, context: string): Promise<Json> => {
  if (isSealed(stored) && jsonEqual(await keys.secret.decrypt(stored, context), value)) return stored
  return keys.secret.encrypt(value, context)
}

const sealPersonal = async (
  keys: Keys,
  user: string,
  stored: Json | undefined,
  value: Json,
  context: string,
): Promise<Json> => {
  if (isSealed(stored)) {
    const known = await keys.personal.decrypt(user, stored, context)
    if (known !== undefined && jsonEqual(known, value)) return stored
  }
  return keys.personal.encrypt(user, value, context)
}

/** A field's value in clear, where it may be had: undefined for what was forgotten. */
export const openField = async (
  keys: Keys,
  entity: EntityDeclaration,
  id: string,
  name: string,
  value: Json,
): Promise<Json | undefined> => {
  if (!isSealed(value)) return value
  const context = sealContext(entity.name, id, name)
  return '$personal' in value ? keys.personal.decrypt(id, value, context) : keys.secret.decrypt(value, context)
}

/** Items of a list with their secrets in clear. */
export const openItems = async (
  keys: Keys,
  entity: EntityDeclaration,
  id: string,
  name: string,
  value: Json,
): Promise<Json> => {
  if (!Array.isArray(value)) return value
  const context = sealContext(entity.name, id, name)
  const open = async (item: JsonObject): Promise<JsonObject> => {
    const members = Object.entries(item).map(async ([member, stored]) => {
      const place = `${context}.${String(item.id)}.${member}`
      return [member, isSealed(stored) ? await keys.secret.decrypt(stored, place) : stored] as const
    })
    return Object.fromEntries(await Promise.all(members))
  }
  return Promise.all(itemsOf(value).map(open))
}

/** Holder of the key that masked answers of a conversation are sealed under until it ends. */
export const maskedHolder = (conversation: string): string => derivedId(conversation, 'masked')

/** Keys as a node uses them, wherever they are kept: in a file beside the embedded store, or in the shared store. */
export interface NodeKeys extends Keys {
  readonly personal: Keys['personal'] & {
    /** Users whose key was destroyed. */
    forgotten(): Promise<ReadonlySet<string>> | ReadonlySet<string>
  }
  readonly index: {
    hmac(text: string): string
  }
  close(): void
}

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

/** Moves a key out of the pool of buffers, of which a cached key would keep 8 kB in memory. Wipes the given one. */
export const unpooled = (key: Buffer): Buffer => {
  const copy = Buffer.allocUnsafeSlow(key.length)
  key.copy(copy)
  key.fill(0)
  return copy
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
