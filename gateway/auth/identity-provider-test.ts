import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { claimUse } from '#domain/people/identity-provider.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Handshake, SignedInAccount } from '#runtime/oidc/provider-client.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { JsonObject } from '#schemas/event.ts'
import { stringsOf } from '#schemas/json.ts'
import { RequestRefused } from '../http/failure.ts'
import { handle } from '../http/handle.ts'
import { problemOf, refuse } from '../problem.ts'
import { sessionOf } from '../routes/command.ts'
import type { Provider } from './identity-providers.ts'
import {
  callbackOf,
  claimOnce,
  createSealedCookies,
  type OidcParts,
  originOf,
  providerClaim,
  TEST_STATE,
} from './oidc-route.ts'
import { ownCookie } from './session-cookie.ts'

/** Tests of one person in a minute. */
const MAX_TESTS = 30
const TEST_COOKIE = 'parley_oidc_test'
const TEST_MS = 10 * 60_000
/** Characters of a claim that are shown. */
const MAX_VALUE = 2_000
/** Values of the claim with the groups that are shown. */
const MAX_GROUPS = 200

type ClaimsAnswer = AnswerOf<'POST /identityprovider/{id}/testclaims'>
type AnsweredGroups = ClaimsAnswer['groups']

const TESTING = { permission: 'testidentityprovider', effect: 'calls out' } as const
/** A browser signs in at the provider: a token cannot. */
const IN_BROWSER = { ...TESTING, sessionOnly: true } as const

/** Tests of an identity provider: of its addresses, and of the claims that it sends about the account of the caller. */
export const addIdentityProviderTests = (app: FastifyInstance, given: OidcParts): void => {
  const { parts, providers } = given
  const tests = parts.rates.add('identity provider test', MAX_TESTS)

  const providerOf = async (request: FastifyRequest, id: string): Promise<Provider> => {
    const { access, scope } = sessionOf(request)
    const isVisible = (await parts.read.detail(scope, 'identityprovider', id)) !== undefined
    const provider = isVisible ? await providers.stored(id) : undefined
    if (provider === undefined) throw new RequestRefused({ code: 'entity.notfound' })
    const wait = tests.take(access.user)
    if (wait !== undefined) throw new RequestRefused({ code: 'request.toomany', params: { retryAfter: wait } })
    return provider
  }

  handle(app, 'POST /identityprovider/{id}/test', TESTING, async request => {
    const { id } = request.params
    const provider = await providerOf(request, id)
    const started = performance.now()
    const checks = await provider.client.test(provider.registration)
    return {
      ok: checks.length === 3 && checks.every(({ result }) => result.ok),
      time: Math.round(performance.now() - started),
      callback: callbackOf(parts, id),
      checks: checks.map(({ part, result }) => {
        if (result.ok) return { part, ok: true, detail: result.value }
        const { code, detail } = problemOf(result.refusal, request.language)
        return { part, ok: false, detail, code }
      }),
    }
  })

  addAccountTest(app, given, providerOf)
}

