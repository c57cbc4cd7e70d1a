import { afterAll, expect, test } from 'vitest'
import { startForgingProvider } from '#test/doubles/oidc/forging-provider.ts'
import { createCall } from '../outbound/call.ts'
import { createProviderClient, type ProviderClient } from './provider-client.ts'

const double = await startForgingProvider()
afterAll(() => double.close())

const registration = () => ({ issuer: double.issuer, clientId: 'parley', clientSecret: 's', scopes: 'openid' })
/** One that waits for an answer gives up soon; the others take their time. */
const clientOf = (allowPrivate = true): ProviderClient =>
  createProviderClient({
    call: createCall({ allowPrivate }),
    warn: () => {},
    ...(double.trouble === 'hangs' ? { timeout: 300 } : {}),
  })
const begin = (client: ProviderClient) => client.begin(registration(), 'http://127.0.0.1/callback')

test.each([
  ['hangs', 'outbound.timeout'],
  ['huge', 'outbound.answer'],
  ['redirects', 'outbound.redirects'],
  ['incomplete', 'the discovery document is incomplete'],
] as const)(
  'refuses a provider whose discovery document %s, and takes it once it is fine [P-2544]',
  async (how, reason) => {
    double.trouble = how
    const client = clientOf()
    expect(await begin(client)).toMatchObject({ ok: false, refusal: { code: 'auth.provider', params: { reason } } })
    double.trouble = 'none'
    expect(await begin(how === 'hangs' ? clientOf() : client)).toMatchObject({ ok: true })
  },
)

test('refuses a private address and an unreachable one [P-2544]', async () => {
  expect(await begin(clientOf(false))).toMatchObject({ refusal: { params: { reason: 'outbound.private' } } })
  const gone = { ...registration(), issuer: 'http://127.0.0.1:1' }
  const asked = await clientOf().begin(gone, 'http://127.0.0.1/callback')
  expect(asked).toMatchObject({ refusal: { params: { reason: 'outbound.unreachable' } } })
})

test('refuses the address of several tenants, in each of which one id is of another person [P-2038]', async () => {
  const issuer = 'https://login.microsoftonline.com/organizations/v2.0'
  const of = (tenant: string) => ({
    ...{ issuer: `https://login.microsoftonline.com/${tenant}/v2.0`, jwks_uri: `${issuer}/keys` },
    ...{ authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
  })
  const client = createProviderClient({
    call: async ({ url }) => ({
      ok: true,
      value: {
        ...{ status: 200, url, redirects: 0, truncated: false, headers: [['content-type', 'application/json']] },
        body: Buffer.from(JSON.stringify(of(url.includes('organizations') ? '{tenantid}' : 'aurora'))),
      },
    }),
    warn: () => {},
  })
  const at = (address: string) => client.begin({ ...registration(), issuer: address }, 'http://127.0.0.1/callback')
  expect(await at(issuer)).toMatchObject({
    refusal: { code: 'auth.provider', params: { reason: expect.stringContaining('several tenants') } },
  })
  expect((await at(of('aurora').issuer)).ok).toBe(true)
})

test('tests discovery, keys and PKCE [P-2549]', async () => {
  expect(await clientOf().test(registration())).toEqual([
    { part: 'discovery', result: { ok: true, value: double.issuer } },
    { part: 'keys', result: { ok: true, value: '1' } },
    { part: 'pkce', result: { ok: true, value: 'S256' } },
  ])
  double.trouble = 'hangs'
  expect(await clientOf().test(registration())).toMatchObject([{ part: 'discovery', result: { ok: false } }])
  double.trouble = 'none'
})

test('reads the discovery document once a day [P-2544]', async () => {
  let now = 0
  const client = createProviderClient({ call: createCall({ allowPrivate: true }), warn: () => {}, now: () => now })
  const before = double.discoveries
  const readAt = async (time: number) => {
    now = time
    expect((await begin(client)).ok).toBe(true)
    return double.discoveries - before
  }
  const day = 24 * 3_600_000
  expect([await readAt(0), await readAt(day - 1), await readAt(day)]).toEqual([1, 1, 2])
})
