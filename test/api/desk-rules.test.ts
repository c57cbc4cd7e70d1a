import { afterAll, describe, expect, test } from 'vitest'
import { done } from '#test/fixture/agent-bot.ts'
import { personAt } from '#test/fixture/chat-person.ts'
import { makeDeskBot } from '#test/fixture/desk-bot.ts'
import { AGENT, makeQueue, message, openDeskTeam, until } from './desk-team.ts'
import { discard } from './harness.ts'
import { level, person } from './people.ts'

const team = await openDeskTeam()
afterAll(() => discard(team.parley))

const errors = (path: string, code: string) => ({ status: 422, body: { errors: [{ path, code }] } })

describe('an agent at the desk', () => {
  test('puts a chat away to no moment that has passed [P-2345]', async () => {
    const { camila, waiting } = team
    const { at } = await waiting()
    await camila.client.post(`${at}/take`, {})
    const snooze = (ms: number) =>
      camila.client.post(`${at}/snooze`, { until: new Date(Date.now() + ms).toISOString() })
    expect(await snooze(-1_000)).toMatchObject(errors('until', 'toosmall'))
    expect((await camila.client.get(at)).body).toMatchObject({ status: 'held' })
    expect((await snooze(60_000)).status).toBe(200)
    expect((await camila.client.get(at)).body).toMatchObject({ status: 'snoozed' })
  })

  test('returns a person only to places that the queue allows [P-2346]', async () => {
    const { admin, camila, place, bot, waiting } = team
    const narrow = await makeQueue(admin, place, [camila], {
      name: 'Estreita',
      return_targets: [{ kind: 'task', task: bot.task }],
    })
    const { ana, at } = await waiting()
    await camila.client.post(`${at}/take`, {})
    await camila.client.post(`${at}/transfer`, { queue: narrow })
    await camila.client.post(`${at}/take`, {})
    const close = (target: object) => camila.client.post(`${at}/close`, { return: target })
    for (const target of [
      { kind: 'flow' },
      { kind: 'task', id: 'outra' },
      { kind: 'block', dialog: bot.dialog, block: 'ask' },
    ])
      expect(await close(target), JSON.stringify(target)).toMatchObject(errors('return', 'option'))
    expect((await camila.client.get(at)).body).toMatchObject({
      status: 'held',
      returntargets: [{ kind: 'task', id: bot.task, name: 'Ajuda' }],
    })
    expect((await close({ kind: 'task', id: bot.task })).status).toBe(200)
    await until(async () => expect((await ana.talk()).at(-1)).toBe('bot: Qual é o pedido?'))
    await admin.delete(`/deskqueue/${narrow}`)
  })

  test('mentions colleagues who may see the bot, and notifies no others [P-2347]', async () => {
    const { admin, camila, diego, parley, place } = team
    const far = await level(admin, 'Longe')
    const eva = await person(parley, admin, { username: 'eva.longe', level: far, actions: AGENT })
    // Sees the queue, and may not answer in it.
    const fabio = await person(parley, admin, { username: 'fabio', level: place, actions: ['showdesk', 'readbot'] })
    const queue = await makeQueue(admin, place, [camila, diego, eva, fabio], { name: 'Mista' })
    const { at } = await team.waiting()
    await camila.client.post(`${at}/take`, {})
    await camila.client.post(`${at}/transfer`, { queue })
    const note = { id: crypto.randomUUID(), text: '@diego @eva.longe @fabio @camila vejam' }
    expect((await camila.client.post(`${at}/note`, note)).status).toBe(200)
    const mentions = async (user: typeof diego) =>
      ((await user.client.get('/notification')).body.items as never as { message: string }[]).filter(
        each => each.message === 'desk.mentioned',
      ).length
    await until(async () => expect(await mentions(diego)).toBe(1))
    expect(await Promise.all([eva, fabio, camila].map(mentions))).toEqual([0, 0, 0])
    await camila.client.post(`${at}/take`, {})
    await camila.client.post(`${at}/close`, {})
  })
})

