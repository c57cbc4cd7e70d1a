import { createHash, randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { AGENT, makeQueue, until } from '#test/api/desk-team.ts'
import { openAdmin } from '#test/api/open-parley.ts'
import { level, person } from '#test/api/people.ts'
import { uploadPicture } from '#test/api/upload.ts'
import { ZENVIA } from '#test/doubles/whatsapp/json-wires.ts'
import { PROVIDER_ENV, startProvider } from '#test/doubles/whatsapp/provider-server.ts'
import { startTemplateProvider } from '#test/doubles/whatsapp/template-server.ts'
import { INFOBIP_TEMPLATES } from '#test/doubles/whatsapp/template-wires.ts'
import { done } from '#test/fixture/agent-bot.ts'
import { makeDeskBot } from '#test/fixture/desk-bot.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'

const ANA = '5511988800001'
/** This number never wrote. */
const OTHER = '5511988800002'

const flowWith = (template: string, templateValues: object) => {
  const given = { text: 'Seu pedido saiu', template, templateValues }
  return {
    operators: {
      start: plainBlock('start', 0),
      here: plainBlock('sendmessage', 100, given),
      there: plainBlock('sendmessage', 200, { ...given, destination: OTHER }),
      ask: plainBlock('prompt', 300, { varname: 'pedido', data: { type: 'text', text: 'Qual é o pedido?' } }),
      hand: plainBlock('connecttoagent', 400, { agentSystem: 'parley' }),
      bye: plainBlock('endconversation', 500),
    },
    links: {
      ...{ a: link('start', 'here'), b: link('here', 'there'), c: link('there', 'ask') },
      ...{ d: link('ask', 'hand'), e: link('hand', 'bye') },
    },
  }
}
const VALUES = [{ variable: '1', value: 'Pedido {{1 + 1}}' }]

const publishWith = async (template: string, values: object) => {
  expect((await admin.put(`/dialog/${dialog}/flow`, flowWith(template, values))).status).toBe(200)
  return admin.post(`/dialog/${dialog}/publish`)
}
const faultsOf = ({ body }: Awaited<ReturnType<typeof publishWith>>) =>
  ((body.errors ?? []) as unknown as readonly { readonly params: { rule: string; block: string; name: string } }[]).map(
    ({ params: { rule, block, name } }) => [rule, block, name],
  )
const tell = async (id: string, text: string) => {
  const answer = await provider.call(parley.origin, path, ZENVIA.said(ANA, id, text))
  expect(answer.status, await answer.text()).toBe(200)
}

const provider = await startProvider(ZENVIA)
const { parley, admin } = await openAdmin({ env: PROVIDER_ENV })
const place = await level(admin, 'Loja')
const made = await makeDeskBot(admin, undefined, { hierarchylevel: place })
const { bot, dialog } = made
const number = (sender_number: string) =>
  done(admin.post('/channel', { bot, type: ZENVIA.type, url: provider.url, ...ZENVIA.fields, sender_number }))
const channel = await number('sender')
const second = await number('sender-2')
const path = `/channel/${channel}/${ZENVIA.fields.channel_verify_token}`
const template = (templateName: string, fields: object) =>
  done(
    admin.post('/template', {
      ...{ channel, templateName, language: 'pt_BR', category: 'utility', templateType: 'TEXT' },
      ...{ body: 'Oi! {{1}} saiu.', provider_id: `id-${templateName}` },
      ...fields,
    }),
  )
const provider_fields = [{ variable: '1', name: 'pedido' }]
/** Ids of templates: sendable, without the name of its variable, and at another channel. */
const sendable = await template('saiu', { provider_fields })
const unnamed = await template('sem_nome', {})
const elsewhere = await template('outro', { provider_fields, channel: second })
const camila = await person(parley, admin, {
  username: 'camila',
  level: place,
  actions: [...AGENT, 'revealconversation'],
})
await makeQueue(admin, place, [camila], { name: 'Pedidos' })
afterAll(async () => {
  provider.close()
})

describe('a message block with a template', () => {
  test('is not published without a value for each variable, or with a template that no channel sends [P-2515]', async () => {
    expect(faultsOf(await publishWith(sendable, [{ variable: '1', value: ' ' }]))).toEqual([
      ['block_unmapped', 'here', '1'],
      ['block_unmapped', 'there', '1'],
    ])
    expect(faultsOf(await publishWith(unnamed, VALUES)).map(([rule]) => rule)).toEqual([
      'block_template',
      'block_template',
    ])
    expect(faultsOf(await publishWith(randomUUID(), VALUES)).map(([rule]) => rule)).toEqual([
      'block_target',
      'block_target',
    ])
    // Registered at another channel of the same bot, whose messages may go there.
    expect((await publishWith(elsewhere, VALUES)).status).toBe(200)
    expect((await publishWith(sendable, VALUES)).status).toBe(200)
  })

  test('sends its text within the 24 hours, and its template to a number that did not write [P-2513]', async () => {
    await tell('in-1', 'oi')
    await until(() => expect(provider.sentTo(ANA)).toHaveLength(2))
    expect(provider.sentTo(ANA).map(({ text }) => text)).toEqual(['Seu pedido saiu', 'Qual é o pedido?'])
    await until(() => expect(provider.sentTo(OTHER)).toHaveLength(1))
    expect(provider.sentTo(OTHER)[0]?.request.body.contents).toEqual([
      { type: 'template', templateId: 'id-saiu', fields: { pedido: 'Pedido 2' } },
    ])
  })
})

describe('a template in a chat of the desk', () => {
  test('is one of the channel with all its values, sent by its holder and audited without them [P-2517]', async () => {
    await tell('in-2', '123')
    let at = ''
    await until(async () => {
      const { items } = (await camila.client.get('/desk/chat?view=waiting')).body
      at = `/desk/chat/${String(items[0]?.conversation)}`
      expect(items).toHaveLength(1)
    })
    expect((await camila.client.post(`${at}/take`, {})).status).toBe(200)
    expect((await camila.client.get(`${at}/templates`)).body).toEqual({
      items: [
        {
          ...{ id: sendable, name: 'saiu', language: 'pt_BR', category: 'utility' },
          ...{ text: 'Oi! {{1}} saiu.', buttons: [], variables: ['1'] },
        },
      ],
    })
    const seen = String((await camila.client.get(at)).body.position)
    const send = (template: string, values: object, client = camila.client) =>
      client.post(`${at}/template`, { id: randomUUID(), template, values, seen })
    const refusals = [
      [randomUUID(), { 1: 'x' }, 'template', 'reference'],
      [elsewhere, { 1: 'x' }, 'template', 'reference'],
      [unnamed, { 1: 'x' }, 'template', 'option'],
      [sendable, { 1: ' ' }, 'values.1', 'required'],
      [sendable, {}, 'values.1', 'required'],
    ] as const
    for (const [template, values, field, code] of refusals) {
      const { status, body } = await send(template, values)
      expect([status, body.errors]).toMatchObject([422, [{ path: field, code }]])
    }
    const looking = await person(parley, admin, { username: 'ze', level: place, actions: ['showdesk'] })
    expect((await send(sendable, { 1: 'x' }, looking.client)).status).toBe(403)
    expect((await looking.client.get(`${at}/templates`)).status).toBe(403)
    const away = await person(parley, admin, { username: 'eva', level: await level(admin, 'Outra'), actions: AGENT })
    expect((await send(sendable, { 1: 'x' }, away.client)).status).toBe(404)

    expect((await send(sendable, { 1: 'Pedido 9' })).status).toBe(200)
    await until(() => expect(provider.sentTo(ANA).at(-1)?.text).toContain('Oi! Pedido 9 saiu.'))
    const conversation = at.split('/').at(-1)
    const query = `/audit?entity=conversation&entityid=${conversation}&action=templatesent`
    const { body, text } = await admin.get(query)
    expect(body).toMatchObject({ total: 1, items: [{ action: 'templatesent', user: { id: camila.id } }] })
    expect(text).toContain(sendable)
    expect(text).not.toContain('Pedido 9')
  })

  test('shows its holder the whole number once they asked to see it [P-2922]', async () => {
    const [chat] = (await camila.client.get('/desk/chat?view=mine')).body.items
    const at = `/desk/chat/${String(chat?.conversation)}`
    const masked = { value: `•••• ${ANA.slice(-4)}`, masked: true }
    expect((await camila.client.get(at)).body).toMatchObject({ number: masked, mayreveal: true, revealed: null })
    const ask = `/conversation/${String(chat?.conversation)}/reveal`
    expect((await camila.client.post(ask, { reason: 'A loja liga para ela' })).status).toBe(200)
    await until(async () =>
      expect((await camila.client.get(at)).body).toMatchObject({
        ...{ number: { value: ANA, masked: false }, mayreveal: false, revealed: expect.any(String) },
      }),
    )
    expect((await admin.get(at)).body).toMatchObject({ number: { value: ANA, masked: false }, revealed: null })
  })
})

describe('an agent who writes first', () => {
  test('needs the right to take over, and leaves a line in the audit and in the replay [P-2657]', async () => {
    const { body: list } = await admin.get(`/conversation?bot=${bot}`)
    const [{ id: before }] = list.items as never as [{ id: string }]
    const path = `/conversation/${before}/write`
    const write = (body: object, client = camila.client) => client.post(path, { id: randomUUID(), ...body })
    const colleague = await person(parley, admin, { username: 'bia', level: place, actions: AGENT })
    expect((await write({ text: 'Chegou' }, colleague.client)).body).toMatchObject({
      code: 'conversation.open',
      params: { conversation: before },
    })
    expect((await camila.client.get(path)).body).toMatchObject({ conversation: before })
    expect((await camila.client.post(`/desk/chat/${before}/close`, {})).status).toBe(200)
    await until(async () =>
      expect((await admin.get(`/conversation/${before}`)).body).toMatchObject({ status: 'ended', origin: 'person' }),
    )
    expect((await camila.client.get(path)).body).toEqual({
      conversation: null,
      window: expect.stringMatching(/Z$/u),
      templates: [expect.objectContaining({ id: sendable, variables: ['1'] })],
    })
    const looking = await person(parley, admin, { username: 'lia', level: place, actions: ['showdesk', 'readbot'] })
    expect((await write({ text: 'Chegou' }, looking.client)).status).toBe(403)
    expect((await looking.client.get(path)).status).toBe(403)
    const idle = { username: 'rui', level: place, actions: ['takeoverconversation', 'readbot'] }
    expect((await write({ text: 'Chegou' }, (await person(parley, admin, idle)).client)).status).toBe(403)
    const away = await person(parley, admin, { username: 'ivo', level: await level(admin, 'Longe'), actions: AGENT })
    expect((await write({ text: 'Chegou' }, away.client)).status).toBe(404)
    expect(await write({ text: 'Chegou', queue: 'nenhuma' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'queue', code: 'reference' }] },
    })

    const first = await write({ text: 'Chegou' })
    expect(first.status, first.text).toBe(200)
    const conversation = String(first.body.conversation)
    await until(() => expect(provider.sentTo(ANA).at(-1)?.text).toBe('*camila:*\nChegou'))
    expect((await camila.client.get(`/desk/chat/${conversation}`)).body).toMatchObject({
      status: 'held',
      mine: true,
      position: first.body.position,
    })
    expect((await admin.get(`/conversation/${conversation}`)).body).toMatchObject({ origin: 'agent', bot })
    const { body: line, text } = await admin.get(
      `/audit?entity=conversation&entityid=${conversation}&action=wrotefirst`,
    )
    expect(line).toMatchObject({ total: 1, items: [{ user: { id: camila.id } }] })
    expect(text).toContain(before)
    expect(text).not.toContain('Chegou')
    const { turns, desk } = (await admin.get(`/conversation/${conversation}/replay`)).body
    expect(turns).toMatchObject([{ input: { kind: 'begun' }, status: 'agent' }])
    expect(desk).toMatchObject([{ kind: 'assigned', how: 'begun', name: 'camila' }])
    await tell('in-3', 'obrigada')
    await until(async () => expect((await camila.client.get(`/desk/chat/${conversation}`)).text).toContain('obrigada'))
    await camila.client.post(`/desk/chat/${conversation}/close`, {})
    const wire = await write({ template: sendable, values: { 1: 'Pedido 3' } })
    expect(wire.body).toMatchObject({ code: 'conversation.open', params: { conversation } })
  })
})

