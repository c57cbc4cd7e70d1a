import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, objectsOf } from '#schemas/json.ts'
import { type Language, languageOf } from '#schemas/language.ts'
import { booleanOf, membersOf, ScimFault, type ScimOperation, type ScimPath, singleOf, textOrNull } from './syntax.ts'

/** Values of a person that a request sets. Absent: it stays. */
export interface UserChange {
  readonly username?: string
  readonly firstname?: string | null
  readonly lastname?: string | null
  readonly email?: string | null
  readonly language?: Language
  readonly externalid?: string | null
  readonly active?: boolean
}

type Writable = { -readonly [Name in keyof UserChange]: UserChange[Name] }

const MAX_EXTERNAL_ID = 200
const READONLY = new Set(['id', 'meta', 'groups', 'schemas'])

/** The primary address, else the one of work, else the first. */
const emailOf = (value: Json | undefined): string | null => {
  if (!Array.isArray(value)) return textOrNull(value, 'emails')
  const all = objectsOf(value).map(membersOf)
  const chosen =
    all.find(one => booleanOf(one.primary) === true) ?? all.find(one => one.type === 'work') ?? all[0] ?? value[0]
  return textOrNull(isObject(chosen) ? chosen.value : chosen, 'emails.value')
}

/** Parley keeps one address, which is the one of work and the primary one. Others are not kept. */
const isKeptEmail = ({ filter, sub }: ScimPath): boolean => {
  const isMain =
    filter === undefined ||
    (filter.attribute === 'type' && filter.value === 'work') ||
    (filter.attribute === 'primary' && booleanOf(filter.value) === true)
  return isMain && (sub === undefined || sub === 'value')
}

const setName = (change: Writable, sub: string, value: Json | undefined): void => {
  if (sub === 'givenname') change.firstname = textOrNull(value, 'name.givenName')
  if (sub === 'familyname') change.lastname = textOrNull(value, 'name.familyName')
}

/** Attributes that Parley does not keep are left out: clients send many, and repeat what is refused for ever. */
const set = (change: Writable, path: ScimPath, value: Json | undefined): void => {
  const { attribute, sub } = path
  switch (attribute) {
    case 'username': {
      const name = textOrNull(value, 'userName')
      if (name === null) throw new ScimFault('invalidValue', 'userName is required')
      change.username = name
      return
    }
    case 'externalid': {
      const id = textOrNull(value, 'externalId')
      if (id !== null && id.length > MAX_EXTERNAL_ID)
        throw new ScimFault('invalidValue', `externalId has at most ${MAX_EXTERNAL_ID} characters`)
      change.externalid = id
      return
    }
    case 'active': {
      const active = booleanOf(singleOf(value))
      if (active === undefined) throw new ScimFault('invalidValue', 'active is true or false')
      change.active = active
      return
    }
    case 'locale': {
      const language = languageOf(textOrNull(value, 'locale') ?? undefined)
      if (language !== undefined) change.language = language
      return
    }
    case 'name':
      if (sub !== undefined) setName(change, sub, value)
      else
        for (const [name, member] of Object.entries(isObject(value) ? membersOf(value) : NO_NAME))
          setName(change, name, member)
      return
    case 'emails':
      if (isKeptEmail(path)) change.email = emailOf(value)
      return
  }
}

/** Value of a removed name. */
const NO_NAME: JsonObject = { givenname: null, familyname: null }

/**
 * Values of a whole resource. `isWhole`: names and address that it lacks are cleared. `active`, `locale` and `externalId`
 * that it lacks stay.
 * @throws ScimFault
 */
export const readUser = (body: Json | undefined, isWhole: boolean): UserChange & { readonly username: string } => {
  if (!isObject(body)) throw new ScimFault('invalidSyntax', 'The body is a User')
  const change: Writable = isWhole ? { firstname: null, lastname: null, email: null } : {}
  for (const [attribute, value] of Object.entries(membersOf(body))) set(change, { attribute }, value)
  const { username } = change
  if (username === undefined) throw new ScimFault('invalidValue', 'userName is required')
  return { ...change, username }
}

/**
 * The change that all operations of a PATCH make.
 * @throws ScimFault
 */
export const patchUser = (operations: readonly ScimOperation[]): UserChange => {
  const change: Writable = {}
  for (const { op, path, value, isExplicit } of operations) {
    if (isExplicit && READONLY.has(path.attribute))
      throw new ScimFault('mutability', `${path.attribute} can not be changed`)
    set(change, path, op === 'remove' ? undefined : value)
  }
  return change
}
