import { afterAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { done } from '#test/fixture/agent-bot.ts'
import { personAt } from '#test/fixture/chat-person.ts'
import { makeDeskBot } from '#test/fixture/desk-bot.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { AGENT, message } from './desk-team.ts'
import { type Client, discard, type Parley, startParley } from './harness.ts'
import { level, PASSWORD } from './people.ts'

/** A smaller size shows that the measurement works: PARLEY_DESK_LOAD=10. */
const SHARE = Number(process.env.PARLEY_DESK_LOAD ?? 100) / 100
const AGENTS = Math.ceil(200 * SHARE)
const OPEN = Math.ceil(2_000 * SHARE)
const CLOSED = Math.ceil(3_000 * SHARE)
const QUEUES = 10
const CAPACITY = 12
/** Chats that wait at a time before they end: a queue takes 200. */
const QUEUED = 1_000
const SAMPLES = 60
/** Words of people while it is measured, a second. */
const WORDS_PER_S = 20

/** People are faster here than a bot allows. */
const WIDE = { LIMIT_CONVERSATIONS_BOT: '1000000', LIMIT_CONVERSATIONS_NODE: '1000000', LIMIT_MESSAGES_BOT: '1000000' }

const FLOW = {
  operators: {
    start: plainBlock('start', 0),
    ask: plainBlock('prompt', 100, { varname: 'fila', data: { type: 'text', text: 'Qual fila?' } }),
    hand: plainBlock('connecttoagent', 200, { agentSystem: 'parley', queue: '{{fila}}' }),
    back: plainBlock('text', 300, { text: 'De volta: {{agent.status}}' }),
  },
  links: { a: link('start', 'ask'), b: link('ask', 'hand'), c: link('hand', 'back') },
}

let parley: Parley
const sockets: WebSocket[] = []
afterAll(async () => {
  for (const socket of sockets) socket.terminate()
  await discard(parley)
})

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const median = (all: readonly number[]) => all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0
const p95 = (all: readonly number[]) => all.toSorted((one, other) => one - other)[Math.ceil(all.length * 0.95) - 1] ?? 0
const figures = (all: readonly number[]) => `${Math.round(median(all))} (p95 ${Math.round(p95(all))})`
const timed = async (work: () => Promise<unknown>) => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Runs work for each number, a few at a time. */
const each = async (count: number, work: (place: number) => Promise<unknown>) => {
  let next = 0
  const worker = async () => {
    for (let place = next++; place < count; place = next++) await work(place)
  }
  await Promise.all(Array.from({ length: 10 }, worker))
}

const until = async (check: () => Promise<boolean> | boolean, ms: number, pauseMs = 200) => {
  for (const end = performance.now() + ms; performance.now() < end; await pause(pauseMs)) if (await check()) return
  throw new Error('it did not come')
}

/** Agents at their sockets, available, all in one group. */
const makeAgents = async (admin: Client, place: string) => {
  const role = await done(admin.post('/role', { name: 'Atendente', hierarchylevel: place, actions: AGENT }))
  const group = await done(admin.post('/usergroup', { name: 'Atendentes', hierarchylevel: place, roles: [role] }))
  const agents: { readonly id: string; readonly client: Client }[] = []
  await each(AGENTS, async number => {
    const username = `agente${number}`
    const id = await done(
      admin.post('/user', {
        username,
        password: PASSWORD,
        usergroup: [group],
        firstname: username,
        hierarchylevel: place,
      }),
    )
    const fresh = `${PASSWORD}x`
    await parley.anyone.post('/user/password', { username, old: PASSWORD, new: fresh, confirm: fresh })
    agents.push({ id, client: await parley.signIn(username, fresh) })
  })
  return agents
}

test('serves 200 agents and 2,000 open chats on one node in the times of the desk [P-2480]', {
  timeout: 3_600_000,
}, async () => {
  parley = await startParley({ env: { PARLEY_SAMPLE: 'off', ...WIDE } })
  const admin = await parley.signIn()
  const place = await level(admin, 'Loja')
  const bot = await makeDeskBot(admin, FLOW, { hierarchylevel: place })
  const rest = await done(
    admin.post('/channel', { bot: bot.bot, type: 'rest', channel_verify_token: 'segredo-do-canal' }),
  )
  const agents = await makeAgents(admin, place)
  for (let number = 0; number < QUEUES; number += 1) {
    const members = agents.filter((_, at) => at % QUEUES === number).map(({ id }) => ({ user: id }))
    await done(admin.post('/deskqueue', { name: `fila${number}`, hierarchylevel: place, members, max_wait: 0 }))
  }
  const say = async (from: string, text: string): Promise<string> => {
    const answer = await fetch(`${parley.origin}/rest/${rest}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'segredo-do-canal' },
      body: JSON.stringify({ id: crypto.randomUUID(), from, text }),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return String(((await answer.json()) as { conversation: unknown }).conversation)
  }
  const counts = async () => (await admin.get('/desk/summary')).body.counts as { waiting: number; all: number }
  const areOpen = (count: number) => until(async () => (await counts()).all === count, 120_000)
  const began = performance.now()
  for (let from = 0; from < CLOSED; from += QUEUED) {
    const some = Math.min(QUEUED, CLOSED - from)
    const wait = async (number: number) => {
      await say(`antiga ${from + number}`, 'oi')
      await say(`antiga ${from + number}`, `fila${number % QUEUES}`)
    }
    await each(some, wait)
    await areOpen(some)
    // The option that leads back to the bot.
    await each(some, number => say(`antiga ${from + number}`, '1'))
    await areOpen(0)
  }
  await each(OPEN, async number => {
    await say(`pessoa ${number}`, 'oi')
    await say(`pessoa ${number}`, `fila${number % QUEUES}`)
  })
  await areOpen(OPEN)
  const seeded = performance.now() - began

  await each(AGENTS, async at => {
    const { client } = agents[at] as (typeof agents)[number]
    await client.patch('/desk/self', { capacity: CAPACITY }, '*')
    const socket = new WebSocket(`${parley.origin.replace('http', 'ws')}/botadmin/realtime/desk`, {
      headers: { authorization: `Bearer ${client.token}` },
    })
    sockets.push(socket)
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
    await client.put('/desk/state', { state: 'available' })
  })
  const came = performance.now()
  await until(async () => (await counts()).waiting === 0, 600_000, 1_000)
  const given = performance.now() - came

  let isOver = false
  const talking = (async () => {
    while (!isOver) {
      void say(`pessoa ${Math.floor(Math.random() * OPEN)}`, 'e agora?').catch(() => undefined)
      await pause(1_000 / WORDS_PER_S)
    }
  })()
  const assigned: number[] = []
  const heard: number[] = []
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const ana = await personAt(parley, bot.web, `Ana ${sample}`)
    await until(async () => (await ana.talk()).length > 0, 20_000, 20)
    const stream = new WebSocket(
      `${parley.origin.replace('http', 'ws')}/chat/conversations/${ana.conversation}/stream`,
      ['parley.chat.v1', ana.token],
    )
    sockets.push(stream)
    const frames: { readonly t: string; readonly agent?: { name: string }; readonly message?: { text: string } }[] = []
    stream.on('message', data => void frames.push(JSON.parse(String(data))))
    await new Promise(resolve => stream.on('open', resolve))
    assigned.push(
      await timed(async () => {
        await ana.say(`fila${sample % QUEUES}`)
        await until(
          () => frames.some(({ agent }) => agent !== undefined && agent !== null && agent.name !== ''),
          20_000,
          5,
        )
      }),
    )
    const at = `/desk/chat/${ana.conversation}`
    const { holder } = (await admin.get(at)).body as never as { holder: { user: string } }
    const client = agents.find(({ id }) => id === holder.user)?.client
    if (client === undefined) throw new Error('nobody')
    for (const text of ['Oi', 'Tudo bem?', 'Já vejo'])
      heard.push(
        await timed(async () => {
          const sent = client.post(`${at}/messages`, message(text, '999999999.999'))
          await until(() => frames.some(frame => frame.message?.text === text), 20_000, 2)
          expect((await sent).status).toBe(200)
        }),
      )
    expect((await client.post(`${at}/close`, {})).status).toBe(200)
    stream.close()
  }
  const [agent] = agents as [(typeof agents)[number]]
  const lists: Record<string, number[]> = {}
  for (const [who, client, query] of [
    ['all', admin, 'view=all'],
    ['last page', admin, `view=all&page=${Math.floor(OPEN / 25)}`],
    ['closed', admin, 'view=closed&page=100'],
    ['agent', agent.client, 'view=all'],
    ['mine', agent.client, 'view=mine'],
  ] as const) {
    lists[who] = []
    for (let count = 0; count < 20; count += 1)
      lists[who].push(
        await timed(async () => expect((await client.get(`/desk/chat?${query}&size=25`)).status).toBe(200)),
      )
  }
  isOver = true
  await talking
  const listed = Object.fromEntries(Object.entries(lists).map(([who, all]) => [who, figures(all)]))
  console.info(
    `desk with ${AGENTS} agents, ${OPEN} open and ${CLOSED} closed chats:`,
    JSON.stringify({
      seeded: Math.round(seeded),
      given: Math.round(given),
      assigned: figures(assigned),
      heard: figures(heard),
      listed,
    }),
  )
  expect(p95(assigned)).toBeLessThanOrEqual(1_000)
  expect(p95(heard)).toBeLessThanOrEqual(300)
  for (const all of Object.values(lists)) expect(p95(all)).toBeLessThanOrEqual(100)
})
