import { describe, expect, test } from 'vitest'
import { templateOf } from '#domain/template/template.ts'
import { ADAPTERS } from '#runtime/channel/adapters.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { accepted } from '#schemas/refusal.ts'
import { TEMPLATE_WIRES } from '#test/doubles/whatsapp/template-wires.ts'
import { sample } from '../channel/contract.ts'
import { answeredValues } from '../channel/request.ts'

const wireOf = (type: string) => TEMPLATE_WIRES.find(wire => wire.type === type) ?? expect.fail(type)

/** The list of a provider whose answers are these, by the path and query of the request. */
const listOf = async (type: string, answers: Readonly<Record<string, Json>>, status = 200) => {
  const { values, asked } = answeredValues(({ url }) => {
    const { pathname, search } = new URL(url)
    return { status, body: answers[pathname + search] ?? {} }
  })
  const templates = (await ADAPTERS[type]?.())?.templates
  const list = await templates?.list?.({ ...wireOf(type).fields, type }, values)
  return { list: list?.ok === true ? list.value : list, asked }
}

const BODY = { type: 'BODY', text: 'Oi, {{1}}!', example: { body_text: [['Ana']] } }

describe('lists of providers', () => {
  test('360dialog: templates in the form of Meta, read with its key [P-2505]', async () => {
    const given = { name: 'aviso', language: 'pt_BR', category: 'UTILITY', status: 'approved', components: [BODY] }
    const path = '/v1/configs/templates'
    const { list, asked } = await listOf('whatsapp_360dialog', {
      [path]: { waba_templates: [{ ...given, id: '9', rejected_reason: 'NONE' }] },
    })
    expect(list).toMatchObject([
      { id: '9', status: 'APPROVED', reason: '', fields: { templateName: 'aviso', body: 'Oi, {{1}}!' } },
    ])
    expect(asked[0]?.headers).toContainEqual(['d360-api-key', 'd360-key'])
  })

  test('Gupshup: the record of a template, whose content is JSON text [P-2505]', async () => {
    const meta = {
      data: 'Oi, {{1}}!',
      footer: 'Responda SAIR',
      buttons: [{ type: 'URL', text: 'Ver', url: 'https://loja.example/{{1}}', example: ['https://loja.example/a'] }],
    }
    const record = {
      ...{ id: 'c6aecef6', elementName: 'aviso', languageCode: 'pt_BR', category: 'MARKETING', status: 'APPROVED' },
      ...{ templateType: 'IMAGE', containerMeta: JSON.stringify(meta) },
    }
    const { list } = await listOf('whatsapp_gupshup', {
      '/wa/app/DemoApp/template': { status: 'success', templates: [record] },
    })
    const [found] = Array.isArray(list) ? list : []
    expect(found).toMatchObject({ id: 'c6aecef6', status: 'APPROVED' })
    expect(templateOf(found?.fields ?? {})).toMatchObject({
      header: { format: 'IMAGE', handle: null },
      body: { text: 'Oi, {{1}}!' },
      footer: 'Responda SAIR',
      buttons: [{ type: 'URL', url: 'https://loja.example/{{1}}' }],
    })
  })

  test('Infobip: the structure of a template, as in its published answer [P-2505]', async () => {
    const given = sample('whatsapp-infobip', 'res-template-with-carousel-create-whats-app-template')
    const { carousel } = given.structure as { carousel: { cards: { body: { text: string } }[] } }
    const path = '/whatsapp/2/senders/5511900000000/templates'
    const { list } = await listOf('whatsapp_infobip', { [path]: { templates: [given] } })
    const [found] = Array.isArray(list) ? list : []
    expect(found).toMatchObject({ id: given.id, status: 'APPROVED', quality: 'RED' })
    expect(templateOf(found?.fields ?? {})).toMatchObject({
      name: given.name,
      cards: [{ format: 'IMAGE', body: carousel.cards[0]?.body, buttons: [{ type: 'PHONE_NUMBER' }, { type: 'URL' }] }],
    })
  })

  test('Twilio: contents with their approval, and the variable of a file by its name [P-2505]', async () => {
    const { contents } = sample('whatsapp-twilio', 'tpl-content-read-results-2') as { contents: JsonObject[] }
    // The first was never submitted: it is no template.
    const [, approved, rejected = {}] = contents
    const { media } = (rejected.types as Record<'twilio/media', { media: string[] }>)['twilio/media']
    const next = 'https://other.example/v1/ContentAndApprovals?PageSize=100&Page=1'
    const link = { type: 'URL', title: 'Ver', url: 'https://loja.example/{{2}}' }
    const action = { 'twilio/call-to-action': { body: 'Oi, {{1}}!', actions: [link] } }
    const approval = { status: 'received', name: 'oferta', category: 'MARKETING' }
    const more = { sid: 'HX9', language: 'pt_BR', friendly_name: 'x', types: action, approval_requests: approval }
    const { list, asked } = await listOf('whatsapp_twilio', {
      '/v1/ContentAndApprovals?PageSize=100': { contents, meta: { next_page_url: next } },
      '/v1/ContentAndApprovals?PageSize=100&Page=1': { contents: [more], meta: { next_page_url: null } },
    })
    // The next page is read at Twilio alone: the credentials go to no other host.
    expect(asked.map(({ url }) => new URL(url).host)).toEqual(['content.twilio.com', 'content.twilio.com'])
    expect(list).toMatchObject([
      { id: approved?.sid, status: 'APPROVED', fields: { provider_fields: [] } },
      {
        id: rejected.sid,
        status: 'REJECTED',
        fields: {
          templateType: 'VIDEO',
          provider_fields: [{ variable: 'header', name: media[0] }],
        },
      },
      { id: 'HX9', status: 'PENDING', fields: { templateName: 'oferta', category: 'marketing' } },
    ])
  })

  test.each(['whatsapp_360dialog', 'whatsapp_gupshup', 'whatsapp_infobip', 'whatsapp_twilio'])(
    '%s: an answer that is no list is refused [P-2505]',
    async type => {
      expect((await listOf(type, {}, 500)).list).toMatchObject({ ok: false, refusal: { code: 'channel.answer' } })
    },
  )

  test('Zenvia and Blip have none [P-2505]', async () => {
    for (const type of ['whatsapp_zenvia', 'blip']) {
      const templates = (await ADAPTERS[type]?.())?.templates
      expect([templates?.list, templates?.submit]).toEqual([undefined, undefined])
    }
  })
})

