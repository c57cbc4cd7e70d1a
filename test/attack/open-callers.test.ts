import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { openAdmin } from '#test/api/open-parley.ts'
import { APP_SECRET, callerOf, openChannels } from './open-channels.ts'

const { parley, admin } = await openAdmin({
  env: { TRUSTED_PROXIES: '127.0.0.1', LIMIT_MESSAGES: '60', LIMIT_CONVERSATIONS: '30' },
})
let addresses = 0

const elsewhere = () => ({ 'x-forwarded-for': `203.0.113.${++addresses}` })

const { signed, chat } = await openChannels(admin)

const { post, open, say } = callerOf(parley.origin, chat)

test('a server with the secret of a channel sends for many people over Direct Line [P-1634]', async () => {
  const headers = { ...elsewhere(), authorization: 'Bearer secret-1' }
  const statuses = new Set<number>()
  for (let n = 0; n < 5; n += 1) {
    const begun = await post(`/directline/${chat}/conversations`, '{}', headers)
    const { conversationId } = (await begun.json()) as { conversationId: string }
    for (let m = 0; m < 15; m += 1) {
      const said = JSON.stringify({ type: 'message', from: { id: 'u' }, text: 'oi' })
      const path = `/directline/${chat}/conversations/${conversationId}/activities`
      statuses.add((await post(path, said, headers)).status)
    }
  }
  expect([...statuses]).toEqual([200])
})

test('a server that opens conversations with the secret of a channel sends for many people [P-1634]', async () => {
  const here = elsewhere()
  const statuses = new Set<number>()
  for (let n = 0; n < 5; n += 1) {
    const begun = await post(`/chat/${chat}/conversations`, JSON.stringify({ token: 'secret-1' }), here)
    const { conversation, token } = (await begun.json()) as { conversation: string; token: string }
    for (let m = 0; m < 15; m += 1) statuses.add((await say(conversation, token, here, `m${m}`)).status)
  }
  expect([...statuses]).toEqual([202])
})

test('visitors who come back to their conversations do not begin any [P-1635]', async () => {
  const here = elsewhere()
  const { body } = await open(here)
  const statuses = new Set<number>()
  for (let n = 0; n < 35; n += 1)
    statuses.add((await post(`/chat/${chat}/conversations`, JSON.stringify({ resume: body.token }), here)).status)
  expect([...statuses]).toEqual([201])
})

test('calls to other channels do not shut out a provider that calls many from one address [P-1634]', async () => {
  const here = elsewhere()
  const statuses: number[] = []
  for (const path of ['/channel/nothing', `/channel/${chat}`])
    for (let n = 0; n < 65; n += 1) statuses.push((await post(path, '{}', here)).status)
  expect(statuses.at(-1)).toBe(429)
  const content = JSON.stringify({ object: 'whatsapp_business_account', entry: [] })
  const signature = `sha256=${createHmac('sha256', APP_SECRET).update(content).digest('hex')}`
  const proven = () => post(`/channel/${signed}`, content, { ...here, 'x-hub-signature-256': signature })
  expect((await proven()).status).toBe(200)
  expect((await post(`/channel/${signed}`, '{}', here)).status).toBe(429)
  expect((await proven()).status).toBe(200)
  for (let n = 0; n < 59; n += 1) expect((await post(`/channel/${signed}`, '{}', here)).status).toBe(429)
  // A channel that is called often without a proof takes no more bodies of the address.
  expect((await proven()).status).toBe(429)
})

test('61 calls of one address that do not prove themselves to a channel get 429 [P-1634]', async () => {
  const here = elsewhere()
  const statuses: number[] = []
  for (let n = 0; n < 61; n += 1) statuses.push((await post(`/channel/${signed}`, '{}', here)).status)
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 401), 429])
})