describe('the summary of a queue', () => {
  test('counts the chats of bots in the levels of its reader [P-2348]', async () => {
    const { admin, parley, place } = team
    const [one, other] = [await level(admin, 'Uma', place), await level(admin, 'Duas', place)]
    const below = await makeDeskBot(admin, undefined, { hierarchylevel: one, name: 'Uma' })
    const lia = await person(parley, admin, { username: 'lia', level: one, actions: AGENT })
    const rui = await person(parley, admin, { username: 'rui', level: other, actions: AGENT })
    const queue = await makeQueue(admin, one, [lia, rui], { name: 'Geral' })
    const ana = await personAt(parley, below.web)
    await until(async () => expect(await ana.talk()).toContain('bot: Qual é o pedido?'))
    await ana.say('1')
    const seenBy = async (user: typeof lia) => (await user.client.get('/desk/summary')).body.queues
    await until(async () => expect(await seenBy(lia)).toMatchObject([{ id: queue, waiting: 1, held: 0 }]))
    expect(await seenBy(rui)).toMatchObject([{ id: queue, waiting: 0, held: 0, oldest: null }])
  })
})

describe('a queue of the desk', () => {
  test('is one of at most fifty of its level [P-2350]', async () => {
    const { admin } = team
    const full = await level(admin, 'Cheia')
    const make = (name: string) => admin.post('/deskqueue', { name, hierarchylevel: full })
    const [first] = await Promise.all(Array.from({ length: 50 }, (_, place) => make(`Fila ${place}`)))
    expect(await make('Demais')).toMatchObject({ status: 422, body: { code: 'entity.limit', params: { max: 50 } } })
    expect((await admin.delete(`/deskqueue/${first?.body.id}`)).status).toBe(200)
    expect((await make('Ainda cabe')).status).toBe(201)
    const restored = await admin.post(`/deskqueue/${first?.body.id}/restore`, { revision: 1 })
    expect(restored.body).toMatchObject({ code: 'entity.limit' })
  })

  test('gives its chats to another, with their figures, and can be removed then [P-2353] [P-2423]', async () => {
    const { admin, camila, diego, place } = team
    const old = await makeQueue(admin, place, [camila], { name: 'Antiga' })
    const next = await makeQueue(admin, place, [diego], { name: 'Nova' })
    const chats = [await team.waiting(), await team.waiting()] as const
    for (const { at } of chats) {
      await camila.client.post(`${at}/take`, {})
      await camila.client.post(`${at}/transfer`, { queue: old })
    }
    const [held, waits] = chats
    await camila.client.post(`${held.at}/take`, {})
    const { since } = (await camila.client.get(waits.at)).body
    expect((await admin.delete(`/deskqueue/${old}`)).body).toMatchObject({
      code: 'entity.occupied',
      params: { count: 2 },
    })
    const far = await level(admin, `Fora ${Date.now()}`)
    const outside = await makeQueue(admin, far, [camila], { name: 'Fora' })
    const move = (to: string, client = admin) => client.post(`/deskqueue/${old}/move`, { to })
    expect(await move(outside)).toMatchObject(errors('to', 'reference'))
    expect(await move(old)).toMatchObject(errors('to', 'reference'))
    const off = await makeQueue(admin, place, [diego], { name: 'Desligada', enable: false })
    expect(await move(off)).toMatchObject(errors('to', 'reference'))
    expect((await move(next, camila.client)).status).toBe(403)
    expect((await move(next)).body).toEqual({ moved: 2 })
    expect((await camila.client.get(held.at)).body).toMatchObject({ status: 'held', mine: true, queue: next })
    expect((await diego.client.get(waits.at)).body).toMatchObject({ status: 'waiting', since, queue: next })
    expect((await camila.client.get(waits.at)).status).toBe(200)
    const counted = async (queue: string) => {
      const { total } = (await admin.get(`/desk/metrics?by=queue&queue=${queue}`)).body
      return (total as unknown as { requested: number }).requested
    }
    await until(async () => expect([await counted(old), await counted(next)]).toEqual([0, 2]))
    expect((await admin.delete(`/deskqueue/${old}`)).status).toBe(200)
    const lines = (await admin.get(`/audit?entity=conversation&entityid=${waits.ana.conversation}&size=50`)).body.items
    expect((lines as never as { action: string }[]).filter(({ action }) => action === 'handedon')).toHaveLength(1)
  })

  test('makes the desk of a bot configured while a member reaches it [P-2351]', async () => {
    const { admin, parley } = team
    const place = await level(admin, 'Nova loja')
    const bot = await makeDeskBot(admin, undefined, { hierarchylevel: place })
    const isConfigured = (configured: boolean) =>
      until(async () =>
        expect((await admin.get(`/agentchannel/${bot.agentchannel}`)).body).toMatchObject({ configured }),
      )
    await isConfigured(false)
    const far = await level(admin, 'Outra loja')
    const zoe = await person(parley, admin, { username: 'zoe', level: far, actions: AGENT })
    const queue = await makeQueue(admin, place, [zoe], { name: 'Loja' })
    // No member of the queue may see the bot: it keeps the person.
    const turned = await personAt(parley, bot.web)
    await until(async () => expect(await turned.talk()).toContain('bot: Qual é o pedido?'))
    await turned.say('1')
    await until(async () => expect((await turned.page()).state).not.toBe('active'))
    expect((await turned.page()).state).not.toBe('agent')
    const ivo = await person(parley, admin, { username: 'ivo', level: place, actions: AGENT })
    await admin.patch(`/deskqueue/${queue}`, { members: [{ user: ivo.id }] }, 1)
    await isConfigured(true)
    const ana = await personAt(parley, bot.web)
    await until(async () => expect(await ana.talk()).toContain('bot: Qual é o pedido?'))
    await ana.say('1')
    await until(async () => expect((await ana.page()).agent).toMatchObject({ isWaiting: true }))
    const row = (await admin.get(`/deskqueue/${queue}`)).body
    await done(admin.patch(`/deskqueue/${queue}`, { enable: false }, row.revision))
    await isConfigured(false)
  })
})

