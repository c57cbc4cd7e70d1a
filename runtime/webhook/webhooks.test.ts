import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test, vi } from 'vitest'
import { signatureHeaders } from '#commands/webhook/webhook-secret.ts'
import { OLD_SECRET, openWebhookWorld, type Received, SECRET } from './fixture/webhook-world.ts'

type World = Awaited<ReturnType<typeof openWebhookWorld>>
type Node = ReturnType<World['open']>

let world: World | undefined
const nodes: Node[] = []
afterEach(async () => {
  for (const { webhooks } of nodes.splice(0)) await webhooks.close()
  await world?.close()
  world = undefined
})

const begin = async (given: Parameters<typeof openWebhookWorld>[0] = {}) => {
  world = await openWebhookWorld(given)
  return world
}
/** A node that has begun: its webhook sends events from now on. */
const openNode = async (of: World): Promise<Node> => {
  const node = of.open()
  nodes.push(node)
  of.wake()
  await vi.waitFor(async () => expect(await of.store.revision('webhooksent-w1')).toBeGreaterThan(0), 10_000)
  return node
}
const idsOf = (received: readonly Received[]) => received.map(({ headers }) => headers['webhook-id'])
const until = (of: World, isDone: () => void) =>
  vi.waitFor(() => {
    of.wake()
    isDone()
  }, 15_000)

test('signs each event as Standard Webhooks does, with the bytes that it sends [P-2720]', async () => {
  const of = await begin()
  const { webhooks } = await openNode(of)
  // The library compares the time of the attempt with its own clock.
  of.clock.now = Date.now()
  const [event] = await of.add(1)
  await until(of, () => expect(of.receiver.received).toHaveLength(1))
  const [{ headers, body } = { headers: {}, body: '' }] = of.receiver.received
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': `evt_${event}` })
  const sent = new Webhook(SECRET).verify(body, headers as Record<string, string>)
  expect(sent).toMatchObject({ id: event, type: 'entity.created', data: { entity: 'bot', changed: ['name'] } })
  expect(() => new Webhook(OLD_SECRET).verify(body, headers as Record<string, string>)).toThrow()
  expect(() => new Webhook(SECRET).verify(`${body} `, headers as Record<string, string>)).toThrow()
  await until(of, () =>
    expect(webhooks.deliveries('w1', { limit: 9 })).toMatchObject([{ event, state: 'arrived', status: 200, tries: 1 }]),
  )
})

test('signs with both secrets while it rotates [P-2721]', () => {
  const body = '{"a":1}'
  const seconds = Math.floor(Date.now() / 1_000)
  const signed = Object.fromEntries(signatureHeaders([SECRET, OLD_SECRET], { id: 'evt_1', seconds, body }))
  for (const secret of [SECRET, OLD_SECRET]) expect(new Webhook(secret).verify(body, signed)).toEqual({ a: 1 })
})

test('sends a failed event again with the same id and bytes, the others without waiting, and counts attempts [P-2722] [P-2614]', async () => {
  const of = await begin({ status: n => (n < 2 ? 500 : 200) })
  const { webhooks } = await openNode(of)
  const events = await of.add(6)
  await until(of, () => expect(of.receiver.received).toHaveLength(6))
  const failed = of.receiver.received.filter(({ status }) => status === 500)
  expect(failed).toHaveLength(2)
  await until(of, () => expect(webhooks.deliveries('w1', { limit: 9 })).toHaveLength(6))
  await vi.waitFor(async () => expect(await webhooks.behind()).toBeGreaterThanOrEqual(2), 10_000)
  of.clock.now += 5_100
  await until(of, () => expect(of.receiver.received).toHaveLength(8))
  const again = of.receiver.received.slice(6)
  expect(new Set(idsOf(again))).toEqual(new Set(idsOf(failed)))
  for (const { headers, body } of again)
    expect(failed.find(before => before.headers['webhook-id'] === headers['webhook-id'])?.body).toBe(body)
  expect(new Set(idsOf(of.receiver.received))).toEqual(new Set(events.map(id => `evt_${id}`)))
  await until(of, () => expect(of.attempts).toHaveLength(8))
  expect(of.attempts.toSorted()).toEqual([...Array(6).fill('arrived'), 'failing', 'failing'])
})

