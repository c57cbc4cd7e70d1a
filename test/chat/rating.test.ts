import { describe, expect, test, vi } from 'vitest'
import { makeChatBot } from '#test/api/chat-bot.ts'
import { openAdmin } from '#test/api/open-parley.ts'
import { THREESIXTY } from '#test/doubles/whatsapp/cloud-wires.ts'
import { PROVIDER_ENV, startProvider } from '#test/doubles/whatsapp/provider-server.ts'
import { personAt } from '#test/fixture/chat-person.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'

const SOON = { timeout: 15_000, interval: 50 }

const flowWith = (scale: string) => ({
  operators: {
    start: plainBlock('start', 0),
    rate: plainBlock('rating', 100, { text: 'E aí?', scale, about: 'bot', varname: 'nota' }),
    yes: plainBlock('text', 200, { text: 'Nota {{nota}}' }),
    no: plainBlock('text', 300, { text: 'Sem nota' }),
  },
  links: {
    a: link('start', 'rate'),
    b: link('rate', 'yes'),
    c: link('rate', 'no', 'output_giveup'),
  },
})

const { parley, admin } = await openAdmin({ env: PROVIDER_ENV })

const { bot, dialog, channel: web } = await makeChatBot(admin)

const publish = async (scale: string) => {
  expect((await admin.put(`/dialog/${dialog}/flow`, flowWith(scale))).status).toBe(200)
  expect((await admin.post(`/dialog/${dialog}/publish`)).status).toBe(200)
}

describe('a rating', () => {
  test('is pressed in the web chat, and shown on the page of the conversation [P-2462]', async () => {
    await publish('5')
    const ana = await personAt(parley, web)
    await vi.waitFor(async () => expect(await ana.talk()).toEqual(['bot: E aí?']), SOON)
    const [question] = (await ana.page()).messages as unknown as readonly [
      { readonly id: string; readonly actions: readonly { readonly id: string; readonly title: string }[] },
    ]
    expect(question.actions.map(({ title }) => title)).toEqual(['Muito ruim', 'Ruim', 'Regular', 'Bom', 'Muito bom'])
    await ana.send({ type: 'choice', of: question.id, value: question.actions[3]?.id })
    await vi.waitFor(async () => expect((await ana.talk()).at(-1)).toBe('bot: Nota 4'), SOON)
    const replay = await admin.get(`/conversation/${ana.conversation}/replay`)
    const turns = replay.body.turns as unknown as readonly { readonly ratings?: object[] }[]
    expect(turns.flatMap(({ ratings = [] }) => ratings)).toMatchObject([
      { kind: 'asked', about: 'bot', scale: '5' },
      { kind: 'rated', about: 'bot', scale: '5', score: 4 },
    ])
  })

  test('goes out over WhatsApp as buttons, as a list, or as numbers [P-2463]', async () => {
    const provider = await startProvider(THREESIXTY)
    const { body } = await admin.post('/channel', {
      bot,
      type: THREESIXTY.type,
      url: provider.url,
      ...THREESIXTY.fields,
    })
    const path = `/channel/${body.id}/${String(THREESIXTY.fields.channel_verify_token)}`
    const hear = async (content: object) =>
      expect((await provider.call(parley.origin, path, content as never)).status).toBe(200)
    const sentTo = (to: string, count: number) =>
      vi.waitFor(() => {
        const sent = provider.sentTo(to)
        expect(sent).toHaveLength(count)
        return sent
      }, SOON)
    try {
      await publish('3')
      await hear(THREESIXTY.said('5511988880001', 'in-1', 'oi'))
      const [buttons] = await sentTo('5511988880001', 1)
      expect(buttons).toMatchObject({
        text: 'E aí?',
        options: [{ title: 'Ruim' }, { title: 'Regular' }, { title: 'Bom' }],
      })
      await hear(THREESIXTY.pressed?.('5511988880001', 'in-2', buttons?.options[2] ?? { id: '', title: '' }) ?? {})
      expect((await sentTo('5511988880001', 2)).at(-1)?.text).toBe('Nota 3')

      await publish('5')
      await hear(THREESIXTY.said('5511988880002', 'in-3', 'oi'))
      const [list] = await sentTo('5511988880002', 1)
      expect(list?.request.body).toMatchObject({ interactive: { type: 'list' } })
      expect(JSON.stringify(list?.request.body)).toContain('Muito bom')

      await publish('nps')
      await hear(THREESIXTY.said('5511988880003', 'in-4', 'oi'))
      const [numbers] = await sentTo('5511988880003', 1)
      expect(numbers?.text).toBe('E aí?\n0 · 1 · 2 · 3 · 4 · 5 · 6 · 7 · 8 · 9 · 10')
      await hear(THREESIXTY.said('5511988880003', 'in-5', '9'))
      expect((await sentTo('5511988880003', 2)).at(-1)?.text).toBe('Nota 9')
    } finally {
      await provider.close()
    }
  })

  test('is tried in the simulator before it is published [P-2464]', async () => {
    await publish('thumbs')
    const begun = await admin.post(`/bot/${bot}/simulation`, { dialog })
    expect(begun.status, begun.text).toBe(201)
    const said = ({ body }: typeof begun) =>
      (body.said as unknown as readonly { readonly from: string; readonly text: string }[]).map(
        ({ from, text }) => `${from}: ${text}`,
      )
    expect(said(begun)).toEqual(['bot: E aí?'])
    const rated = await admin.post(`/simulation/${begun.body.simulation}/say`, { type: 'text', text: '👍' })
    expect(rated.status, rated.text).toBe(200)
    expect(said(rated).at(-1)).toBe('bot: Nota 1')
  })
})
