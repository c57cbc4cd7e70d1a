import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { profileErrors } from '#domain/channel-profile.ts'
import type { JsonObject } from '#schemas/event.ts'
import { loadAdapter, MESSAGES, rendered } from './contract.ts'
import { answeredValues, noValues, webhookRequest } from './request.ts'

const PROFILE = {
  verify: { scheme: 'hmac-sha256', header: 'X-Signature', prefix: 'v1=' },
  authenticate: { scheme: 'header', header: 'X-Api-Key' },
  send: {
    path: '/stores/{from}/answers/{to}?ref={key}',
    headers: { 'x-app': 'parley' },
    body: '{"answer": message.text, "person": to.id, "ref": key}',
  },
  receive:
    'body.questions.{"kind": "message", "id": id, "from": {"id": $string(buyer.id), "name": buyer.name}, "text": text, "time": $toMillis(at)}',
  answer: { id: 'answer.id', retry: [420] },
}
const FIELDS = {
  url: 'https://api.market.example',
  auth_token: 'key-1',
  sender_number: 'loja 1',
  channel_verify_token: 'verify-1',
  channel_extra_info: JSON.stringify(PROFILE),
}
const BODY = { questions: [{ id: 9, text: 'Tem azul?', at: '2026-05-04T10:00:00Z', buyer: { id: 5, name: 'Ana' } }] }
const call = (body: JsonObject, secret = 'verify-1') => {
  const written = JSON.stringify(body)
  const hash = createHmac('sha256', secret).update(written).digest('hex')
  return webhookRequest({ body: written, headers: { 'x-signature': `v1=${hash}` } })
}
const values = () => answeredValues(() => ({ body: {} })).values

describe('a provider that its channel declares', () => {
  test('takes calls by the mapping of their bodies [P-1164]', async () => {
    const { verify, parse } = await loadAdapter('marketplace')
    expect(await verify(call(BODY), FIELDS, noValues)).toMatchObject({ ok: true })
    expect(await verify(call(BODY, 'another'), FIELDS, noValues)).toMatchObject({ ok: false })
    expect(await verify(call(BODY), { ...FIELDS, channel_verify_token: '' }, noValues)).toMatchObject({ ok: false })
    expect(await parse(call(BODY), FIELDS, values())).toEqual({
      ok: true,
      value: [
        {
          kind: 'message',
          id: '9',
          from: { id: '5', name: 'Ana' },
          to: '',
          time: Date.parse('2026-05-04T10:00:00Z'),
          content: { kind: 'text', text: 'Tem azul?' },
        },
      ],
    })
    expect(await parse(call({ other: 1 }), FIELDS, values())).toEqual({ ok: true, value: [] })
    const untold = {
      ...FIELDS,
      channel_extra_info: JSON.stringify({ ...PROFILE, receive: '{"kind": "message", "id": 1}' }),
    }
    expect(await parse(call(BODY), untold, values())).toMatchObject({ value: [{ kind: 'unknown' }] })
  })

  test('sends by the mapping of a message, and reads what comes back [P-1164]', async () => {
    const adapter = await loadAdapter('marketplace')
    const [request] = await rendered(adapter, MESSAGES.buttons as never, { id: '5/6' }, FIELDS, values())
    expect(request).toEqual({
      method: 'POST',
      url: 'https://api.market.example/stores/loja%201/answers/5%2F6?ref=k-7.1',
      headers: [['x-app', 'parley']],
      body: { answer: 'Confirma?\n1. Sim\n2. Não', person: '5/6', ref: 'k-7.1' },
    })
    expect(await adapter.authorize(request as never, FIELDS, noValues)).toMatchObject({
      value: {
        headers: [
          ['x-app', 'parley'],
          ['x-api-key', 'key-1'],
        ],
      },
    })
    const outcome = (status: number, body: JsonObject) =>
      adapter.classify({ status, headers: [], body }, FIELDS, values())
    expect(await outcome(201, { answer: { id: 'a-1' } })).toEqual({ kind: 'sent', id: 'a-1' })
    expect(await outcome(420, {})).toMatchObject({ kind: 'retry' })
    expect(await outcome(404, {})).toEqual({ kind: 'final', code: 'http.404' })
    expect(await outcome(500, {})).toEqual({ kind: 'unknown' })
  })

  test("Interaxa: sends and reads Meta's bodies where its channel says nothing else [P-1165]", async () => {
    const adapter = await loadAdapter('whatsapp_interaxa')
    const fields = { ...FIELDS, channel_extra_info: JSON.stringify({ send: { path: '/messages' } }) }
    const [request] = await rendered(adapter, MESSAGES.text as never, { id: '55' }, fields, values())
    expect(request?.url).toBe('https://api.market.example/messages')
    expect(request?.body).toMatchObject({ messaging_product: 'whatsapp', to: '55', text: { body: 'Olá *Ana*' } })
    const body = { messages: [{ id: 'w1', from: '55', timestamp: '1', type: 'text', text: { body: 'oi' } }] }
    expect(await adapter.parse(call(body), fields, values())).toMatchObject({ value: [{ id: 'w1' }] })
    expect(
      await adapter.verify(webhookRequest({ headers: { 'x-parley-token': 'verify-1' } }), fields, noValues),
    ).toMatchObject({ ok: true })
  })

  test('reports a rule that fails by its name and continues [P-1164]', async () => {
    const { parse, render } = await loadAdapter('marketplace')
    const with_ = (changed: JsonObject) => ({
      ...FIELDS,
      channel_extra_info: JSON.stringify({ ...PROFILE, ...changed }),
    })
    const failing = { refusal: { code: 'channel.profile', params: { rule: 'receive' } } }
    expect(await parse(call(BODY), with_({ receive: '$error("x")' }), values())).toMatchObject(failing)
    const send = { ...PROFILE.send, body: '"text"' }
    expect(await render({ kind: 'text', text: 'oi' }, { id: '5' }, with_({ send }), 'k', values())).toMatchObject({
      refusal: { code: 'channel.profile', params: { rule: 'send.body' } },
    })
    expect(await parse(call(BODY), { ...FIELDS, channel_extra_info: 'x' }, values())).toMatchObject({ ok: false })
  })

  test('reports errors of a mapping on save [P-1166]', () => {
    const errors = (changed: object, isMapped = true) =>
      profileErrors(JSON.stringify({ ...PROFILE, ...changed }), isMapped)
    expect(errors({})).toEqual([])
    expect(profileErrors('not json', true)).toMatchObject([{ path: 'channel_extra_info', code: 'format' }])
    expect(errors({ receive: 'body.(' })).toMatchObject([{ code: 'format', params: { name: 'receive' } }])
    expect(errors({ send: { path: 'no slash' } })).toMatchObject([{ code: 'format', params: { name: 'send.path' } }])
    expect(errors({ send: { path: '' }, receive: undefined }).map(({ params }) => params?.name)).toEqual([
      'send.body',
      'receive',
    ])
    expect(errors({ send: { path: '' }, receive: undefined }, false)).toEqual([])
    expect(errors({ other: 1 })).toMatchObject([{ code: 'format' }])
  })
})
