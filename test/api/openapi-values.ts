import { randomUUID } from 'node:crypto'
import type { Client } from './harness.ts'

/** People in no example. */
const SEGMENT = { rule: { all: [{ field: 'country', op: 'in', value: ['PT'] }] } }

/** Values that a declaration alone does not tell. */
export const RULED: Readonly<Record<string, object>> = {
  dialogcomment: { block: 'a', text: 'Exemplo' },
  handlercomment: { block: 'a', text: 'Exemplo' },
  tinyurlmapping: { original_url: 'https://example.com/' },
  report: { type: 'dashboard', metabaseid: 1 },
  metaapp: { app_id: '1' },
  metaaccount: { waba_id: '1' },
  template: { templateName: 'exemplo', body: 'Oi, tudo bem?' },
  campaign: { name: 'exemplo' },
  identityprovider: { issuer: 'https://id.example' },
  segment: SEGMENT,
  webhook: { url: 'https://example.com/', enable: false },
  user: { username: 'exemplo', password: 'Exemplo-2026!' },
}

/** Asked by tests of their own; a contact is needed to be forgotten, and one caller has one job at a time. */
export const PATHS_WITHOUT_ENTITY = new Set([
  'POST /auth/login',
  'POST /auth/logout',
  'POST /user/verify2fa',
  'POST /auth/passkey',
  'POST /file',
  'DELETE /contact/{id}',
  'POST /campaign/{id}/contacts/preview',
  'POST /contactlist/{id}/contacts/preview',
  'POST /contactlist/{id}/copy',
])

/** Operations that are refused, with the status: no chat is at the desk, no number was verified, and no rehearsal runs. */
export const REFUSED: Readonly<Record<string, number>> = {
  // Only a browser whose sign-in at a provider owes a code.
  'POST /auth/oidc/code': 400,
  'POST /auth/oidc/register2fa': 400,
  'POST /auth/oidc/passkey': 400,
  // There is no provider to sign in at.
  'POST /identityprovider/{id}/testaccount': 503,
  'POST /identityprovider/{id}/testclaims': 400,
  // There is no passkey, and the test cannot sign as an authenticator.
  'POST /user/passkey': 401,
  'PATCH /user/passkey/{id}': 404,
  'DELETE /user/passkey/{id}': 404,
  // No mail server is set, so that no link is good.
  'POST /user/password/forgot': 409,
  'POST /user/password/reset': 400,
  // The caller works below the root by now, the only level with providers.
  'POST /identityprovider': 422,
  'GET /rehearsal/{id}': 404,
  'GET /rehearsal/{id}/ways': 404,
  'GET /rehearsal/{id}/conversation': 404,
  'POST /rehearsal/{id}/stop': 404,
  'GET /desk/chat/{id}': 404,
  'GET /desk/chat/{id}/canned': 404,
  'GET /desk/chat/{id}/templates': 404,
  'GET /conversation/{id}/write': 409,
  'POST /conversation/{id}/write': 409,
  'POST /desk/chat/{id}/take': 404,
  'POST /desk/chat/{id}/messages': 404,
  'POST /desk/chat/{id}/template': 404,
  'POST /desk/chat/{id}/note': 404,
  'POST /desk/chat/{id}/typing': 404,
  'POST /desk/chat/{id}/snooze': 404,
  'POST /desk/chat/{id}/wake': 404,
  'POST /desk/chat/{id}/decline': 404,
  'POST /desk/chat/{id}/transfer': 404,
  'POST /desk/chat/{id}/assign': 404,
  'POST /desk/chat/{id}/priority': 404,
  'POST /desk/chat/{id}/tags': 404,
  'POST /desk/chat/{id}/close': 404,
  // Of a web chat.
  'POST /channel/{id}/testmessage': 422,
  'GET /channel/{id}/testmessage/{message}': 404,
  'POST /campaign/{id}/testnumbers': 422,
  'POST /campaign/{id}/testnumbers/verify': 422,
  'POST /campaign/{id}/testnumbers/remove': 404,
}

type Ids = Readonly<Record<string, string>>