test('keeps the order of an ordered webhook: the next event waits until the one before arrived [P-2723]', async () => {
  const of = await begin({ status: n => (n === 1 ? 500 : 200), fields: { ordered: true } })
  const { webhooks } = await openNode(of)
  const events = (await of.add(4)).map(id => `evt_${id}`)
  await until(of, () => expect(webhooks.deliveries('w1', { limit: 9 })).toHaveLength(2))
  of.clock.now += 6_000
  await until(of, () => expect(of.receiver.received).toHaveLength(5))
  expect(idsOf(of.receiver.received)).toEqual([events[0], events[1], events[1], events[2], events[3]])
})

test('turns itself off at 410, and tells its owner [P-2724]', async () => {
  const of = await begin({ status: () => 410 })
  await openNode(of)
  await of.add(1)
  await until(of, () => expect(of.recorded).toContainEqual({ state: 'off', off_reason: 'gone' }))
  expect(of.row().enable).toBe(false)
  await vi.waitFor(async () => {
    const notices = []
    for await (const { data } of of.store.read('notice-webhook-w1')) notices.push(data)
    expect(notices).toMatchObject([{ message: 'webhook.off', recipients: ['u1'], params: { reason: 'gone' } }])
  }, 10_000)
})

test('turns itself off after 75 hours of failures alone, and sends again when it is enabled [P-2724]', async () => {
  let isUp = false
  const of = await begin({ status: () => (isUp ? 200 : 500) })
  await openNode(of)
  await of.add(1)
  // The clock may move once the failure is stored.
  let known = 0
  const failed = async () => {
    of.wake()
    const revision = await of.store.revision('webhooksent-w1')
    expect(revision).toBeGreaterThan(known)
    known = revision
  }
  known = await of.store.revision('webhooksent-w1')
  await vi.waitFor(failed, 15_000)
  for (const hours of [1, 2, 5, 10, 14, 20, 24]) {
    of.clock.now += hours * 3_600_000
    if (of.row().enable) await vi.waitFor(failed, 15_000)
  }
  await until(of, () => expect(of.recorded).toContainEqual({ state: 'off', off_reason: 'dead' }))
  isUp = true
  of.enable()
  const [event] = await of.add(1)
  await until(of, () => expect(idsOf(of.receiver.received)).toContain(`evt_${event}`))
  expect(of.row().enable).toBe(true)
})

test('waits as long as the receiver says [P-2725]', async () => {
  const of = await begin({ status: n => (n === 0 ? 503 : 200), fields: { ordered: true } })
  const { webhooks } = await openNode(of)
  await of.add(2)
  await until(of, () => expect(webhooks.deliveries('w1', { limit: 9 })).toHaveLength(1))
  of.clock.now += 6_000
  of.wake()
  await new Promise(resolve => setTimeout(resolve, 700))
  expect(of.receiver.received).toHaveLength(1)
  of.clock.now += 1_500
  await until(of, () => {
    of.clock.now += 200
    expect(of.receiver.received).toHaveLength(3)
  })
})

test('sends at once what a person asks for, from any node, while the receiver wants to wait [P-2939]', async () => {
  const of = await begin({ status: n => (n === 0 ? 503 : 200) })
  const { webhooks } = await openNode(of)
  const other = of.open()
  nodes.push(other)
  const [event = ''] = await of.add(1)
  await until(of, () => expect(webhooks.deliveries('w1', { state: 'failing', limit: 9 })).toHaveLength(1))
  // The other node reads the failure in the store.
  await vi.waitFor(async () => {
    const types: string[] = []
    for await (const { type } of of.store.read('webhooksent-w1')) types.push(type)
    expect(types).toContain('WebhookFailed')
  }, 10_000)
  expect(await other.webhooks.retry('w1', [event])).toEqual([event])
  // The other node writes it; the one that sends reads what was written every 5 s. The receiver asked for 7 s.
  of.clock.now += 5_000
  await until(of, () => expect(of.receiver.received).toHaveLength(2))
  expect(idsOf(of.receiver.received)).toEqual([`evt_${event}`, `evt_${event}`])
})

