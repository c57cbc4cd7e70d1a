import type { JWTPayload } from 'jose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Client } from '#test/api/harness.ts'
import { type ForgingProvider, startForgingProvider } from '#test/doubles/oidc/forging-provider.ts'
import { type Cluster, type Node, startCluster } from './cluster.ts'

// After the cluster has chosen the store of its gateways.
const { ProviderBrowser } = await import('#test/api/provider-browser.ts')

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }
/** ms until a session has ended on every node. */
const END_TIMEOUT_MS = 5_000

let forger: ForgingProvider
let cluster: Cluster
let one: Node
let two: Node
let three: Node

beforeAll(async () => {
  forger = await startForgingProvider()
  cluster = await startCluster({ OIDC_ISSUER: forger.issuer, OIDC_CLIENT_ID: 'parley' })
  ;[one, two, three] = cluster.nodes
  const role = await one.admin.create('role', { name: 'Reader', actions: ['readbot', 'readdialog'] })
  await one.admin.create('usergroup', { name: 'staff', identifiedby: 'staff', roles: [role] })
  const shown = async ({ admin }: Node) => (await admin.get('/usergroup?search=staff')).body.total
  for (const node of [two, three]) await vi.waitFor(async () => expect(await shown(node)).toBe(1))
}, 120_000)
afterAll(async () => {
  await cluster?.close()
  await forger?.close()
})

const nowS = () => Math.floor(Date.now() / 1000)
const claimsOf = (nonce: string, more: JWTPayload): JWTPayload => ({
  ...{ iss: forger.issuer, aud: 'parley', nonce, iat: nowS(), exp: nowS() + 300, groups: ['staff'] },
  ...more,
})
let codes = 0

/** Begins at one node and comes back to another. */
const signIn = async (begin: Node, end: Node, more: JWTPayload) => {
  const first = new ProviderBrowser(begin.parley, 'settings')
  const { state, nonce } = await first.begin()
  forger.idToken = await forger.sign(claimsOf(nonce, more))
  const back = new ProviderBrowser(end.parley, 'settings')
  for (const line of first.cookies.lines) back.cookies.take(new Headers({ 'set-cookie': line }))
  codes += 1
  return { ...(await back.finish({ code: `code-${codes}`, state })), client: back.client }
}
const at = ({ parley }: Node, { token }: Client) =>
  fetch(`${parley.origin}/botadmin/api/auth/user`, { headers: { authorization: `Bearer ${token}` } })

test('a sign-in that begins at one node ends at another, and its logout ends it on all within 5 s [P-2543]', async () => {
  const { dialog } = await one.admin.createDialog({ name: 'Loja' }, 'Pedidos', 'Prazo')
  const signed = await signIn(one, two, { sub: 'ana', sid: 's1', preferred_username: 'ana' })
  expect(signed.status).toBe(200)
  for (const node of cluster.nodes) expect((await at(node, signed.client)).status).toBe(200)
  const room = new WebSocket(`${two.parley.origin.replace('http', 'ws')}/botadmin/realtime/dialog-${dialog}`, {
    headers: { authorization: `Bearer ${signed.client.token}` },
  })
  await new Promise(resolve => room.once('message', resolve))
  const closed = new Promise(resolve => room.once('close', resolve))

  const token = await forger.sign(
    { iss: forger.issuer, aud: 'parley', jti: 'j1', sid: 's1', events: EVENTS, iat: nowS(), exp: nowS() + 120 },
    { typ: 'logout+jwt' },
  )
  const logout = ({ parley }: Node) =>
    parley.anyone.send('POST', '/auth/oidc/settings/logout', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: token }),
    })
  expect((await logout(three)).status).toBe(200)
  expect((await at(three, signed.client)).status).toBe(401)
  for (const node of [one, two])
    await expect.poll(async () => (await at(node, signed.client)).status, { timeout: END_TIMEOUT_MS }).toBe(401)
  expect(await closed).toBe(4401)
  expect((await logout(one)).status).toBe(400)
}, 60_000)

test('two first sign-ins of one person at two nodes make one user [P-2530]', async () => {
  const person = { sub: 'twice', preferred_username: 'twice' }
  const begun = await Promise.all(
    [one, two].map(async ({ parley }) => {
      const browser = new ProviderBrowser(parley, 'settings')
      return { browser, ...(await browser.begin()) }
    }),
  )
  // One token for both: its nonce is checked, so each is asked in turn, while the other is being answered.
  const answers = []
  for (const { browser, state, nonce } of begun) {
    forger.idToken = await forger.sign(claimsOf(nonce, person))
    codes += 1
    const asked = forger.tokenCalls.length
    answers.push(browser.finish({ code: `code-${codes}`, state }))
    await expect.poll(() => forger.tokenCalls.length, { interval: 5, timeout: 10_000 }).toBeGreaterThan(asked)
  }
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200])
  const { items } = (await one.admin.get('/user?search=twice')).body
  expect(items.map(({ username }) => username)).toEqual(['twice'])
}, 60_000)
