import { afterEach, describe, expect, test } from 'vitest'
import { personaPhone } from '#domain/campaign/simulated-number.ts'
import { optOutFollower } from '#runtime/campaign/optout/opt-outs.ts'
import { SIMULATED_GRAPH_URL } from '#runtime/channel/shared/graph.ts'
import { cloudEvents } from '#runtime/channel/whatsapp-cloud/cloud-events.ts'
import { SimulatedNumbers } from '#runtime/channel/whatsapp-simulated/simulated-numbers.ts'
import { createCall } from '#runtime/outbound/call.ts'
import type { JsonObject } from '#schemas/event.ts'
import { startGraphServer, WABA_ID } from '#test/doubles/meta/graph-server.ts'
import { type CampaignWorld, openCampaignWorld, phoneAt } from './campaign-world.ts'

/** A number that sends campaigns, at one of the doubles of Meta. */
interface DoubleNumber {
  readonly world: CampaignWorld
  /** Numbers that it wrote to, with the text of each message. */
  sent(): Promise<readonly (readonly [to: string, text: string])[]>
  /** Lets the receipts of all messages come. */
  settle(): Promise<void>
  /** Words of the person at a place. */
  say(at: number, text: string): Promise<void>
  close(): Promise<void>
}

const PEOPLE = 6
const APP = 'm1'
const SPEED = 100

/** Passes the events of a webhook to the followers of the inbox. */
const hear = async (world: CampaignWorld, body: JsonObject) => {
  const follower = optOutFollower({
    ...{ optOuts: world.parts.optOuts, levelOf: async () => null, isHeardByBot: async () => false },
    ...{ answer: () => undefined, now: Date.now },
  })
  for (const event of cloudEvents(body)) {
    const route = { family: 'whatsapp_meta', to: event.to, account: 'a1' }
    if (event.kind === 'receipt') await world.receipts.hearReceipts([{ route, event }])
    if (event.kind === 'message') await world.receipts.hearPerson({ route, event })
    if (event.kind === 'message') await follower.message?.({ route, event })
  }
}

const peopleAt = (phone: (at: number) => string) =>
  Array.from({ length: PEOPLE }, (_, at) => ({ phone: phone(at), nome: `Pessoa ${at}`, fields: {} }))

const metaNumber = async (): Promise<DoubleNumber> => {
  const graph = await startGraphServer()
  const world = await openCampaignWorld({ graphUrl: graph.url, people: peopleAt(phoneAt) })
  const value = (more: object) => ({ entry: [{ id: WABA_ID, changes: [{ field: 'messages', value: more }] }] }) as never
  const timestamp = () => String(Math.floor(Date.now() / 1000))
  let words = 0
  return {
    world,
    sent: async () =>
      graph.accepted.map(({ to, template }) => {
        const [body] = (template as { components: { parameters: { text: string }[] }[] }).components
        return [String(to), `Oi, ${body?.parameters[0]?.text}! Até já.`] as const
      }),
    async settle() {
      const statuses = graph.accepted.map(({ to, biz_opaque_callback_data: callback }) => ({
        ...{ id: `wamid.${String(to)}`, status: 'delivered', timestamp: timestamp() },
        biz_opaque_callback_data: callback,
      }))
      await hear(world, value({ statuses }))
    },
    async say(at, text) {
      words += 1
      const from = phoneAt(at).slice(1)
      const message = { from, id: `wamid.said${words}`, timestamp: timestamp(), type: 'text', text: { body: text } }
      await hear(world, value({ messages: [message] }))
    },
    async close() {
      await world.close()
      await graph.close()
    },
  }
}

const TEMPLATE = {
  ...{ name: 'aviso', language: 'pt_BR', category: 'UTILITY' },
  components: [{ type: 'BODY', text: 'Oi, {{1}}! Até já.', example: { body_text: [['Luana']] } }],
}