test('ignores a wait that comes with an arrival [P-2939]', async () => {
  const of = await begin({ status: () => 202 })
  await openNode(of)
  await of.add(1)
  await until(of, () => expect(of.receiver.received).toHaveLength(1))
  await of.add(1)
  await until(of, () => expect(of.receiver.received).toHaveLength(2))
})

test('counts what waits for 5 s, and answers nothing when the store fails [P-2938]', async () => {
  const of = await begin()
  const { webhooks } = await openNode(of)
  const counted = vi.spyOn(of.store, 'countAfter').mockResolvedValue(3)
  expect([await webhooks.behindOf('w1'), await webhooks.behindOf('w1')]).toEqual([3, 3])
  expect(counted).toHaveBeenCalledTimes(1)
  counted.mockRejectedValue(new Error('down'))
  of.clock.now += 4_999
  expect(await webhooks.behindOf('w1')).toBe(3)
  of.clock.now += 1
  expect(await webhooks.behindOf('w1')).toBe(null)
})

test('waits up to 24 hours when the receiver asks for it [P-2725]', async () => {
  const of = await begin({ status: n => (n === 0 ? 507 : 200) })
  const { webhooks } = await openNode(of)
  await of.add(1)
  const failing = () => webhooks.deliveries('w1', { state: 'failing', limit: 9 })
  await until(of, () => expect(failing()).toHaveLength(1))
  expect(failing()).toMatchObject([{ status: 507, next: of.clock.now + 24 * 3_600_000 }])
  of.clock.now += 24 * 3_600_000 + 1
  await until(of, () => expect(of.receiver.received).toHaveLength(2))
})

test.each([
  { ordered: false, most: 4 },
  { ordered: true, most: 1 },
])(
  'has $most under way at a time (ordered: $ordered), each for 15 s and 4 kB of an answer [P-2954]',
  async ({ ordered, most }) => {
    const held: (() => void)[] = []
    const status = () => new Promise<number>(resolve => held.push(() => resolve(200)))
    const of = await begin({ status, fields: { ordered } })
    const { webhooks } = await openNode(of)
    await of.add(6)
    await until(of, () => expect(held).toHaveLength(most))
    await new Promise(resolve => setTimeout(resolve, 500))
    expect(held).toHaveLength(most)
    await until(of, () => {
      for (const release of held.splice(0)) release()
      // The answer is longer, and counts as its status says.
      expect(webhooks.deliveries('w1', { state: 'arrived', limit: 9 })).toHaveLength(6)
    })
    for (const call of of.calls) expect(call).toMatchObject({ timeout: 15_000, most: 4_000, maxRedirects: 0 })
  },
)

