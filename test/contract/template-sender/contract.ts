import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ReceiptEvent } from '#runtime/channel/exchange/inbox.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { startTemplateProvider, type TemplateProviderDouble } from '#test/doubles/whatsapp/template-server.ts'
import type { TemplateWire } from '#test/doubles/whatsapp/template-wires.ts'
import { sample } from '../channel/contract.ts'
import { webhookRequest } from '../channel/request.ts'
import { openTemplateCampaign, PERSON, WEBHOOK } from './template-world.ts'

const HEAD = {
  ...{ templateName: 'boleto', language: 'pt_BR', category: 'utility', templateType: 'TEXT' },
  provider_id: 't-1',
}
/** An id of our storage. */
const FILE_ID = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
const FILE = { id: FILE_ID, name: 'a.png', type: 'image/png', size: 3 }
const CARD = { headerType: 'IMAGE', media: FILE, body: 'Para {{1}}', button1: 'QUICK_REPLY', button1_text: 'Quero' }

/** A template of each form. Values: `Ana`, `12/05`, payload `want-1`, rest of a link `docs`, code `123456`, a place. */
export const FORMS = {
  text: { ...HEAD, body: 'Oi, {{1}}! Vence em {{2}}.' },
  named: { ...HEAD, parameter_format: 'named', body: 'Oi, {{nome}}!' },
  image: { ...HEAD, templateType: 'IMAGE', header_file: FILE, body: 'Oi, {{1}}! Vence em {{2}}.' },
  place: { ...HEAD, templateType: 'LOCATION', body: 'Oi, {{1}}!' },
  link: {
    ...{ ...HEAD, body: 'Oi, {{1}}!' },
    buttons: [
      { type: 'QUICK_REPLY', text: 'Quero' },
      { type: 'URL', text: 'Ver', url: 'https://loja.example/{{1}}', example: 'https://loja.example/a' },
    ],
  },
  reply: { ...HEAD, body: 'Oi, {{1}}!', buttons: [{ type: 'QUICK_REPLY', text: 'Quero' }] },
  code: { ...HEAD, category: 'authentication', otp_text: 'Copiar' },
  cards: { ...HEAD, category: 'marketing', templateType: 'CAROUSEL', body: 'Oi, {{1}}!', cards: [CARD, CARD] },
} as const

type Form = keyof typeof FORMS

export interface TemplateContract {
  readonly wire: TemplateWire
  /** Further fields of a template, by form: ids and names of values at the provider. */
  readonly fields?: Readonly<Partial<Record<Form, Readonly<Record<string, Json>>>>>
  /** Body that is sent, or the rule of the refusal. JSON within a form is parsed. */
  readonly sent: Readonly<Record<Form, object | string>>
  /** Answers that refuse a message, with the state of the run afterwards and the reason of the recipient. */
  readonly refusals: readonly (readonly [status: number, body: JsonObject, run: string, reason: string | null])[]
  /** Published bodies, by form: ours has no member that they lack, except `extra`. */
  readonly samples: readonly (readonly [form: Form, folder: string, name: string])[]
  readonly extra?: readonly string[]
  /** Code of a failure that a receipt tells. */
  readonly failure: string
  readonly settles: boolean
}

/** Members of a form that contain JSON. */
const parsed = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' && /^(?:\[|\{")/u.test(value) ? (JSON.parse(value) as Json) : value,
    ]),
  )

const HASH =
  /^https:\/\/bots\.example\.com\/media\/[0-9a-f]{64}\?file=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa&until=\d+&key=/u

/** Paths of all members: `template.components[].type`. */
const pathsOf = (value: Json, at = ''): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(item => pathsOf(item, `${at}[]`))
  if (typeof value !== 'object' || value === null) return [at]
  return Object.entries(value).flatMap(([name, member]) => pathsOf(member, at === '' ? name : `${at}.${name}`))
}

/** The signed address of a template's own file. */
export const ownFile: unknown = expect.stringMatching(HASH)

