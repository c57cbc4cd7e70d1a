import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeChatBot } from '#test/api/chat-bot.ts'
import { openAdmin } from '#test/api/open-parley.ts'
import { INTERAXA, THREESIXTY } from '#test/doubles/whatsapp/cloud-wires.ts'
import { AVAYA, TWILIO } from '#test/doubles/whatsapp/form-wires.ts'
import { GUPSHUP, INFOBIP, ZENVIA } from '#test/doubles/whatsapp/json-wires.ts'
import { PROVIDER_ENV, PUBLIC_URL, startProvider } from '#test/doubles/whatsapp/provider-server.ts'
import type { Wire } from '#test/doubles/whatsapp/wire.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { PIXEL } from '#test/fixture/pixel.ts'

const PICTURE = 'https://example.com/a.png'
const SOON = { timeout: 15_000, interval: 50 }

/** Refused credentials stop all but one message a minute: they come last. */
const REFUSED = 401
const FAULTS = [
  [503, 'failing provider'],
  [429, 'failing limit'],
  [500, 'failing provider'],
  [REFUSED, 'error unauthorized'],
] as const

/** It asks whether something is right, greets, and shows a picture. */
const FLOW = {
  operators: {
    start: plainBlock('start', 0),
    ask: plainBlock('prompt', 100, { varname: 'certo', data: { type: 'confirm', text: 'Está **certo**?' } }),
    hello: plainBlock('text', 200, { text: 'Anotado: {{certo}}' }),
    picture: plainBlock('text', 300, {
      text: 'Comprovante',
      attachments: [{ contentType: 'image/png', contentUrl: PICTURE, name: 'a.png' }],
    }),
  },
  links: { a: link('start', 'ask'), b: link('ask', 'hello'), c: link('hello', 'picture'), d: link('picture', 'ask') },
}

const { parley, admin } = await openAdmin({ env: PROVIDER_ENV })
const { bot, dialog } = await makeChatBot(admin)
expect((await admin.put(`/dialog/${dialog}/flow`, FLOW)).status).toBe(200)
expect((await admin.post(`/dialog/${dialog}/publish`)).status).toBe(200)

interface Shown {
  readonly from: string
  readonly text?: string
  readonly attachments?: readonly { readonly contentUrl: string; readonly contentType: string }[]
  readonly delivery?: { readonly status: string; readonly code: string }
}

const WIRES: readonly (readonly [wire: Wire, requirement: string])[] = [
  [TWILIO, '[D-3.1.11]'],
  [AVAYA, '[D-3.1.12]'],
  [GUPSHUP, '[D-3.1.14]'],
  [THREESIXTY, '[D-3.1.15]'],
  [INTERAXA, '[D-3.1.16]'],
  [INFOBIP, '[D-3.1.17]'],
  [ZENVIA, '[D-3.1.18]'],
]