test('sends half as fast after each 429, 502 and 504, and faster again after an arrival [P-2739]', async () => {
  const answers = [502, 504, 429, 200]
  const of = await begin({ status: n => answers[n] ?? 200 })
  const { webhooks } = await openNode(of)
  const told = (count: number) => until(of, () => expect(webhooks.deliveries('w1', { limit: 9 })).toHaveLength(count))
  await of.add(1)
  await told(1)
  for (const [at, pause] of [250, 500, 1_000, 500].entries()) {
    await of.add(1)
    of.clock.now += pause - 10
    for (let time = 0; time < 3; time += 1) {
      of.wake()
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    expect(of.receiver.received, `before ${pause} ms`).toHaveLength(at + 1)
    of.clock.now += 20
    await told(at + 2)
  }
})

test('sends nothing that its owner may no longer read [P-2726]', async () => {
  const of = await begin()
  await openNode(of)
  of.permit()
  await of.add(2)
  const head = await of.store.head()
  await vi.waitFor(async () => {
    // Without an event to send, the position is stored once an hour.
    of.clock.now += 3_601_000
    of.wake()
    let position = ''
    for await (const { data } of of.store.read('webhooksent-w1', { direction: 'backwards', limit: 1 }))
      position = of.events.cursors.decode(String(data.position))?.console ?? ''
    expect(position >= head).toBe(true)
  }, 15_000)
  expect(of.receiver.received).toEqual([])
})

test('writes nothing while there is no event to send [P-2733]', async () => {
  const of = await begin({ fields: { types: ['bot.started'] } })
  await openNode(of)
  nodes.push(of.open())
  const written = () => Promise.all(['webhooksent-w1', 'webhooklease-w1'].map(stream => of.store.revision(stream)))
  const before = await written()
  const reads = vi.spyOn(of.store, 'readAll')
  for (let round = 0; round < 3; round++) {
    reads.mockClear()
    await of.add(1)
    of.clock.now += 20_000
    await until(of, () => expect(reads).toHaveBeenCalled())
  }
  expect(await written()).toEqual(before)
})

test('lets one node send, and another one after its death, from the last position on [P-2727]', async () => {
  const of = await begin()
  const first = await openNode(of)
  const other = of.open()
  nodes.push(other)
  const before = (await of.add(3)).map(id => `evt_${id}`)
  await until(of, () => expect(idsOf(of.receiver.received)).toEqual(before))
  first.kill()
  const after = (await of.add(3)).map(id => `evt_${id}`)
  of.clock.now += 29_000
  of.wake()
  await new Promise(resolve => setTimeout(resolve, 700))
  expect(of.receiver.received).toHaveLength(3)
  of.clock.now += 6_000
  await until(of, () => expect(new Set(idsOf(of.receiver.received))).toEqual(new Set([...before, ...after])))
})

test('tries again, replays and tests when people ask for it [P-2728]', async () => {
  const of = await begin({ status: n => (n === 0 ? 500 : 200) })
  const { webhooks } = await openNode(of)
  const [event = '', second] = await of.add(2)
  // The receiver has answered before the answers are stored.
  await until(of, () =>
    expect(webhooks.deliveries('w1', { state: 'failing', limit: 9 })).toMatchObject([
      { event, answer: expect.any(String) },
    ]),
  )
  await until(of, () => expect(of.receiver.received).toHaveLength(2))
  expect(webhooks.deliveries('w1', { state: 'failing', limit: 9 })[0]?.answer).toHaveLength(200)
  expect(await webhooks.retry('w1', [event, 'unknown'])).toEqual([event])
  await until(of, () => expect(of.receiver.received).toHaveLength(3))
  expect(idsOf(of.receiver.received)[2]).toBe(`evt_${event}`)

  const begun = webhooks.replay(of.row(), { begin: { console: '', conversations: '' }, to: of.clock.now })
  expect(begun.ok).toBe(true)
  expect(webhooks.replay(of.row(), { begin: { console: '', conversations: '' }, to: 0 }).ok).toBe(false)
  await until(of, () => expect(of.receiver.received).toHaveLength(5))
  const replayed = of.receiver.received.slice(3)
  expect(replayed.map(({ headers }) => headers['parley-replay'])).toEqual(['1', '1'])
  expect(idsOf(replayed).toSorted()).toEqual([`evt_${event}`, `evt_${second}`].toSorted())

  expect(await webhooks.test(of.row())).toMatchObject({ isArrived: true, status: 200 })
  expect(JSON.parse(String(of.receiver.received.at(-1)?.body))).toMatchObject({ type: 'parley.ping' })
})

/** Delays the answers of a receiver, from one request on, until they are released. */
const holdFrom = (first: number) => {
  const gate = Promise.withResolvers<number>()
  return { status: (n: number) => (n < first ? 200 : gate.promise), open: () => gate.resolve(200) }
}

test('stops within a backlog when it is disabled, and continues at its new address [P-2492]', async () => {
  const { status, open } = holdFrom(4)
  const of = await begin({ status })
  await openNode(of)
  const events = (await of.add(40)).map(id => `evt_${id}`)
  await until(of, () => expect(of.calls).toHaveLength(8))
  of.change({ enable: false })
  open()
  await until(of, () => expect(of.receiver.received).toHaveLength(8))
  await new Promise(resolve => setTimeout(resolve, 700))
  expect(of.calls).toHaveLength(8)

  const url = `${of.receiver.url}/moved`
  of.change({ enable: true, url })
  await until(of, () => expect(of.receiver.received).toHaveLength(40))
  expect(idsOf(of.receiver.received).toSorted()).toEqual(events.toSorted())
  expect(new Set(of.calls.slice(8).map(call => call.url))).toEqual(new Set([url]))
})

test('a replay follows changes of the webhook, and ends when it is turned off [P-2493]', async () => {
  const { status, open } = holdFrom(7)
  const of = await begin({ status })
  const { webhooks } = await openNode(of)
  await of.add(6)
  await until(of, () => expect(of.receiver.received).toHaveLength(6))
  const replay = () => webhooks.replay(of.row(), { begin: { console: '', conversations: '' }, to: of.clock.now })
  expect(replay().ok).toBe(true)
  await until(of, () => expect(of.calls).toHaveLength(8))
  const url = `${of.receiver.url}/moved`
  of.change({ url })
  open()
  // Each event again once.
  await until(of, () => expect(of.receiver.received).toHaveLength(12))
  expect(of.calls.slice(8).map(call => call.url)).toEqual([url, url, url, url])

  await until(of, () => expect(replay().ok).toBe(true))
  of.change({ enable: false })
  await new Promise(resolve => setTimeout(resolve, 700))
  const count = of.receiver.received.length
  expect(count).toBeLessThan(18)
  expect(replay()).toMatchObject({ ok: false, refusal: { code: 'webhook.off' } })
})

test('a replay waits as long as the receiver asks, and ends at an answer 410 [P-2493]', async () => {
  const answers = [200, 200, 200, 503, 200, 200, 200, 410]
  const of = await begin({ status: n => answers[n] ?? 200 })
  const { webhooks } = await openNode(of)
  await of.add(3)
  await until(of, () => expect(of.receiver.received).toHaveLength(3))
  const replay = () => webhooks.replay(of.row(), { begin: { console: '', conversations: '' }, to: of.clock.now })
  expect(replay().ok).toBe(true)
  await until(of, () => expect(webhooks.deliveries('w1', { state: 'failing', limit: 9 })).toHaveLength(1))
  await new Promise(resolve => setTimeout(resolve, 1_200))
  expect(of.receiver.received).toHaveLength(4)
  // The failed one is tried again like any other.
  of.clock.now += 7_500
  await until(of, () => expect(of.receiver.received).toHaveLength(7))

  await until(of, () => expect(replay().ok).toBe(true))
  await until(of, () => expect(of.recorded).toContainEqual({ state: 'off', off_reason: 'gone' }))
  await new Promise(resolve => setTimeout(resolve, 700))
  expect(of.receiver.received).toHaveLength(8)
})

test('keeps 10,000 failed events; the next ones wait in the log, and a replay ends, until there is room [P-2788]', async () => {
  const of = await begin({ status: n => (n < 2 ? 500 : 200) })
  await of.fail(9_998)
  const { webhooks } = await openNode(of)
  await vi.waitFor(async () => expect(await of.store.revision('webhooksent-w1')).toBeGreaterThan(9_998), 10_000)
  const events = (await of.add(5)).map(id => `evt_${id}`)
  await until(of, () => expect(webhooks.deliveries('w1', { state: 'failing', limit: 9 })).toHaveLength(2))
  const [{ event } = { event: '' }] = webhooks.deliveries('w1', { state: 'failing', limit: 9 })
  const replay = (to: number) => webhooks.replay(of.row(), { begin: { console: '', conversations: '' }, to }).ok
  expect(replay(of.clock.now)).toBe(true)
  // It has ended; one up to 1970 sends nothing.
  await until(of, () => expect(replay(0)).toBe(true))
  await new Promise(resolve => setTimeout(resolve, 700))
  expect(of.receiver.received).toHaveLength(2)
  expect(await webhooks.retry('w1', [event])).toEqual([event])
  await until(of, () => expect(of.receiver.received).toHaveLength(6))
  expect(new Set(idsOf(of.receiver.received))).toEqual(new Set(events))
})

const PERSONAL = { values: true, personal: true, personal_reason: 'CRM' }
const dataOf = ({ body }: Received) => (JSON.parse(body) as { readonly data: Record<string, unknown> }).data

test('sends personal values of users while its owner may, and counts the events before they leave [P-2741]', async () => {
  const of = await begin({ fields: PERSONAL })
  of.permit('readuser', 'sendpersonal')
  await openNode(of)
  await of.addUser('u2', 'ana.souza')
  await until(of, () => expect(of.receiver.received).toHaveLength(1))
  expect(of.receiver.received.map(dataOf)).toMatchObject([
    { values: { username: 'ana.souza', language: 'pt' }, personal: ['username'] },
  ])
  expect(of.disclosed).toEqual([{ count: 1, reason: 'CRM', sent: 0 }])
  of.permit('readuser')
  await of.addUser('u3', 'rui.lima')
  await until(of, () => expect(of.receiver.received).toHaveLength(2))
  const { values, personal } = of.receiver.received.map(dataOf)[1] ?? {}
  expect({ values, personal }).toEqual({ values: { language: 'pt' } })
  expect(of.disclosed).toHaveLength(1)
})

test.each([
  { when: 'with the id alone once the person is forgotten', change: (of: World) => of.forget('u2') },
  { when: 'with the id alone once its owner lost the right', change: (of: World) => of.permit('readuser') },
  { when: 'as it was while nothing changed' },
])('keeps no personal value of a failed event, and sends it again $when [P-2742]', async ({ change }) => {
  const of = await begin({ status: n => (n === 0 ? 500 : 200), fields: PERSONAL })
  of.permit('readuser', 'sendpersonal')
  const { webhooks } = await openNode(of)
  await of.addUser('u2', 'ana.souza')
  await until(of, () => expect(webhooks.deliveries('w1', { state: 'failing', limit: 9 })).toHaveLength(1))
  const kept = [...webhooks.deliveries('w1', { limit: 9 })] as unknown[]
  for await (const { data } of of.store.read('webhooksent-w1')) kept.push(data)
  expect(JSON.stringify(kept)).not.toContain('ana.souza')
  // The answer of a receiver may repeat what it got.
  expect(webhooks.deliveries('w1', { limit: 9 })).toMatchObject([{ answer: '' }])
  change?.(of)
  of.clock.now += 6_000
  await until(of, () => expect(of.receiver.received).toHaveLength(2))
  const [first, again] = of.receiver.received
  expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  if (change === undefined) expect(again?.body).toBe(first?.body)
  else expect(again && dataOf(again)).toEqual({ entity: 'user', id: 'u2' })
})

test('gives up a failed event that its owner may no longer read, without another attempt [P-2743]', async () => {
  const of = await begin({ status: n => (n === 0 ? 500 : 200) })
  const { webhooks } = await openNode(of)
  const [event] = await of.add(1)
  await until(of, () => expect(webhooks.deliveries('w1', { state: 'failing', limit: 9 })).toHaveLength(1))
  of.permit()
  of.clock.now += 6_000
  await until(of, () =>
    expect(webhooks.deliveries('w1', { limit: 9 })).toMatchObject([
      { event, state: 'givenup', reason: 'access.forbidden', tries: 1 },
    ]),
  )
  expect(of.receiver.received).toHaveLength(1)
})

test('follows no redirect: the event is tried again at the address of the webhook [P-2746]', async () => {
  const of = await begin({ status: n => (n === 0 ? 302 : 200) })
  const { webhooks } = await openNode(of)
  const [event] = await of.add(1)
  await until(of, () =>
    expect(webhooks.deliveries('w1', { limit: 9 })).toMatchObject([
      { event, state: 'failing', reason: 'outbound.redirects' },
    ]),
  )
  expect(of.receiver.received).toHaveLength(1)
  of.clock.now += 6_000
  await until(of, () => expect(webhooks.deliveries('w1', { limit: 9 })).toMatchObject([{ state: 'arrived', tries: 2 }]))
})