describe('submissions', () => {
  const fields = {
    ...{ templateName: 'aviso', language: 'pt_BR', category: 'utility', templateType: 'TEXT', body: 'Oi, {{1}}!' },
    params: [{ name: '1', example: 'Ana' }],
    buttons: [{ type: 'QUICK_REPLY', text: 'Quero' }],
  }
  const submit = async (type: string, answer: (path: string) => Json) => {
    const { values, asked } = answeredValues(({ url }) => ({ status: 201, body: answer(new URL(url).pathname) }))
    const templates = (await ADAPTERS[type]?.())?.templates
    const linkOf = async () => accepted('https://bots.example.com/media/1')
    const made = await templates?.submit?.(templateOf(fields), { ...wireOf(type).fields, type }, values, linkOf)
    return { made, sent: asked.map(({ url, body }) => [new URL(url).pathname, JSON.parse(body ?? '{}')]) }
  }

  test('Twilio: creates a content, then requests its approval [P-2506]', async () => {
    const { made, sent } = await submit('whatsapp_twilio', path =>
      path === '/v1/Content' ? { sid: 'HX1' } : { status: 'received' },
    )
    expect(made).toMatchObject({ value: { id: 'HX1', status: 'PENDING' } })
    expect(sent).toMatchObject([
      [
        '/v1/Content',
        {
          friendly_name: 'aviso',
          language: 'pt_BR',
          variables: { 1: 'Ana' },
          types: { 'twilio/quick-reply': { body: 'Oi, {{1}}!', actions: [{ type: 'QUICK_REPLY', title: 'Quero' }] } },
        },
      ],
      ['/v1/Content/HX1/ApprovalRequests/whatsapp', { name: 'aviso', category: 'UTILITY' }],
    ])
  })

  test('Infobip: the body has the members of the published one [P-2506]', async () => {
    const published = sample(
      'whatsapp-infobip',
      'tpl-create-template-with-quick-reply-buttons-create-whats-app-template',
    )
    const { made, sent } = await submit('whatsapp_infobip', () => ({ id: '7', status: 'PENDING' }))
    expect(made).toMatchObject({ value: { id: '7', status: 'PENDING' } })
    const [[path, body] = ['', {}]] = sent
    expect(path).toBe('/whatsapp/2/senders/5511900000000/templates')
    expect(body).toEqual({
      ...{ name: 'aviso', language: 'pt_BR', category: 'UTILITY' },
      structure: { body: { text: 'Oi, {{1}}!', examples: ['Ana'] }, buttons: [{ type: 'QUICK_REPLY', text: 'Quero' }] },
    })
    expect(Object.keys(published)).toEqual(expect.arrayContaining(Object.keys(body)))
  })

  test('360dialog: the components of Meta [P-2506]', async () => {
    const { made, sent } = await submit('whatsapp_360dialog', () => ({ id: '8', status: 'submitted' }))
    expect(made).toMatchObject({ value: { id: '8', status: 'SUBMITTED' } })
    expect(sent).toMatchObject([
      ['/v1/configs/templates', { name: 'aviso', components: [{ type: 'BODY' }, { type: 'BUTTONS' }] }],
    ])
  })
})