describe('the web chat of a person who waits', () => {
  test('has the place in its state, and learns of a better one without a message [P-2354]', async () => {
    const { camila, parley, waiting } = team
    const [first, second] = [await waiting(), await waiting()]
    const place = async () => (await second.ana.page()).agent
    await until(async () => expect(await place()).toMatchObject({ isWaiting: true, position: 2, wait: null }))
    const url = `${parley.origin.replace('http', 'ws')}/chat/conversations/${second.ana.conversation}/stream`
    const socket = new WebSocket(url, ['parley.chat.v1', second.ana.token])
    const frames: { readonly t: string; readonly agent?: unknown }[] = []
    socket.addEventListener('message', ({ data }) => void frames.push(JSON.parse(String(data))))
    await until(() => expect(frames).toContainEqual(expect.objectContaining({ t: 'state' })))
    const said = await second.ana.talk()
    await camila.client.post(`${first.at}/take`, {})
    await until(() =>
      expect(frames.filter(({ t }) => t === 'state').at(-1)?.agent).toMatchObject({ isWaiting: true, position: 1 }),
    )
    expect(await second.ana.talk()).toEqual(said)
    await camila.client.post(`${second.at}/take`, {})
    await until(async () => expect(await place()).toEqual({ name: 'camila', avatar: '', isWaiting: false }))
    socket.close()
    for (const { at } of [first, second]) await camila.client.post(`${at}/close`, { reason: 'resolvido' })
  })
})