export const templateContract = (contract: TemplateContract): void => {
  const { wire, fields = {}, sent, refusals, failure, settles, samples, extra = [] } = contract
  let double: TemplateProviderDouble
  let world: Awaited<ReturnType<typeof openTemplateCampaign>>
  beforeEach(async () => {
    double = await startTemplateProvider(wire)
  })
  afterEach(async () => {
    await world.close()
    double.close()
  })

  const open = async (form: Form, people = [PERSON]) => {
    world = await openTemplateCampaign(wire, double.url, { template: { ...FORMS[form], ...fields[form] }, people })
  }
  const send = async () => {
    expect(world.say('start')).toBeUndefined()
    await world.drive()
  }
  const told = () => world.parts.index.queries.counts({ campaign: 'c1' })
  const receive = async (state: 'sent' | 'delivered' | 'read' | 'failed', place = 0) => {
    const { id, request } = double.taken[place] ?? expect.fail('nothing was taken')
    const { path, body, isForm } = wire.receipt(request, id, state, failure)
    const { adapter, fields: own, values } = world.channel
    const url = path === undefined ? WEBHOOK : `https://bots.example.com${path}`
    const form = new URLSearchParams(body as Record<string, string>).toString()
    const events = await adapter?.parse(
      webhookRequest({ url, body: isForm === true ? form : JSON.stringify(body) }),
      own,
      values,
    )
    const found = events?.ok === true ? events.value : []
    expect(found.map(({ kind }) => kind)).toEqual(['receipt'])
    const heard = (found as ReceiptEvent[]).map(event => ({
      route: { family: wire.type, to: '', channel: world.channel },
      event,
    }))
    return world.receipts.hearReceipts(heard as never)
  }

  describe(`templates through ${wire.type}`, () => {
    test.each(Object.keys(FORMS) as Form[])(
      'sends %s as the provider takes it, or refuses it [P-1158] [P-2500]',
      async form => {
        await open(form)
        const expected = sent[form]
        if (typeof expected === 'string') {
          const { template = {}, channel = {}, campaign = {} } = world.fields
          expect(world.say('start')).toBe('campaign.incomplete')
          expect([template.provider, channel.type, campaign.run ?? null]).toEqual([wire.type, wire.type, null])
          expect(double.taken).toEqual([])
          expect(world.refused()).toContain(expected)
          return
        }
        await send()
        expect(double.taken).toHaveLength(1)
        const { request } = double.taken[0] ?? expect.fail('nothing was taken')
        expect(wire.to(request)).toBe(PERSON.phone.slice(1))
        expect(parsed(request.body)).toMatchObject(expected)
        expect(world.figures()).toMatchObject({ total: 1, accepted: 1 })
      },
    )

    test.each(samples)('the body of %s has the members of the published one [P-1158]', async (form, folder, name) => {
      await open(form)
      await send()
      const known = new Set([...pathsOf(parsed(sample(folder, name))), ...extra])
      const { request } = double.taken[0] ?? expect.fail('nothing was taken')
      expect(pathsOf(parsed(request.body)).filter(path => !known.has(path))).toEqual([])
    })

    test('receipts raise the state of a message, and a failure has its code [P-2501]', async () => {
      await open('text', [PERSON, { ...PERSON, phone: '+5511999990001' }])
      await send()
      for (const [state, figures] of [
        ['sent', { sent: 1 }],
        ['delivered', { delivered: 1 }],
        ['read', { read: 1 }],
      ] as const) {
        expect(await receive(state)).toEqual([true])
        expect(world.figures()).toMatchObject(figures)
      }
      expect(await receive('failed', 1)).toEqual([true])
      expect(told()).toContainEqual({ status: 'failed', state: 'failed', reason: failure, count: 1, held: 0 })
    })

    test('a cut connection leaves the message unknown; it is never sent again by itself [P-2502]', async () => {
      await open('text')
      double.replies.push('cut')
      await send()
      expect(world.figures()).toMatchObject({ unknown: 1 })
      world.say('start')
      await world.drive()
      expect(double.taken).toHaveLength(1)
      const isKnown = await receive('delivered')
      expect(isKnown).toEqual([settles])
      expect(world.figures()).toMatchObject(settles ? { delivered: 1 } : { unknown: 1 })
      const { sender } = (await world.parts.senders.open({ metaaccount: '', channel: 'c1' })) ?? {}
      expect(sender?.settles).toBe(settles)
    })

    test.each(refusals)('answer %i %j: the run is %s [P-2503]', async (status, body, run, reason) => {
      await open('text')
      double.replies.push({ status, body })
      await send()
      expect(world.fields.campaign?.run_status).toBe(run)
      if (run === 'paused') expect(world.fields.campaign?.run_reason).toBe(reason)
      else if (reason !== null) expect(told()).toContainEqual(expect.objectContaining({ reason, count: 1 }))
      else expect(double.taken).toHaveLength(1)
    })
  })
}
