import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { APP_ID, GRAPH_TOKEN, WABA_ID } from '#test/doubles/meta/graph-server.ts'
import { PROMO, startTemplateWorld } from './template-world.ts'
import { uploadPicture } from './upload.ts'

const world = await startTemplateWorld()
afterAll(() => world.close())
beforeEach(() => {
  const { templates, faults } = world.graph
  templates.splice(0)
  faults.splice(0)
})

describe('a template that is submitted', () => {
  test('is at Meta with its components, under review, and not to be changed meanwhile [P-1225] [D-3.11.01]', async () => {
    const { admin, graph, draft, submitted } = world
    const id = await draft()
    const row = await submitted(id)
    expect(row).toMatchObject({ submission: 'submitted', status: 'PENDING', submission_error: null })
    const [remote] = graph.templates
    expect(remote).toMatchObject({
      name: row.templateName,
      language: 'pt_BR',
      category: 'MARKETING',
      id: row.external_id,
    })
    expect(remote?.components).toEqual([
      { type: 'HEADER', format: 'TEXT', text: 'Semana da Luz' },
      { type: 'BODY', text: PROMO.body, example: { body_text: [['Luana', 'R$ 189']] } },
      { type: 'FOOTER', text: PROMO.footer },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Quero' },
          { type: 'URL', text: 'Ver', url: 'https://loja.example/{{1}}', example: ['https://loja.example/a'] },
        ],
      },
    ])
    const change = await admin.patch(`/template/${id}`, { footer: 'Outro' }, Number(row.revision))
    expect([change.status, change.body.code]).toEqual([409, 'template.review'])
    expect((await admin.post(`/template/${id}/submit`, {})).body.code).toBe('template.review')
  })

  test('is refused before Meta sees it where the lint finds something, field by field [P-1226]', async () => {
    const { admin, graph, draft, read } = world
    const id = await draft({
      body: 'Oi, {{1}}!',
      params: [],
      buttons: [{ type: 'URL', text: 'Fale conosco pelo nosso WhatsApp', url: 'https://wa.me/5511987654321' }],
    })
    const before = graph.calls.length
    const { status, body } = await admin.post(`/template/${id}/submit`, {})
    expect(status).toBe(422)
    expect(body.errors.map(({ path, code }) => `${path} ${code}`)).toEqual([
      'params template',
      'buttons.0.text template',
      'buttons.0.url template',
    ])
    expect(graph.calls.length).toBe(before)
    expect(await read(id)).toMatchObject({ submission: 'draft' })
  })

  test('that Meta refuses says why, in the words of Meta [P-1225] [D-4.07] [D-8.10]', async () => {
    const { admin, app, made, draft, submitted } = world
    const first = await draft({ templateName: 'mesmo_nome' })
    await submitted(first)
    const other = await made('/metaaccount', {
      metaapp: app,
      name: 'Outra',
      waba_id: WABA_ID,
      access_token: GRAPH_TOKEN,
    })
    const id = await made('/template', { metaaccount: other, templateName: 'mesmo_nome', ...PROMO })
    expect(await submitted(id)).toMatchObject({
      submission: 'failed',
      submission_error: 'Content in this language already exists',
      external_id: null,
      status: null,
    })
    const { body: record } = await admin.get(`/template/${id}/record`)
    expect(record).toMatchObject({
      status: 'FAILED',
      reason: 'Content in this language already exists',
      elementName: 'mesmo_nome',
      languageCode: 'pt_BR',
      languagePolicy: 'deterministic',
      category: 'MARKETING',
      templateType: 'TEXT',
      buttonSupported: 'QR,URL',
      wabaId: WABA_ID,
      appId: APP_ID,
    })
  })

  test('brings the media of its header and cards as handles of Meta [P-1227]', async () => {
    const { admin, graph, draft, submitted } = world
    const picture = await uploadPicture(admin, 'abajur.png')
    const card = (body: string) => ({
      headerType: 'IMAGE',
      media: picture,
      body,
      button1: 'QUICK_REPLY',
      button1_text: 'Quero',
    })
    const id = await draft({
      templateType: 'CAROUSEL',
      header: null,
      buttons: [],
      cards: [card('Abajur Serra'), card('Pendente Duna')],
    })
    expect(await submitted(id)).toMatchObject({ submission: 'submitted' })
    const sent = JSON.stringify(graph.templates[0]?.components)
    const handles = [...sent.matchAll(/"header_handle":\["([^"]+)"\]/gu)].map(([, handle]) => handle)
    expect(handles).toHaveLength(2)
    for (const handle of handles) expect(graph.uploads.has(String(handle))).toBe(true)
    expect(
      graph.calls.some(({ path, query }) => path.endsWith('/uploads') && query.get('file_type') === 'image/png'),
    ).toBe(true)
  })

  test('is found and adopted when its response is lost, never sent twice [P-1228]', async () => {
    const { graph, draft, read, submitted } = world
    const id = await draft()
    graph.lateFaults.push(502)
    expect(await submitted(id)).toMatchObject({ submission: 'submitted', status: 'PENDING' })
    expect(graph.templates).toHaveLength(1)
    const name = `${(await read(id)).templateName}"`
    expect(graph.calls.filter(({ method, body }) => method === 'POST' && body.includes(name))).toHaveLength(1)
  })

  test('that Meta failed at is unknown until Meta is asked again [P-1228]', async () => {
    const { graph, draft, submitted } = world
    const id = await draft()
    graph.faults.push(500)
    expect(await submitted(id)).toMatchObject({ submission: 'unknown', external_id: null })
    expect(graph.templates).toHaveLength(0)
    expect(await submitted(id)).toMatchObject({ submission: 'submitted' })
  })

  test('and was rejected is edited and submitted again, its name and language fixed [P-1229] [P-2929]', async () => {
    const { admin, graph, account, draft, read, submitted } = world
    const id = await draft()
    const row = await submitted(id)
    const remote = graph.templates[0]
    if (remote !== undefined) Object.assign(remote, { status: 'REJECTED', rejected_reason: 'TAG_CONTENT_MISMATCH' })
    await admin.post(`/metaaccount/${account}/synctemplates`, {})
    const rejected = await read(id)
    expect(rejected).toMatchObject({ status: 'REJECTED', reason: 'TAG_CONTENT_MISMATCH', modified_since: false })
    // The contact field of a variable is nothing that Meta reviews.
    const params = (rejected.params as readonly object[]).map(one => ({ ...one, source: 'field02' }))
    expect((await admin.patch(`/template/${id}`, { params }, Number(rejected.revision))).status).toBe(200)
    const sourced = await read(id)
    expect(sourced).toMatchObject({ modified_since: false, params: [{ source: 'field02' }, {}] })
    const renamed = await admin.patch(`/template/${id}`, { templateName: 'outro' }, Number(sourced.revision))
    expect(renamed.body.errors).toMatchObject([{ path: 'templateName', code: 'readonly' }])
    await admin.patch(`/template/${id}`, { footer: 'Responda SAIR' }, Number(sourced.revision))
    expect(await read(id)).toMatchObject({ modified_since: true })
    expect(await submitted(id)).toMatchObject({
      status: 'PENDING',
      external_id: row.external_id,
      modified_since: false,
      reason: null,
    })
    expect(JSON.stringify(graph.templates[0]?.components)).toContain('Responda SAIR')
  })

  test('is deleted at Meta and stays here [P-1230]', async () => {
    const { admin, graph, draft, read, submitted } = world
    const id = await draft()
    await submitted(id)
    expect((await admin.post(`/template/${id}/withdraw`, {})).status).toBe(200)
    expect(graph.templates).toHaveLength(0)
    expect(await read(id)).toMatchObject({ status: 'DELETED' })
  })
})