describe('a file of a template', () => {
  test('is answered to its provider at a signed address, and at no other [P-2507]', async () => {
    const infobip = await startTemplateProvider(INFOBIP_TEMPLATES)
    const { type, fields } = INFOBIP_TEMPLATES
    const channel = await done(admin.post('/channel', { bot, type, url: infobip.url, ...fields }))
    const id = await done(
      admin.post('/template', {
        ...{ channel, templateName: 'foto', language: 'pt_BR', category: 'utility', templateType: 'IMAGE' },
        ...{ body: 'Seu pedido saiu.', header_file: await uploadPicture(admin, 'a.png') },
      }),
    )
    await done(admin.post(`/template/${id}/submit`, {}))
    const links = () => [...JSON.stringify(infobip.other).matchAll(/https:\/\/bots\.example\.com(\/media\/[^"]+)/gu)]
    await until(() => expect(links()).toHaveLength(1))
    infobip.close()
    const [, path = ''] = links()[0] ?? []
    const loaded = await fetch(parley.origin + path)
    expect([loaded.status, loaded.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(loaded.headers.get('content-security-policy')).toContain('sandbox')
    const hash = createHash('sha256')
      .update(Buffer.from(await loaded.arrayBuffer()))
      .digest('hex')
    expect(path).toContain(`/media/${hash}?`)
    const later = path.replace(/until=(\d+)/u, (_, until) => `until=${Number(until) - 1000}`)
    for (const other of [path.replace(hash, 'a'.repeat(64)), later, path.replace(/&key=.*/u, '')])
      expect((await fetch(parley.origin + other)).status, other).toBe(404)
  })
})