describe('the goal of a chat', () => {
  test('counts only the hours of its queue [P-2356]', async () => {
    const { admin, camila, place, waiting } = team
    const { at } = await waiting()
    const { since } = (await camila.client.get(at)).body
    const plain = (await camila.client.get(at)).body
    expect(Date.parse(String(plain.goal)) - Date.parse(String(since))).toBe(60_000)
    expect(Date.parse(String(plain.overdue)) - Date.parse(String(since))).toBe(120_000)
    // Open until the end of the next minute and again in two days, in a zone where it is noon: the first period neither
    // ends before the transfer nor crosses midnight.
    const start = Date.parse(String(since))
    const behind = new Date(start).getUTCHours() - 12
    const local = (ms: number) => new Date(ms - behind * 3_600_000)
    const clock = (ms: number) => local(ms).toISOString().slice(11, 16)
    const [closes, opens] = [start - (start % 60_000) + 120_000, start - (start % 60_000) + 2 * 86_400_000]
    const short = await makeQueue(admin, place, [camila], {
      name: 'Curta',
      timezone: `Etc/GMT${behind < 0 ? behind : `+${behind}`}`,
      country: null,
      goal_first: 240,
      week: [
        { day: local(start).getUTCDay(), from: clock(start), to: clock(closes) },
        { day: local(opens).getUTCDay(), from: clock(opens), to: clock(opens + 600_000) },
      ],
    })
    await camila.client.post(`${at}/take`, {})
    await camila.client.post(`${at}/transfer`, { queue: short })
    const { goal } = (await camila.client.get(at)).body
    // The rest of the first period counts, then the time after the next opening.
    expect(Date.parse(String(goal))).toBe(opens + 240_000 - (closes - start))
    await camila.client.post(`${at}/take`, {})
    await camila.client.post(`${at}/close`, {})
  })
})

describe('the replay of a conversation', () => {
  test('shows what happened at the desk, without the words of notes [P-2357]', async () => {
    const { admin, camila, diego, queue, waiting } = team
    const { ana, at } = await waiting()
    await camila.client.post(`${at}/take`, {})
    await camila.client.post(`${at}/note`, { id: crypto.randomUUID(), text: 'segredo da nota' })
    await camila.client.post(`${at}/tags`, { tags: ['vip'] })
    await camila.client.post(`${at}/snooze`, {})
    await camila.client.post(`${at}/wake`, {})
    await camila.client.post(`${at}/transfer`, { user: diego.id })
    await diego.client.post(`${at}/close`, { reason: 'resolvido' })
    await until(async () => expect((await ana.talk()).at(-1)).toBe('bot: De volta: closed'))
    const { text, body } = await admin.get(`/conversation/${ana.conversation}/replay`)
    expect(text).not.toContain('segredo da nota')
    const events = body.desk as never as { kind: string; name?: string; byname?: string; queuename?: string }[]
    expect(events.map(({ kind }) => kind)).toEqual([
      ...['queued', 'assigned', 'noted', 'tagged', 'snoozed', 'woken'],
      ...['released', 'assigned', 'left'],
    ])
    expect(events[0]).toMatchObject({ queue, queuename: 'Pedidos' })
    expect(events[1]).toMatchObject({ user: camila.id, name: 'camila', how: 'taken' })
    expect(events[2]).toMatchObject({ user: camila.id, name: 'camila' })
    expect(events[3]).toMatchObject({ tags: ['vip'], byname: 'camila' })
    expect(events[7]).toMatchObject({ name: 'diego', how: 'transfer', byname: 'camila' })
    expect(events[8]).toMatchObject({ reason: 'resolvido', byname: 'diego' })
    const plain = await camila.client.get(`/conversation/${ana.conversation}/replay`)
    expect(plain.body.words).toBe(false)
    expect((plain.body.desk as never as object[])[3]).not.toHaveProperty('tags')
  })

  test('has the messages of agents and the texts of the queue in their order among turns and events [P-2380]', async () => {
    const { admin, camila, waiting } = team
    const { ana, at } = await waiting()
    await camila.client.post(`${at}/take`, {})
    expect((await camila.client.post(`${at}/messages`, message('Bom dia, Ana', '9'))).status).toBe(200)
    await ana.say('Cadê o pedido?')
    await until(async () => expect((await camila.client.get(at)).text).toContain('Cadê o pedido?'))
    expect((await camila.client.post(`${at}/messages`, message('Sai hoje', '99999'))).status).toBe(200)
    await camila.client.post(`${at}/close`, { reason: 'resolvido' })
    await until(async () => expect((await ana.talk()).at(-1)).toBe('bot: De volta: closed'))
    const talk = await ana.talk()
    const transcript = (await admin.get(`/conversation/${ana.conversation}/transcript`)).body
    const written = transcript.messages as never as { readonly from: string; readonly text: string }[]
    expect(written.map(({ from, text }) => `${from}: ${text}`)).toEqual(talk)
    const lines = (await admin.get(`/conversation/${ana.conversation}/transcript?format=text`)).text.split('\n')
    expect(lines.filter(line => / agent: (?:Bom dia, Ana|Sai hoje)$/u.test(line))).toHaveLength(2)

    interface Placed {
      readonly position: string
      readonly text: string | null
      readonly from: string
      readonly name?: string
    }
    const read = async (client = admin) => {
      const { body } = await client.get(`/conversation/${ana.conversation}/replay`)
      return body as never as {
        readonly turns: readonly {
          readonly input: {
            readonly kind: string
            readonly position: string
            readonly said: { readonly text: string } | null
          }
          readonly said: readonly { readonly text: string }[]
        }[]
        readonly agentsaid: readonly Placed[]
        readonly desk: readonly { readonly position: string; readonly kind: string; readonly reasonname?: string }[]
      }
    }
    const { turns, agentsaid, desk } = await read()
    const all = [
      ...turns.map(({ input, said }) => ({
        position: input.position,
        words: [
          ...(input.said === null ? [] : [`user: ${input.said.text}`]),
          ...said.map(({ text }) => `bot: ${text}`),
        ],
      })),
      ...agentsaid.map(({ position, from, text }) => ({ position, words: [`${from}: ${text}`] })),
    ].toSorted((one, other) => (one.position < other.position ? -1 : 1))
    expect(all.flatMap(({ words }) => words)).toEqual(talk)
    const [first, last] = agentsaid.filter(({ from }) => from === 'agent')
    expect(first).toMatchObject({ text: 'Bom dia, Ana', name: 'camila' })
    const placeOf = (kind: string) => desk.find(event => event.kind === kind)?.position ?? ''
    expect(placeOf('assigned') < String(first?.position)).toBe(true)
    expect(placeOf('left') > String(last?.position)).toBe(true)
    expect(turns.at(-1)?.input).toMatchObject({ kind: 'agent', position: placeOf('left') })
    expect(desk.at(-1)).toMatchObject({ kind: 'left', reasonname: 'Resolvido' })

    const plain = await read(camila.client)
    expect(plain.agentsaid.map(({ position, text }) => [position, text])).toEqual(
      agentsaid.map(({ position }) => [position, null]),
    )
    expect(plain.agentsaid[1]).not.toHaveProperty('name')
    await admin.post(`/conversation/${ana.conversation}/forget`, { confirm: 'CONFIRM' })
    expect(JSON.stringify((await read()).agentsaid)).not.toContain('Bom dia')
  })
})

