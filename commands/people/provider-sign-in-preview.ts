import { identityStream } from '#schemas/events/session.ts'
import type { RefusalCode } from '#schemas/refusal.ts'
import { loadPerson, type Person } from './person.ts'
import { accountOf, ownerOfAccount, type ProviderClaim, readLink } from './provider-account.ts'
import { groupsAfter, matchedOf, type ProviderSignInOptions, placeByGroups, presentPlace } from './provider-sign-in.ts'

/** Result that a sign-in would have. */
export interface ProviderSignInPreview {
  /** Why it would be refused. */
  readonly refusal: RefusalCode | undefined
  /** `known`: of earlier sign-ins; `linked`: made by SCIM, or by a verified address; `new`: an account is made. */
  readonly account: 'known' | 'linked' | 'new'
  /** Username here, as it is before the sign-in. */
  readonly username: string | undefined
  /** Home level afterwards. */
  readonly level: string | undefined
  /** Ids of the groups afterwards. */
  readonly groups: readonly string[]
  /** Ids of groups that are taken away. */
  readonly lost: readonly string[]
}

type Options = Pick<ProviderSignInOptions, 'keys' | 'loader' | 'lookup' | 'store'>

type Found = Pick<ProviderSignInPreview, 'account'> & { readonly person: Person | undefined }

const findPerson = async (options: Options, claim: ProviderClaim): Promise<Found> => {
  const hashed = await accountOf(options.keys, claim.provider.issuer, { sub: claim.sub, sid: undefined })
  const { user } = await readLink(options.store, identityStream(hashed.sub ?? ''))
  const known = user === undefined ? undefined : await loadPerson(options, user)
  if (known !== undefined) return { account: 'known', person: known }
  const person = await ownerOfAccount(options, claim)
  return { account: person === undefined ? 'new' : 'linked', person }
}

/** Groups and level of a person who is here already. */
const placeOf = async (
  options: Options,
  claim: ProviderClaim,
  { person, matched }: { readonly person: Person; readonly matched: Awaited<ReturnType<typeof matchedOf>> },
): Promise<Pick<ProviderSignInPreview, 'level' | 'groups' | 'lost' | 'refusal'>> => {
  const { policy } = claim.provider
  const stays = { level: person.level, groups: person.groups, lost: [], refusal: undefined }
  if (policy.followgroups !== 'always' || claim.person.groups === undefined) return stays
  const place =
    matched.length === 0
      ? { level: person.level, groups: [] }
      : await placeByGroups(options, matched, presentPlace(policy, person))
  if (place === undefined) return { ...stays, refusal: 'auth.level' }
  const given = place.groups.map(({ id }) => id)
  const groups = groupsAfter(claim, person, given)
  const lost = person.groups.filter(id => !groups.includes(id))
  return { level: place.level, groups, lost, refusal: given.length === 0 ? 'auth.nogroup' : undefined }
}

/** Says what a sign-in with these claims would do. Writes nothing and notifies nobody. */
export const previewProviderSignIn = async (options: Options, claim: ProviderClaim): Promise<ProviderSignInPreview> => {
  const { person: claimed, provider } = claim
  const { create, followgroups } = provider.policy
  const { account, person } = await findPerson(options, claim)
  const matched = await matchedOf(options, claim)
  const base = { account, username: person?.username, level: person?.level, groups: person?.groups ?? [], lost: [] }
  const refuse = (refusal: RefusalCode): ProviderSignInPreview => ({ ...base, refusal })
  if (claimed.hasTooManyGroups && followgroups !== 'off') return refuse('auth.groups')
  if (person?.locked === true) return refuse('auth.locked')
  if (person !== undefined) return { ...base, ...(await placeOf(options, claim, { person, matched })) }
  if (!create) return refuse('auth.unknown')
  if (followgroups === 'off' || matched.length === 0) return refuse('auth.nogroup')
  const place = await placeByGroups(options, matched, { stays: undefined, now: undefined })
  if (place === undefined) return refuse('auth.level')
  return { ...base, refusal: undefined, level: place.level, groups: place.groups.map(({ id }) => id) }
}