describe.each(WIRES.map(([wire, requirement]) => ({ wire, type: wire.type, requirement })))(
  'a channel $type over its provider $requirement',
  ({ wire }) => {
    let provider: Awaited<ReturnType<typeof startProvider>>
    let channel: string
    let path: string
    const number = (last: number) => `55119888800${String(last).padStart(2, '0')}`

    const tell = async (body: Parameters<typeof provider.call>[2], at = path) => {
      // By what the button holds, not by its words.
      const answer = await provider.call(parley.origin, at, body)
      expect(answer.status, await answer.text()).toBe(200)
    }
    const isSent = (to: string, count: number) =>
      vi.waitFor(() => expect(provider.sentTo(to)).toHaveLength(count), SOON)
    const transcripts = async (): Promise<readonly Shown[]> => {
      const { items } = (await admin.get(`/conversation?bot=${bot}&channel=${channel}&size=50`)).body
      const all = await Promise.all(items.map(({ id }) => admin.get(`/conversation/${String(id)}/transcript`)))
      return all.flatMap(({ body }) => body.messages as readonly Shown[])
    }

    beforeAll(async () => {
      provider = await startProvider(wire)
      const given = { bot, type: wire.type, url: provider.url, ...wire.fields }
      const { status, text, body } = await admin.post('/channel', given)
      expect(status, text).toBe(201)
      channel = body.id
      const token = wire.fields.channel_verify_token
      path = `/channel/${channel}${typeof token === 'string' ? `/${token}` : ''}`
    })
    afterAll(() => provider.close())

    test('takes no call that does not prove to be its provider’s', async () => {
      const body = wire.said(number(1), 'in-forged', 'oi')
      const forged = wire.signed === undefined ? [`/channel/${channel}`, `${path}x`] : [path]
      for (const at of forged) expect((await provider.call(parley.origin, at, body, 'another')).status).toBe(401)
      expect(await transcripts()).toEqual([])
    })

    test('asks in the provider’s own form with its credentials, and continues with the answer [P-1400]', async () => {
      const ana = number(2)
      await tell(wire.said(ana, 'in-1', 'oi'))
      await isSent(ana, 1)
      const [asked] = provider.sentTo(ana)
      expect(asked?.text.replaceAll('*', '').split('\n')[0]).toBe('Está certo?')
      const [yes] = asked?.options ?? []
      // By what the button holds, not by its words.
      const answer =
        wire.pressed === undefined || yes === undefined
          ? wire.said(ana, 'in-2', '1')
          : wire.pressed(ana, 'in-2', { ...yes, title: 'Botão' })
      expect(yes?.title).toBe(wire.pressed === undefined ? undefined : 'Sim')
      if (wire.pressed === undefined) expect(asked?.text).toContain('1. Sim\n2. Não')
      // Providers repeat their calls.
      await Promise.all([tell(answer), tell(answer), tell(wire.said(ana, 'in-1', 'oi'))])
      await isSent(ana, 4)
      const [, hello, picture] = provider.sentTo(ana)
      expect(hello?.text).toBe('Anotado: true')
      if (wire.picture === undefined) expect(picture?.text).toBe(`Comprovante\n${PICTURE}`)
      else expect(picture).toMatchObject({ text: 'Comprovante', picture: PICTURE })
    })

    if (wire.pressed !== undefined)
      test('takes a button of an earlier question for no answer to the one that waits [R-53] [P-1720]', async () => {
        const eva = number(7)
        await tell(wire.said(eva, 'in-7', 'oi'))
        await isSent(eva, 1)
        const [yes] = provider.sentTo(eva)[0]?.options ?? []
        const pressed = (id: string) => wire.pressed?.(eva, id, yes ?? { id: '', title: '' }) ?? {}
        await tell(pressed('in-8'))
        await isSent(eva, 4)
        await tell(pressed('in-9'))
        await tell(wire.said(eva, 'in-10', 'não'))
        await isSent(eva, 7)
        const noted = provider.sentTo(eva).filter(({ text }) => text.startsWith('Anotado'))
        expect(noted.map(({ text }) => text)).toEqual(['Anotado: true', 'Anotado: false'])
      })

    test('shows what became of a message by the provider’s receipts', async () => {
      const bia = number(3)
      await tell(wire.said(bia, 'in-3', 'oi'))
      await isSent(bia, 1)
      const [asked] = provider.sentTo(bia)
      const receipt = (state: 'delivered' | 'read') => {
        const { body, path: at = path } = wire.receipt(asked?.request as never, asked?.id ?? '', state)
        return tell(body, at)
      }
      const statuses = async () => (await transcripts()).flatMap(({ delivery }) => delivery?.status ?? [])
      await receipt('delivered')
      await vi.waitFor(async () => expect(await statuses()).toContain('delivered'), SOON)
      await receipt('read')
      await vi.waitFor(async () => expect(await statuses()).toContain('read'), SOON)
    })

    test('tells why a message was not taken, at once or later, in the provider’s own code', async () => {
      const [caio, davi] = [number(4), number(5)]
      provider.refused.push(caio)
      await tell(wire.said(caio, 'in-4', 'oi'))
      await tell(wire.said(davi, 'in-5', 'oi'))
      await isSent(davi, 1)
      const [asked] = provider.sentTo(davi)
      const { body, path: at = path } = wire.receipt(asked?.request as never, asked?.id ?? '', 'failed')
      await tell(body, at)
      await vi.waitFor(async () => {
        const failed = (await transcripts()).flatMap(({ delivery }) =>
          delivery?.status === 'failed' ? [delivery] : [],
        )
        expect(failed).toHaveLength(2)
        expect(failed.map(({ code }) => code)).toContain(wire.refusal.code)
      }, SOON)
    })

    test('tells in its log what went in and out, by result and number, without words or secrets [D-2.10]', async () => {
      const log = async () => admin.get(`/bot/${bot}/logs?service=${wire.type}:${channel}&size=100`)
      const expected = ['channel.received', 'channel.receipt', 'channel.refused', 'delivery.sent', 'delivery.failed']
      await vi.waitFor(
        async () => expect((await log()).body.items.map(({ code }) => code)).toEqual(expect.arrayContaining(expected)),
        SOON,
      )
      const { body, text } = await log()
      expect(body.items.find(({ code }) => code === 'channel.received')?.count).toBeGreaterThan(3)
      for (const secret of ['Anotado', 'certo', '5511988', ...Object.values(wire.fields).map(String)])
        if (secret.length > 4) expect(text).not.toContain(secret)
    })

    test('is failing while messages are not taken, with the cause, and works again with the next accepted one [P-1964]', async () => {
      const isShown = (expected: string) =>
        vi.waitFor(async () => {
          const { state, code, detail } = (await admin.get(`/channel/${channel}/health`)).body
          expect([state, code, detail].join(' ')).toBe(expected)
        }, SOON)
      for (const [at, [status, shown]] of FAULTS.entries()) {
        provider.fault.status = status
        await tell(wire.said(number(20 + at), `in-fault-${at}`, 'oi'))
        await isShown(`${shown} http.${status}`)
        provider.fault.status = undefined
        if (status === REFUSED) break
        await tell(wire.said(number(30 + at), `in-again-${at}`, 'oi'))
        await isShown('ok  ')
      }
    }, 60_000)

    if (wire.picture === undefined) return
    test('stores a received picture', async () => {
      provider.files.set('/photo', PIXEL)
      await tell(wire.picture?.(number(6), 'in-6', '/photo') ?? {})
      const kept = async () =>
        (await transcripts()).flatMap(({ attachments = [], from }) => (from === 'user' ? attachments : []))
      await vi.waitFor(async () => expect(await kept()).toHaveLength(1), SOON)
      const [one] = await kept()
      expect(one?.contentType).toBe('image/png')
      const file = await fetch((one?.contentUrl ?? '').replace(PUBLIC_URL, parley.origin))
      expect(Buffer.from(await file.arrayBuffer())).toEqual(PIXEL)
    })
  },
)
