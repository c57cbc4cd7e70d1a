import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, optionalText, stringsOf } from '#schemas/json.ts'
import { type Language, languageOf } from '#schemas/language.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, DecisionContext } from '../behaviour.ts'
import { checkRights, type RightsFacts } from './permission.ts'

/** When groups or level are taken over from a provider. */
type Follow = 'off' | 'create' | 'always'

/** A claim that equals the `externalId` of users that a service account made. */
interface Directory {
  readonly claim: 'sub' | 'oid'
  /** Id of the service account. */
  readonly account: string
}

/** Rules for the claims of a provider. */
export interface ProviderPolicy {
  readonly groupsclaim: string
  readonly usernameclaim: string
  readonly acr: readonly string[]
  readonly linkbyemail: boolean
  readonly domains: readonly string[]
  /** Users that a service account made (SCIM) are found by this claim. */
  readonly directory: Directory | undefined
  readonly create: boolean
  readonly followgroups: Follow
  readonly followlevel: Follow
}

export interface IdentityProviderFacts extends RightsFacts {
  /** Its level is the root. */
  readonly isRoot: boolean
}

const check = <T>(value: T, context: DecisionContext<IdentityProviderFacts>): Result<T> => {
  if (!context.facts.isRoot)
    return refused('validation.failed', { errors: [{ path: 'hierarchylevel', code: 'option' }] })
  const rights = checkRights(context)
  return rights.ok ? accepted(value) : rights
}

/** The claims of a provider give groups: only a person with every right says which provider is believed. */
export const identityProviderBehaviour: Behaviour<IdentityProviderFacts> = {
  commands: {},
  onCreate: check,
  onChange: (_state, changes, context) => check(changes, context),
}

/** A person as the claims of an ID token describe them. */
export interface ClaimedPerson {
  readonly username: string
  readonly firstname: string | null
  readonly lastname: string | null
  readonly email: string | null
  readonly isEmailVerified: boolean
  readonly language: Language | undefined
  /** Value of the claim that names the user of a directory. */
  readonly externalId: string | undefined
  /** Undefined: the token has no such claim. */
  readonly groups: readonly string[] | undefined
  /** The provider names a place to ask for the groups instead of the groups. */
  readonly hasTooManyGroups: boolean
  /** The provider has asked for a second factor. */
  readonly isStrong: boolean
}

const NAME_LENGTH = 100
/** Methods of RFC 8176 that are a second factor. */
const STRONG = new Set(['mfa', 'hwk', 'swk'])
const EMAIL = /^[^\s@"<>]{1,64}@[^\s@"<>]{1,189}$/u

/** One line without control characters; null when nothing is left. */
const lineOf = (value: Json | undefined): string | null => {
  if (typeof value !== 'string') return null
  const text = value
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, NAME_LENGTH)
    .toWellFormed()
    .trim()
  return text === '' ? null : text
}

const beforeAt = (name: string): string =>
  name.includes('@') ? (lineOf(name.slice(0, name.indexOf('@'))) ?? 'user') : name

/** A username with an @ must be the own address: of another one the part before it is left. */
const usernameOf = (names: readonly (Json | undefined)[], email: string | null): string => {
  const given = names.map(lineOf).find(name => name !== null) ?? 'user'
  return given.toLowerCase() === email?.toLowerCase() ? given : beforeAt(given)
}

const groupsOf = (value: Json | undefined): readonly string[] | undefined => {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? stringsOf(value) : undefined
}

export const readClaims = (claims: JsonObject, policy: ProviderPolicy): ClaimedPerson => {
  const { given_name, family_name, name, email: address, email_verified, locale, acr, amr, sub } = claims
  const email = typeof address === 'string' && EMAIL.test(address) ? address : null
  const elsewhere = isObject(claims._claim_names) ? claims._claim_names : {}
  const firstname = lineOf(given_name)
  return {
    username: usernameOf([claims[policy.usernameclaim], email, sub], email),
    firstname: firstname ?? lineOf(name),
    lastname: lineOf(family_name),
    email,
    isEmailVerified: email_verified === true,
    language: typeof locale === 'string' ? languageOf(locale) : undefined,
    externalId: policy.directory && optionalText(claims[policy.directory.claim]),
    groups: groupsOf(claims[policy.groupsclaim]),
    hasTooManyGroups: Object.hasOwn(elsewhere, policy.groupsclaim),
    isStrong:
      stringsOf(amr ?? null).some(method => STRONG.has(method)) ||
      (typeof acr === 'string' && policy.acr.includes(acr)),
  }
}

/** Part of a sign-in that a claim is read for. */
type ClaimUse = 'account' | 'username' | 'name' | 'email' | 'language' | 'groups' | 'secondfactor'

const FIXED_USES: Readonly<Record<string, ClaimUse>> = {
  iss: 'account',
  sub: 'account',
  given_name: 'name',
  family_name: 'name',
  name: 'name',
  email: 'email',
  email_verified: 'email',
  locale: 'language',
  acr: 'secondfactor',
  amr: 'secondfactor',
  _claim_names: 'groups',
}

/** Use of a claim in `readClaims`; undefined for others. */
export const claimUse = (
  name: string,
  { groupsclaim, usernameclaim, directory }: Pick<ProviderPolicy, 'groupsclaim' | 'usernameclaim' | 'directory'>,
): ClaimUse | undefined => {
  if (name === groupsclaim) return 'groups'
  if (name === usernameclaim) return 'username'
  if (name === directory?.claim) return 'account'
  return Object.hasOwn(FIXED_USES, name) ? FIXED_USES[name] : undefined
}

/** Whether an address may lead to an existing account: verified, and of a listed domain. */
export const mayLinkByEmail = (
  { email, isEmailVerified }: Pick<ClaimedPerson, 'email' | 'isEmailVerified'>,
  { linkbyemail, domains }: Pick<ProviderPolicy, 'linkbyemail' | 'domains'>,
): boolean => {
  const domain = email?.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return linkbyemail && isEmailVerified && domains.some(one => one.trim().toLowerCase() === domain)
}

/**
 * The highest of these levels, each given with the levels above it up to the root, nearest first. Undefined when they
 * are on two branches: a common level above them would widen every role.
 */
export const topOfBranch = (chains: readonly (readonly string[])[]): string | undefined => {
  const sorted = chains.toSorted((one, other) => other.length - one.length)
  const [deepest = []] = sorted
  const isOneBranch = chains.every(([level]) => level !== undefined && deepest.includes(level))
  return isOneBranch ? sorted.at(-1)?.[0] : undefined
}

/** Characters of a name before its number. */
export const NUMBERED_LENGTH = NAME_LENGTH - 2

/** Usernames to try, the wanted one first. It alone may be an address. */
export const usernameCandidates = (wanted: string): readonly string[] => {
  const plain = beforeAt(wanted)
  const numbered = Array.from({ length: 98 }, (_, at) => `${plain.slice(0, NUMBERED_LENGTH)}${at + 2}`)
  return [...(plain === wanted ? [] : [wanted]), plain, ...numbered]
}