test('templates that were made at Meta are read, those of other forms are named [P-1231]', async () => {
  const { admin, graph, account } = world
  const remote = (name: string, more: object) => ({
    id: `77${graph.templates.length}`,
    name,
    language: 'en-US',
    category: 'UTILITY',
    status: 'APPROVED',
    components: [{ type: 'BODY', text: 'Your order {{1}} is on its way.', example: { body_text: [['A-1']] } }],
    ...more,
  })
  graph.templates.push(remote('order_sent', {}))
  graph.templates.push(remote('order_french', { language: 'fr' }))
  for (let index = 0; index < 120; index += 1) graph.templates.push(remote(`many_${index}`, {}))
  const { body } = await admin.post(`/metaaccount/${account}/synctemplates`, {})
  expect(body).toMatchObject({ added: 121, skipped: ['order_french fr'] })
  const { body: list } = await admin.get(`/template?templateName=order_sent`)
  expect(list.items).toMatchObject([
    {
      language: 'en_US',
      category: 'utility',
      submission: 'submitted',
      status: 'APPROVED',
      modified_since: false,
      params: [{ name: '1', example: 'A-1' }],
    },
  ])
  expect((await admin.post(`/metaaccount/${account}/synctemplates`, {})).body).toMatchObject({ added: 0, changed: 0 })
  graph.templates.splice(0)
  await admin.post(`/metaaccount/${account}/synctemplates`, {})
  expect((await admin.get(`/template?templateName=order_sent`)).body.items).toMatchObject([{ status: 'DELETED' }])
})

describe('a template of a channel', () => {
  test('is removed with it and comes back, and stays while a campaign uses it [P-2712]', async () => {
    const { admin, made, read } = world
    const bot = await made('/bot', { name: 'Bot de modelos' })
    const channel = await made('/channel', {
      ...{ bot, type: 'whatsapp_zenvia', name: 'Zenvia', enable: false },
      ...{ sender_number: '+5511900000000', auth_token: 'k', channel_verify_token: 'v' },
    })
    const { metaaccount: _, ...text } = { metaaccount: null, ...PROMO }
    const template = await made('/template', { ...text, channel, templateName: 'aviso_zenvia' })
    const campaign = await made('/campaign', { name: 'Natal', channel, template })
    const refused = await admin.delete(`/channel/${channel}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'entity.used'])
    const holders = refused.body.errors as unknown as readonly { readonly params: { readonly title: string } }[]
    expect(new Set(holders.map(({ params }) => params.title))).toEqual(new Set(['Natal']))
    const uses = (await admin.get(`/channel/${channel}/usedby`)).body.items as unknown as { readonly entity: string }[]
    expect(new Set(uses.map(({ entity }) => entity))).toEqual(new Set(['campaign']))

    expect((await admin.delete(`/campaign/${campaign}`)).status).toBe(200)
    const removed = await admin.delete(`/channel/${channel}`)
    expect(removed.status, removed.text).toBe(200)
    expect((await admin.get(`/template/${template}`)).status).toBe(404)
    const back = await admin.post(`/channel/${channel}/restore`, { revision: 1 })
    expect(back.status, back.text).toBe(200)
    expect(await read(template)).toMatchObject({ id: template, channel, templateName: 'aviso_zenvia' })
  })
})
