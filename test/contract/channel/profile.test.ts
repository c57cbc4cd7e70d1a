import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { profileErrors } from '#domain/channel-profile.ts'
import { channelTemplateSender } from '#runtime/channel/template/template-sender.ts'
import type { Call } from '#runtime/outbound/call.ts'
import type { JsonObject } from '#schemas/event.ts'
import { accepted } from '#schemas/refusal.ts'
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

const TEMPLATE = {
  path: '/stores/{from}/templates',
  body: '{"name": template.name, "lang": template.language, "to": to.id, "vars": template.body.{"k": name, "v": text}[], "ref": key}',
}
const MESSAGE = {
  ...{ id: '', name: 'boleto', language: 'pt_BR', isNamed: true, buttons: [], cards: [] },
  body: [
    { name: 'nome', text: 'Ana' },
    { name: 'vence', text: '12/05' },
  ],
}

describe('a provider that its channel declares', () => {
  test('sends a template by the rule for templates, once and with its key, and none without the rule [P-2713]', async () => {
    const sent: { readonly url: string; readonly headers: unknown; readonly body: unknown }[] = []
    const answers: { readonly status: number; readonly body: JsonObject }[] = []
    const senderOf = async (send: object, answer?: object) => {
      const info = JSON.stringify({ ...PROFILE, send: { ...PROFILE.send, ...send }, ...(answer && { answer }) })
      const fields = { ...FIELDS, channel_extra_info: info }
      const adapter = await loadAdapter('marketplace')
      const of = { id: 'c1', bot: 'b1', type: 'marketplace', level: null, isEnabled: true }
      const channel = { ...of, fields, adapter, values: values() }
      const call: Call = async ({ url, headers, body = '' }) => {
        sent.push({ url, headers, body: JSON.parse(body) })
        const { status, body: told } = answers.shift() ?? { status: 202, body: {} }
        const bytes = new TextEncoder().encode(JSON.stringify(told))
        return accepted({ status, url, redirects: 0, headers: [], body: bytes, truncated: false })
      }
      const failed = (error: unknown) => {
        throw error
      }
      return channelTemplateSender({ call, media: {} as never, failed }, channel, 'marketplace-1')
    }
    const sender = await senderOf({ template: TEMPLATE })
    answers.push({ status: 202, body: { answer: { id: 77 } } })
    expect(await sender?.send(MESSAGE, '+5511999990000', 'k-1')).toEqual({ kind: 'accepted', id: '77', isHeld: false })
    expect(sent).toMatchObject([
      {
        url: 'https://api.market.example/stores/loja%201/templates',
        body: {
          ...{ name: 'boleto', lang: 'pt_BR', to: '5511999990000', ref: 'k-1' },
          vars: [
            { k: 'nome', v: 'Ana' },
            { k: 'vence', v: '12/05' },
          ],
        },
      },
    ])
    expect(sent[0]?.headers).toEqual(expect.arrayContaining([['x-api-key', 'key-1']]))
    // Without a rule for the id, receipts name the key.
    const keyed = await senderOf({ template: TEMPLATE.body }, { retry: [420] })
    expect(await keyed?.send(MESSAGE, '+5511999990000', 'k-2')).toMatchObject({ kind: 'accepted', id: 'k-2' })
    expect(sent[1]?.url).toBe('https://api.market.example/stores/loja%201/answers/5511999990000?ref=k-2')
    answers.push({ status: 500, body: {} }, { status: 422, body: {} })
    expect(await keyed?.send(MESSAGE, '+5511999990000', 'k-3')).toMatchObject({ kind: 'unknown', reason: '500' })
    expect(await keyed?.send(MESSAGE, '+5511999990000', 'k-4')).toMatchObject({ kind: 'failed' })
    const none = await senderOf({})
    expect(await none?.send(MESSAGE, '+5511999990000', 'k-5')).toMatchObject({ kind: 'failed', reason: 'unsupported' })
    expect(sent).toHaveLength(4)
  })

  test('is refused with a faulty rule for templates, by its name [P-2713]', () => {
    const errors = (template: unknown) =>
      profileErrors(JSON.stringify({ ...PROFILE, send: { ...PROFILE.send, template } }), true)
    expect(errors('{"a": ').map(({ params }) => params?.name)).toEqual(['send.template'])
    expect(errors(TEMPLATE)).toEqual([])
  })

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