/** A sign-in at the provider that ends with its claims: no session is opened, no user is made or changed. */
const addAccountTest = (
  app: FastifyInstance,
  given: OidcParts,
  providerOf: (request: FastifyRequest, id: string) => Promise<Provider>,
): void => {
  const { parts } = given
  const sealed = createSealedCookies(parts)
  const purposeOf = (request: FastifyRequest, { id }: Provider): string =>
    `oidc test ${id} ${sessionOf(request).access.session}`
  const cookieOf = (reply: FastifyReply, id: string) =>
    ownCookie(parts, reply, `/botadmin/api/identityprovider/${encodeURIComponent(id)}`)

  handle(app, 'POST /identityprovider/{id}/testaccount', IN_BROWSER, async (request, reply) => {
    const provider = await providerOf(request, request.params.id)
    const { client, registration, id } = provider
    const begun = await client.begin(registration, callbackOf(parts, id), TEST_STATE)
    if (!begun.ok) return refuse(reply, begun.refusal)
    const { url, handshake } = begun.value
    const value = await sealed.seal(purposeOf(request, provider), { ...handshake }, TEST_MS)
    reply.setCookie(TEST_COOKIE, value, { ...cookieOf(reply, id), maxAge: TEST_MS / 1000 })
    return { url }
  })

  handle(app, 'POST /identityprovider/{id}/testclaims', IN_BROWSER, async (request, reply) => {
    const provider = await providerOf(request, request.params.id)
    const { client, registration, id } = provider
    const opened = await sealed.open(purposeOf(request, provider), request.cookies[TEST_COOKIE])
    reply.clearCookie(TEST_COOKIE, cookieOf(reply, id))
    const handshake = opened as unknown as Handshake | undefined
    const url = new URL(callbackOf(parts, id))
    url.search = request.body.query
    const isOwn = handshake !== undefined && url.searchParams.get('state') === handshake.state
    if (!isOwn || !(await claimOnce(parts.store, `oidc state ${handshake.state}`)))
      return refuse(reply, { code: 'auth.state' })
    const finished = await client.finish(registration, url, handshake)
    if (!finished.ok) return refuse(reply, finished.refusal)
    return claimsAnswer(given, request, provider, finished.value)
  })
}

const claimsAnswer = async (
  { parts, people }: OidcParts,
  request: FastifyRequest,
  provider: Provider,
  account: SignedInAccount,
): Promise<ClaimsAnswer> => {
  const claim = await providerClaim(parts, provider, account, originOf(request))
  const { refusal, ...preview } = await people.previewProviderSignIn(claim)
  const names = await namesOf(parts, request)
  const { username, firstname, lastname, email, language = null, isStrong } = claim.person
  return {
    refusal:
      refusal === undefined ? null : { code: refusal, detail: problemOf({ code: refusal }, request.language).detail },
    account: preview.account,
    username: preview.username ?? null,
    level: preview.level === undefined ? null : names.level(preview.level),
    usergroups: preview.groups.map(names.group),
    lost: preview.lost.map(names.group),
    person: { username, firstname, lastname, email, language, secondfactor: isStrong },
    groups: names.groupsOf(claim.person.groups),
    claims: claimsOf(account.claims, provider),
  }
}

/** All claims but the nonce, those that are read first. */
const claimsOf = (claims: JsonObject, { policy }: Provider): ClaimsAnswer['claims'] =>
  Object.entries(claims)
    .filter(([name]) => name !== 'nonce')
    .map(([name, value]) => ({
      name: name.slice(0, MAX_VALUE),
      value: (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_VALUE),
      use: claimUse(name, policy) ?? null,
    }))
    .toSorted((one, other) => Number(one.use === null) - Number(other.use === null))

/** Names of groups, levels and roles: those that the caller may read, ids of the others. */
const namesOf = async ({ read }: OidcParts['parts'], request: FastifyRequest) => {
  const { caller } = sessionOf(request)
  const rowsOf = async <N extends 'usergroup' | 'hierarchy' | 'role'>(entity: N) =>
    caller.permits(`read${entity}`) ? allRows(read, SYSTEM_SCOPE, entity) : []
  const [groups, levels, roles] = await Promise.all([rowsOf('usergroup'), rowsOf('hierarchy'), rowsOf('role')])
  const nameIn = (rows: readonly { readonly id: string; readonly name: string }[]) => {
    const names = new Map(rows.map(({ id, name }) => [id, name]))
    return (id: string): string => names.get(id) ?? id
  }
  const [group, level, role] = [nameIn(groups), nameIn(levels), nameIn(roles)]
  const groupsOf = (values: readonly string[] | undefined): AnsweredGroups =>
    values?.slice(0, MAX_GROUPS).map(value => ({
      value: value.slice(0, MAX_VALUE),
      usergroups: groups
        .filter(row => row.identifiedby === value)
        .map(row => ({
          id: row.id,
          name: row.name,
          level: level(row.hierarchylevel ?? ''),
          roles: stringsOf(row.roles).map(role),
        })),
    })) ?? null
  return { group, level, groupsOf }
}