describe('the search of the list', () => {
  test('finds chats by the name of the person or the id, among those that the user may read [P-2358]', async () => {
    const { camila, diego, parley, bot } = team
    const ze = await personAt(parley, bot.web, 'José Araújo')
    await until(async () => expect(await ze.talk()).toContain('bot: Qual é o pedido?'))
    await ze.say('9')
    const find = async (search: string, client = camila.client, view = 'all') => {
      const { body } = await client.get(`/desk/chat?view=${view}&search=${encodeURIComponent(search)}`)
      const items = body.items as never as { readonly conversation: string }[]
      return { total: body.total, found: items.map(({ conversation }) => conversation) }
    }
    const one = { total: 1, found: [ze.conversation] }
    await until(async () => expect(await find('araujo')).toEqual(one))
    expect(await find('JOSE A')).toEqual(one)
    expect(await find('joaquim')).toEqual({ total: 0, found: [] })
    expect(await find(ze.conversation.slice(0, 8))).toEqual(one)
    await camila.client.post(`/desk/chat/${ze.conversation}/take`, {})
    expect(await find('araujo', diego.client)).toEqual({ total: 0, found: [] })
    expect(await find(ze.conversation, diego.client)).toEqual(one)
    await camila.client.post(`/desk/chat/${ze.conversation}/messages`, message('Oi', '9'))
    await camila.client.post(`/desk/chat/${ze.conversation}/close`, { reason: 'resolvido' })
    await until(async () => expect(await find('araujo', camila.client, 'closed')).toEqual(one))
  })
})