export const contactQueries = (ids: Ids): Readonly<Record<string, () => string>> => ({
  '/campaignrun': () => `?campaign=${ids.campaign}`,
  '/contact': () => `?campaign=${ids.campaign}`,
  '/contact/export': () => `?campaign=${ids.campaign}`,
  '/contact/{id}': () => `?campaign=${ids.campaign}`,
})

export const contactWrites = (ids: Ids): Readonly<Record<string, () => object>> => ({
  'POST /campaign/{id}/cancel': () => ({ confirm: 'CONFIRM' }),
  'POST /campaign/{id}/resendunknown': () => ({ confirm: 'CONFIRM' }),
  'POST /contact': () => ({ campaign: ids.campaign, phone: '21 98765-4321', nome: 'Exemplo' }),
  'POST /campaign/{id}/recipients/search': () => ({ search: 'Exemplo' }),
  'POST /contact/search': () => ({ campaign: ids.campaign, search: 'Exemplo' }),
  'POST /contact/removal': () => ({ campaign: ids.campaign, rule: SEGMENT.rule, confirm: 'CONFIRM' }),
  'POST /segment/sample': () => SEGMENT,
  'POST /contact/bulk': () => [{ phone: '21 98765-4322', nome: 'Exemplo' }],
  'PATCH /contact/{id}': () => ({ campaign: ids.campaign, nome: 'Outro' }),
})

/** Makes a simulated number, and a campaign that is sent from it. */
export const makeSimulated = async (admin: Client, bot: string): Promise<Ids> => {
  const number = (await admin.post('/simulatednumber', { bot })).body
  const mapping = [{ variable: '1', source: 'text', text: 'Exemplo' }]
  const given = { name: 'simulada', template: number.template, metaaccount: number.account, mapping }
  const { status, text, body } = await admin.post('/campaign', given)
  if (status !== 201) throw new Error(text)
  return { simulatednumber: String(number.account), 'simulated campaign': body.id }
}

/** Paths that ask about the campaign of the simulated number. */
export const SIMULATED_CAMPAIGN = /^\/campaign\/\{id\}\/test/u

export const simulatedWrites = (ids: Ids): Readonly<Record<string, () => object>> => ({
  'POST /simulatednumber': () => ({ bot: ids.bot }),
  'POST /simulatednumber/{id}/persona/{persona}': () => ({ do: 'say', text: 'Oi' }),
  'POST /simulatednumber/{id}/contacts': () => ({ campaign: ids['simulated campaign'], count: 2 }),
  'POST /simulatednumber/{id}/copy': () => ({ campaign: ids['simulated campaign'], metaaccount: ids.metaaccount }),
  'POST /campaign/{id}/choosewinner': () => ({ winner: 'a' }),
  'POST /campaign/{id}/test': () => ({ phones: ['+55 11 90000-0007'] }),
  'POST /campaign/{id}/testnumbers': () => ({ phone: '11 98765-4323' }),
  'POST /campaign/{id}/testnumbers/verify': () => ({ number: 'none', code: '123456' }),
  'POST /campaign/{id}/testnumbers/remove': () => ({ number: 'none' }),
})

export const deskWrites: Readonly<Record<string, () => object>> = {
  'POST /desk/chat/{id}/messages': () => ({ id: randomUUID(), text: 'Oi', seen: '0' }),
  'POST /desk/chat/{id}/template': () => ({ id: randomUUID(), template: 'none', values: {}, seen: '0' }),
  'POST /desk/chat/{id}/note': () => ({ id: randomUUID(), text: 'Oi' }),
  'POST /conversation/{id}/reveal': () => ({ reason: 'Exemplo' }),
  'POST /conversation/{id}/write': () => ({ id: randomUUID(), text: 'Oi' }),
  'POST /desk/chat/{id}/typing': () => ({ on: true }),
  'POST /desk/chat/{id}/transfer': () => ({ queue: 'none' }),
  'POST /desk/chat/{id}/assign': () => ({ user: null }),
  'POST /desk/chat/{id}/priority': () => ({ priority: 1 }),
  'POST /desk/chat/{id}/tags': () => ({ tags: ['vip'] }),
}
