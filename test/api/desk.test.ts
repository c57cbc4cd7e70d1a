import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { done } from '#test/fixture/agent-bot.ts'
import { makeDeskBot, personAt } from '#test/fixture/desk-bot.ts'
import { type Client, discard, type Parley } from './harness.ts'
import { openParley } from './open-parley.ts'
import { level, person } from './people.ts'

const AGENT = ['showdesk', 'answerconversation', 'takeoverconversation', 'readbot']

let parley: Parley
let admin: Client
let bot: Awaited<ReturnType<typeof makeDeskBot>>
let queue: string
let camila: Awaited<ReturnType<typeof person>>
let diego: Awaited<ReturnType<typeof person>>

beforeAll(async () => {
  parley = await openParley({ env: { PARLEY_SAMPLE: 'off' } })
  admin = await parley.signIn()
  const place = await level(admin, 'Loja')
  bot = await makeDeskBot(admin, undefined, { hierarchylevel: place })
  camila = await person(parley, admin, { username: 'camila', level: place, actions: AGENT })
  diego = await person(parley, admin, { username: 'diego', level: place, actions: AGENT })
  queue = await done(
    admin.post('/deskqueue', {
      name: 'Pedidos',
      hierarchylevel: place,
      mode: 'manual',
      members: [{ user: camila.id }, { user: diego.id }],
      close_reasons: [{ key: 'resolvido', name: 'Resolvido' }],
      reason_required: true,
    }),
  )
}, 110_000)
afterAll(() => discard(parley))

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 50 })

const waiting = async () => {
  const ana = await personAt(parley, bot.web)
  await until(async () => expect(await ana.talk()).toContain('bot: Qual é o pedido?'))
  await ana.say('123')
  const at = `/desk/chat/${ana.conversation}`
  await until(async () => expect((await camila.client.get(at)).status).toBe(200))
  return { ana, at }
}
const message = (text: string, seen: string, id: string = randomUUID()) => ({ id, text, seen })

describe('the desk', () => {
  test('hands a person from the queue to an agent and back to the bot [P-2300]', async () => {
    const { ana, at } = await waiting()
    const listed = (await camila.client.get('/desk/chat?view=waiting')).body
    expect(listed).toMatchObject({
      total: 1,
      items: [
        {
          conversation: ana.conversation,
          status: 'waiting',
          queue,
          queuename: 'Pedidos',
          person: 'Ana',
          maytake: true,
          mine: false,
          holder: null,
        },
      ],
    })
    expect((await ana.page()).agent).toMatchObject({ isWaiting: true })
    const taken = await camila.client.post(`${at}/take`, {})
    expect(taken.status, taken.text).toBe(200)
    await until(async () => expect((await ana.page()).agent).toMatchObject({ name: 'camila', isWaiting: false }))
    const { body } = await camila.client.get(at)
    expect(body).toMatchObject({ status: 'held', mine: true, holder: { user: camila.id } })
    expect(body.facts).toContainEqual({ name: 'pedido', value: '123', masked: false })
    const said = await camila.client.post(`${at}/messages`, message('Oi, Ana', body.position as never))
    expect(said.status, said.text).toBe(200)
    await ana.say('chegou quebrado')
    await until(async () =>
      expect((await camila.client.get(at)).body.messages as never as { text: string }[]).toContainEqual(
        expect.objectContaining({ from: 'user', text: 'chegou quebrado' }),
      ),
    )
    expect((await camila.client.post(`${at}/close`, {})).body).toMatchObject({ code: 'desk.reason' })
    const closed = await camila.client.post(`${at}/close`, { reason: 'resolvido' })
    expect(closed.status, closed.text).toBe(200)
    await until(async () => expect((await ana.talk()).at(-1)).toBe('bot: De volta: closed'))
    expect(await ana.talk()).toEqual([
      'bot: Qual é o pedido?',
      'user: 123',
      'bot: Você é o 1º da fila. Alguém responde em alguns minutos.',
      'bot: camila entrou na conversa.',
      'agent: Oi, Ana',
      'user: chegou quebrado',
      'bot: camila encerrou o atendimento.',
      'bot: Voltei a atender você.',
      'bot: De volta: closed',
    ])
    expect((await camila.client.get('/desk/chat?view=closed')).body).toMatchObject({
      items: [{ conversation: ana.conversation, status: 'closed' }],
    })
    expect((await camila.client.get('/desk/summary')).body).toMatchObject({ me: { load: 0 }, counts: { mine: 0 } })
  })
})