const simulatedNumber = async (): Promise<DoubleNumber> => {
  const faults: unknown[] = []
  const numbers = new SimulatedNumbers({ isOn: true })
  const call = createCall({ allowPrivate: false, inside: request => numbers.answer(request) })
  const account = { account_mode: 'SIMULATED', display_phone_number: '+55 11 90001-0000' }
  const world = await openCampaignWorld({
    graphUrl: 'https://none.invalid',
    call,
    account,
    people: peopleAt(personaPhone),
  })
  const rows = [{ id: 'a1', metaapp: APP, name: 'Simulado' }]
  numbers.connect({
    log: async () => world.parts.store,
    keys: { secret: { encrypt: value => ({ value }), decrypt: ({ value }) => value ?? null } },
    commands: { openFields: async entity => ({ ...world.fields[entity], app_id: '999003' }) },
    read: {
      onTouched: () => () => undefined,
      list: async () => ({ items: rows, total: 1 }) as never,
    },
    async post(path, _headers, body) {
      expect(path).toBe(`/meta/${APP}/webhook`)
      await hear(world, JSON.parse(body) as JsonObject)
      return 200
    },
    isShared: false,
    failed: error => void faults.push(error),
  })
  await numbers.setSpeed('a1', SPEED)
  await call({
    ...{ method: 'POST', url: `${SIMULATED_GRAPH_URL}/${WABA_ID}/message_templates`, timeout: 1000, most: 10_000 },
    headers: [['authorization', `Bearer ${String(world.fields.metaaccount?.access_token)}`]],
    body: JSON.stringify(TEMPLATE),
  })
  const status = async () => [...(await numbers.state('a1')).templates.values()][0]?.status
  await expect.poll(status, { timeout: 10_000 }).toBe('APPROVED')
  const messages = async () =>
    [...(await numbers.state('a1')).personas].flatMap(([persona, { messages: of }]) =>
      of.filter(({ from }) => from === 'business').map(message => ({ persona, ...message })),
    )
  return {
    world,
    sent: async () => (await messages()).map(({ persona, text }) => [personaPhone(persona), text] as const),
    async settle() {
      const delivered = async () => (await messages()).every(({ status: of }) => of === 'delivered' || of === 'read')
      await expect.poll(delivered, { timeout: 10_000 }).toBe(true)
    },
    async say(at, text) {
      await numbers.act('a1', at, { do: 'say', text })
      await expect.poll(async () => (await numbers.state('a1')).pending.size, { timeout: 10_000 }).toBe(0)
    },
    async close() {
      // After the end of the test, further receipts meet a closed store.
      expect(faults).toEqual([])
      numbers.close()
      await world.close()
    },
  }
}

describe.each([
  ['Meta', metaNumber],
  ['a simulated number', simulatedNumber],
])('a campaign through %s', (_name, openNumber) => {
  let number: DoubleNumber
  afterEach(() => number.close())
  const phones = () => (number.world.fields.metaaccount?.account_mode === 'SIMULATED' ? personaPhone : phoneAt)
  const send = async (change: object = {}) => {
    Object.assign(number.world.fields.campaign ?? {}, change)
    expect(number.world.say('start')).toBeUndefined()
    await number.world.drive()
    expect(number.world.fields.campaign?.run_status).toBe('completed')
  }

  test('reaches each number once, is counted by its receipts and answers, and stops at a word of opt-out [P-2812]', async () => {
    number = await openNumber()
    await send()
    const expected = Array.from({ length: PEOPLE }, (_, at) => [phones()(at), `Oi, Pessoa ${at}! Até já.`])
    expect((await number.sent()).toSorted()).toEqual(expected)
    await send()
    expect(await number.sent()).toHaveLength(PEOPLE)
    await number.settle()
    const reached = () => {
      const { delivered, read, engaged, total } = number.world.figures()
      return [delivered + read + engaged, total]
    }
    await expect.poll(reached, { timeout: 10_000 }).toEqual([PEOPLE, PEOPLE])
    const before = number.world.figures().engaged
    await number.say(0, 'oi')
    expect(number.world.figures().engaged).toBeGreaterThanOrEqual(Math.max(1, before))
    await number.say(1, 'SAIR')
    const scope = { lists: ['*'], category: 'marketing' }
    const isStopped = (at: number) =>
      number.world.audience.isSuppressed(scope, number.world.audience.digestsOf({ phone: phones()(at) }))
    expect([0, 1, 2].map(isStopped)).toEqual([false, true, false])
    Object.assign(number.world.parts, { now: () => Date.now() + 7000 })
    await send({ repeat: 'everyone' })
    const numbers = (await number.sent()).map(([to]) => to)
    expect(numbers.filter(to => to === phones()(1))).toHaveLength(1)
    expect(numbers).toHaveLength(2 * PEOPLE - 1)
    expect(number.world.figures()).toMatchObject({ total: PEOPLE })
  })
})
