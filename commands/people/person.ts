import type { Fields } from '#domain/entity.ts'
import { passkeysOf, type StoredPasskey } from '#domain/people/passkey.ts'
import { user } from '#schemas/entities/user.ts'
import type { Json } from '#schemas/event.ts'
import { sealContext } from '#schemas/events/entity.ts'
import { foldName } from '#schemas/fold-text.ts'
import { isObject, optionalText, stringsOf } from '#schemas/json.ts'
import { type Keys, openField } from '../keys/secret.ts'
import { nameStream } from '../name/reservation.ts'
import type { Loader } from '../pipeline/load.ts'
import type { EventStore } from '../store/port.ts'
import { offeredAuthenticator } from './offered-authenticator.ts'

export interface Passkey extends Omit<StoredPasskey, 'name'> {
  readonly name: string
}

/** Whether the demanded second factor is a passkey, which neither a password nor a provider replaces. */
export const needsPasskey = ({
  demanded,
  registered,
  passkeys,
}: Pick<Person, 'demanded' | 'registered' | 'passkeys'>) => demanded && !registered && passkeys.length > 0

/** Ties the sealed name of a passkey to its place. */
export const passkeyNameContext = (user: string, id: string): string => `${sealContext('user', user, 'passkeys')}.${id}`

/** A user as sign-in needs them, secrets opened. */
export interface Person {
  readonly id: string
  /** Home level. */
  readonly level: string
  readonly username: string
  readonly email: string | undefined
  readonly hash: string | undefined
  /** Secret of the registered authenticator, and of one that waits for its first code. */
  readonly secret: string | undefined
  readonly pending: string | undefined
  readonly step: number | null
  /** Hashes of the recovery codes that were not used. */
  readonly recoverycodes: readonly string[]
  readonly locked: boolean
  readonly demanded: boolean
  readonly registered: boolean
  readonly attempts: number
  /** Signs in by password even with OIDC_ONLY. */
  readonly breakglass: boolean
  /** `<HMAC of the issuer> <HMAC of issuer and sub>`. */
  readonly identities: readonly string[]
  readonly groups: readonly string[]
  /** With their names opened. */
  readonly passkeys: readonly Passkey[]
  /** `last_password_changed_at`. */
  readonly changed: string | null
}

export interface PersonSource {
  readonly store: EventStore
  readonly keys: Keys
  readonly loader: Loader
}

/** Undefined: there is no such user, or they were removed or forgotten. */
export const loadPerson = async (source: PersonSource, id: string): Promise<Person | undefined> => {
  const { state } = await source.loader.load(user, id, { fresh: true })
  if (state.status !== 'live' || state.fields.forgotten === true) return undefined
  const { fields } = state
  const open = (name: string) => opened(source.keys, id, name, fields)
  const secret = await open('twofactorsecret')
  // Offers of earlier versions are in the user's own stream.
  const pending = (await offeredAuthenticator(source, id)) ?? (await open('twofactorpending'))
  return {
    id,
    level: state.level ?? '',
    username: (await open('username')) ?? '',
    email: await open('email'),
    hash: await open('password'),
    secret,
    pending: pending === secret ? undefined : pending,
    step: typeof fields.twofactorstep === 'number' ? fields.twofactorstep : null,
    recoverycodes: Array.isArray(fields.recoverycodes) ? fields.recoverycodes.map(String) : [],
    locked: fields.locked === true,
    demanded: fields.enabletwofactor === true,
    registered: fields.twofactorenabled === true,
    attempts: Number(fields.loginattempts ?? 0),
    breakglass: fields.breakglass === true,
    identities: stringsOf(fields.identities),
    groups: stringsOf(fields.usergroup),
    passkeys: await openedPasskeys(source.keys, id, fields.passkeys),
    changed: optionalText(fields.last_password_changed_at) ?? null,
  }
}

/** By username, else by e-mail address. Does the same work whether the name exists or not. */
export const findPerson = async (source: PersonSource, name: string): Promise<Person | undefined> => {
  const [username, email] = await Promise.all([ownerOf(source, 'username', name), ownerOf(source, 'email', name)])
  return loadPerson(source, username ?? email ?? NOBODY)
}

/** Id that no user has. */
export const NOBODY = '00000000-0000-0000-0000-000000000000'

/** The user whose e-mail address it is. */
export const findByEmail = async (source: PersonSource, email: string): Promise<Person | undefined> => {
  const owner = await ownerOf(source, 'email', email)
  const person = owner === undefined ? undefined : await loadPerson(source, owner)
  return person?.email?.toLowerCase() === email.toLowerCase() ? person : undefined
}

/** The user with this username, without case. */
export const findByUsername = async (source: PersonSource, name: string): Promise<Person | undefined> => {
  const owner = await ownerOf(source, 'username', name)
  const person = owner === undefined ? undefined : await loadPerson(source, owner)
  return person !== undefined && foldName(person.username) === foldName(name) ? person : undefined
}

/** Last owner of the name; their own stream shows whether they still use it. */
export const ownerOf = async (
  { store, keys }: Pick<PersonSource, 'store' | 'keys'>,
  field: string,
  name: string,
): Promise<string | undefined> => {
  const stream = await nameStream(keys, 'user', field, null, name)
  for await (const event of store.read(stream, { direction: 'backwards', limit: 1 })) {
    return event.type === 'NameReleased' ? undefined : optionalText(event.data.id)
  }
  return undefined
}

const opened = async (keys: Keys, id: string, name: string, fields: Fields): Promise<string | undefined> =>
  optionalText(await openField(keys, user, id, name, fields[name] ?? null))

const openedPasskeys = async (keys: Keys, user: string, value: Json | undefined): Promise<readonly Passkey[]> =>
  Promise.all(
    passkeysOf(value).map(async passkey => {
      const { id, name } = passkey
      const shown = isObject(name) ? await keys.personal.decrypt(user, name, passkeyNameContext(user, id)) : name
      return { ...passkey, name: optionalText(shown) ?? '' }
    }),
  )
