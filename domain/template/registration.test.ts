import { describe, expect, test } from 'vitest'
import { template } from '#schemas/entities/template.ts'
import { isOffered } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import { sendsTemplates } from '#schemas/template-provider.ts'
import { templateBehaviour } from './behaviour.ts'
import { hindranceOf, isFixedField, isSendableThere, registrationOf, templateOf } from './template.ts'

const context = (channelType: string | null, info: Json = null) => ({
  time: '2026-11-29T12:00:00.000Z',
  actor: null,
  facts: { channelType, isSending: sendsTemplates({ type: channelType, channel_extra_info: info }) },
})
const create = (fields: Record<string, Json>, type: string | null) => {
  const made = templateBehaviour.onCreate(fields, context(type))
  return made.ok ? made.value.provider : made.refusal.errors?.map(({ path, params }) => `${path} ${params?.rule}`)
}
const TEXT = { templateName: 'aviso', language: 'pt_BR', category: 'utility', templateType: 'TEXT', body: 'Oi, {{1}}!' }

describe('the registration of a template', () => {
  test('is one account or one channel that sends templates [P-2508]', () => {
    expect(create({ metaaccount: 'a1' }, null)).toBe('whatsapp_meta')
    expect(create({ channel: 'c1' }, 'whatsapp_gupshup')).toBe('whatsapp_gupshup')
    expect(create({ metaaccount: 'a1', channel: 'c1' }, 'blip')).toEqual(['metaaccount oneplace'])
    expect(create({}, null)).toEqual(['metaaccount oneplace'])
    expect(create({ channel: 'c1' }, 'facebook')).toEqual(['channel templatechannel'])
  })

  test('is a declared gateway only where its mapping has a rule for templates [P-2713]', () => {
    const made = (type: string, send: object) => {
      const info = JSON.stringify({ send, receive: 'body' })
      const result = templateBehaviour.onCreate({ channel: 'c1' }, context(type, info))
      return result.ok ? result.value.provider : result.refusal.errors?.map(({ params }) => params?.rule)
    }
    for (const type of ['whatsapp_interaxa', 'marketplace']) {
      expect(made(type, { path: '/m', body: 'message', template: '{"t": template.name}' })).toBe(type)
      expect(made(type, { path: '/m', body: 'message' })).toEqual(['templatechannel'])
    }
    expect(made('whatsapp_avaya', { path: '/m', template: '{}' })).toEqual(['templatechannel'])
  })

  test('is submitted at providers that take templates, and not through a channel of Meta [P-2519]', () => {
    const submit = (fields: Record<string, Json>) => {
      const state = { status: 'live', id: 't1', revision: 1, level: null, fields: { ...TEXT, ...fields } } as const
      const given = { ...TEXT, params: [{ name: '1', example: 'Ana' }], ...fields }
      return templateBehaviour.commands.submit?.decide({ ...state, fields: given }, {}, context(null))
    }
    expect(submit({ provider: 'whatsapp_meta', metaaccount: 'a1' })).toMatchObject({ ok: true })
    expect(submit({ provider: 'whatsapp_infobip', channel: 'c1' })).toMatchObject({ ok: true })
    for (const provider of ['whatsapp_meta', 'whatsapp_gupshup', 'whatsapp_zenvia'])
      expect(submit({ provider, channel: 'c1' })).toMatchObject({ refusal: { code: 'template.unsubmittable' } })
    const { submit: action } = template.actions
    expect(['whatsapp_meta', 'whatsapp_zenvia', null].map(provider => isOffered(action, { provider }))).toEqual([
      true,
      false,
      true,
    ])
  })

  test('decides whether it may be sent: by the review, by hand where the provider lists none [P-2508]', () => {
    expect(isSendableThere({ status: 'APPROVED' })).toBe(true)
    expect(isSendableThere({ provider: 'whatsapp_gupshup', status: 'PENDING' })).toBe(false)
    expect(isSendableThere({ provider: 'whatsapp_zenvia' })).toBe(true)
  })

  test('decides what of it cannot be sent [P-2508]', () => {
    const found = (fields: Record<string, Json>) => hindranceOf(templateOf(fields), registrationOf(fields))
    expect(found({ ...TEXT, provider: 'whatsapp_meta' })).toBeUndefined()
    expect(found({ ...TEXT, provider: 'whatsapp_gupshup' })).toBe('id')
    const place = { ...TEXT, templateType: 'LOCATION', provider_id: 't' }
    for (const provider of ['whatsapp_meta', 'whatsapp_360dialog', 'whatsapp_infobip', 'blip'])
      expect(found({ ...place, provider })).toBeUndefined()
    for (const provider of ['whatsapp_gupshup', 'whatsapp_twilio', 'whatsapp_zenvia'])
      expect(found({ ...place, provider })).toBe('location')
    expect(found({ ...TEXT, provider: 'whatsapp_zenvia', provider_id: 't' })).toBe('fields')
    const named = { ...TEXT, provider: 'whatsapp_zenvia', provider_id: 't' }
    expect(found({ ...named, provider_fields: [{ variable: '1', name: 'nome' }] })).toBeUndefined()
  })

  test('a template that its provider alone changes keeps its texts; files and names may be added [P-2508]', () => {
    const fields = { ...TEXT, provider: 'whatsapp_gupshup', external_id: 'x', status: 'APPROVED' }
    const state = { status: 'live', id: 't1', revision: 1, level: null, fields } as const
    const change = (changes: Record<string, Json>) => templateBehaviour.onChange(state, changes)
    expect(change({ body: 'Outro' })).toMatchObject({ refusal: { errors: [{ path: 'body', code: 'readonly' }] } })
    expect(change({ provider_fields: [] })).toEqual({ ok: true, value: { provider_fields: [] } })
  })

  test('fixes the fields that nobody may change in its state [P-2920]', () => {
    const names = ['templateName', 'language', 'category', 'body', 'header_file', 'provider_fields']
    const fixed = (fields: Record<string, Json>) => names.filter(name => isFixedField({ ...TEXT, ...fields }, name))
    const atMeta = { provider: 'whatsapp_meta', external_id: '7', submission: 'submitted' }
    expect(fixed({ provider: 'whatsapp_meta' })).toEqual([])
    expect(fixed({ ...atMeta, status: 'PENDING' })).toEqual(names)
    expect(fixed({ provider: 'whatsapp_meta', submission: 'submitting' })).toEqual(names)
    expect(fixed({ ...atMeta, status: 'REJECTED' })).toEqual(['templateName', 'language'])
    expect(fixed({ ...atMeta, status: 'APPROVED' })).toEqual(['templateName', 'language', 'category'])
    const listed = { ...atMeta, provider: 'whatsapp_gupshup', status: 'APPROVED' }
    expect(fixed(listed)).toEqual(['templateName', 'language', 'category', 'body'])
  })
})
