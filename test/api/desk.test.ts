import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { done } from '#test/fixture/agent-bot.ts'
import { personAt } from '#test/fixture/chat-person.ts'
import { AGENT, makeQueue, message, openDeskTeam, until } from './desk-team.ts'
import { level, person } from './people.ts'
import { uploadText } from './upload.ts'

const team = await openDeskTeam()
const { parley, admin, place, bot, queue, camila, diego } = team
afterAll(() => parley.close())

const waiting = () => team.waiting()

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
    const said = await camila.client.post(`${at}/messages`, message('Oi, Ana', String(body.position)))
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

describe('a chat that a colleague passed on', () => {
  test('is declined by its new holder: the chat says where it goes, and both agents see it [P-2062] [P-2064]', async () => {
    const { at } = await waiting()
    await done(camila.client.post(`${at}/take`, {}))
    expect((await camila.client.get(at)).body).toMatchObject({ mine: true, decline: null })
    await done(camila.client.post(`${at}/transfer`, { user: diego.id, note: 'É com você?' }))
    // Camila has no page of the desk open: the chat would go to the queue.
    await until(async () =>
      expect((await diego.client.get(at)).body).toMatchObject({ decline: { by: 'camila', to: null } }),
    )
    expect((await camila.client.post(`${at}/decline`, {})).body).toMatchObject({ code: 'desk.notyours' })
    const declined = await diego.client.post(`${at}/decline`, { note: 'Não sei deste pedido' })
    expect(declined.status, declined.text).toBe(200)
    for (const { client } of [camila, diego]) {
      const { body } = await client.get(at)
      expect(body).toMatchObject({ status: 'waiting', returned: 'declined', holder: null, decline: null })
      expect(body.events).toContainEqual(
        expect.objectContaining({ kind: 'released', why: 'declined', byname: 'diego' }),
      )
      expect(body.notes).toContainEqual(expect.objectContaining({ name: 'diego', text: 'Não sei deste pedido' }))
    }
    await done(camila.client.post(`${at}/take`, {}))
    await done(camila.client.post(`${at}/close`, { reason: 'resolvido' }))
  })
})

describe('the page of the queue of an agent channel', () => {
  test('says for the desk how people wait today, how many places there are and what they read [P-2063]', async () => {
    const path = `/agentchannel/${bot.agentchannel}/queue`
    const { at } = await waiting()
    const read = async () => (await admin.get(path)).body as never as { readonly today: { readonly waited: number } }
    const before = (await read()).today.waited
    await done(camila.client.post(`${at}/take`, {}))
    await until(async () => expect((await read()).today.waited).toBe(before + 1))
    expect(await read()).toMatchObject({
      today: { mean: expect.any(Number), givenup: expect.any(Number) },
      places: { agents: 0, all: 0 },
      reads: [{ id: queue, queue: 'Pedidos', text: 'Você é o {position}º da fila. Espera de cerca de {wait}.' }],
    })
    await done(camila.client.post(`${at}/close`, { reason: 'resolvido' }))
    // Few are hidden from who may not read conversations.
    const level = String((await admin.get(`/bot/${bot.bot}`)).body.hierarchylevel)
    const rui = await person(parley, admin, {
      username: `rui${Date.now()}`,
      level,
      actions: ['readagentchannel', 'readbot'],
    })
    const { today } = (await rui.client.get(path)).body as never as {
      readonly today: { readonly waited: number | null }
    }
    expect(today.waited === null || today.waited % 5 === 0).toBe(true)
  })
})

describe('the rights of the desk', () => {
  test('shows words of a chat to its holder, to members while it waits, and to nobody else at the desk [P-2325]', async () => {
    const { ana, at } = await waiting()
    const bruno = await person(parley, admin, { username: `bruno${Date.now()}`, level: place, actions: AGENT })
    // No member of the queue.
    expect((await bruno.client.get(at)).status).toBe(404)
    expect((await diego.client.get(at)).status).toBe(200)
    expect((await camila.client.post(`${at}/take`, {})).status).toBe(200)
    expect((await diego.client.get(at)).status).toBe(404)
    const seen = (await diego.client.get('/desk/chat?view=all')).body.items.find(
      ({ conversation }) => conversation === ana.conversation,
    )
    expect(seen).toMatchObject({ status: 'held', person: '••••', last: null, tags: [], mine: false })
    expect((await admin.get(at)).body).toMatchObject({ person: 'Ana' })
    const taken = await diego.client.post(`${at}/take`, {})
    expect(taken.status).toBe(409)
    expect(taken.body).toMatchObject({ code: 'desk.taken', params: { agent: 'camila' } })
    await camila.client.post(`${at}/close`, { reason: 'resolvido' })
    // The last holder reads it for a day.
    await until(async () => expect((await camila.client.get(at)).body).toMatchObject({ status: 'closed' }))
  })

  test('shows a chat of a colleague for an hour to who may ask, with the reason in the audit [P-2922]', async () => {
    const { ana, at } = await waiting()
    const actions = [...AGENT, 'revealconversation']
    const rita = await person(parley, admin, { username: `rita${Date.now()}`, level: place, actions })
    const joined = { members: [camila, diego, rita].map(({ id }) => ({ user: id })) }
    await done(admin.patch(`/deskqueue/${queue}`, joined, 1))
    expect((await camila.client.post(`${at}/take`, {})).status).toBe(200)
    const hidden = await rita.client.get(at)
    expect(hidden.status).toBe(403)
    expect(hidden.body).toMatchObject({ code: 'desk.ask', params: { agent: 'camila', queue: 'Pedidos' } })
    const ask = `/conversation/${ana.conversation}/reveal`
    expect((await diego.client.post(ask, { reason: 'Curiosidade' })).status).toBe(403)
    expect((await rita.client.post(ask, { reason: ' x ' })).status).toBe(422)
    const asked = await rita.client.post(ask, { reason: 'Camila pediu ajuda' })
    expect(asked.status, asked.text).toBe(200)
    await until(async () => expect((await rita.client.get(at)).body).toMatchObject({ person: 'Ana', mine: false }))
    const { revealed } = (await rita.client.get(at)).body
    expect(Date.parse(String(revealed)) - Date.now()).toBeGreaterThan(3_500_000)
    // Reading is all that it gives, and to nobody else.
    expect((await rita.client.post(`${at}/messages`, message('Oi', '9'))).body).toMatchObject({ code: 'desk.notyours' })
    expect((await diego.client.get(at)).status).toBe(404)
    const query = `/audit?entity=conversation&entityid=${ana.conversation}&action=revealed`
    const lines = (await admin.get(query)).body
    expect(lines).toMatchObject({ total: 1, items: [{ user: { id: rita.id } }] })
    expect(JSON.stringify(lines)).toContain('Camila pediu ajuda')
    await camila.client.post(`${at}/close`, { reason: 'resolvido' })
    // Also after the chat, which nobody of its queue reads any more.
    await until(async () => expect((await rita.client.get(at)).body).toMatchObject({ person: 'Ana', status: 'closed' }))
    const before = { members: [camila, diego].map(({ id }) => ({ user: id })) }
    await done(admin.patch(`/deskqueue/${queue}`, before, 2))
  })

  test('opens a chat outside their queues for reading alone to who asks, and names them in the chat and in its replay [P-2931] [P-2932] [P-2933] [P-2986]', async () => {
    const { ana, at } = await waiting()
    const actions = ['showdesk', 'answerconversation', 'readbot', 'revealconversation']
    const nora = await person(parley, admin, { username: `nora${Date.now()}`, level: place, actions })
    expect((await camila.client.post(`${at}/take`, {})).status).toBe(200)
    expect((await nora.client.get(at)).status).toBe(404)
    const asked = await nora.client.post(`/conversation/${ana.conversation}/reveal`, { reason: 'Ana ligou' })
    expect(asked.status, asked.text).toBe(200)
    expect((await nora.client.get(at)).body).toMatchObject({ person: 'Ana', mine: false })
    const revealed = { kind: 'revealed', byname: expect.stringMatching(/^nora/u) }
    expect((await camila.client.get(at)).body.events).toContainEqual(expect.objectContaining(revealed))
    const refusesActs = async () => {
      const acts = {
        ...{ take: {}, messages: message('Oi', '9'), note: { id: randomUUID(), text: 'Oi' }, typing: { on: true } },
        ...{ tags: { tags: ['x'] }, snooze: {}, wake: {}, transfer: { queue }, close: { reason: 'resolvido' } },
      }
      for (const [act, body] of Object.entries(acts)) {
        const answer = await nora.client.post(`${at}/${act}`, body)
        expect([act, answer.status], answer.text).toEqual([act, 404])
      }
      expect((await nora.client.get(`${at}/templates`)).status).toBe(404)
    }
    await refusesActs()
    const { desk } = (await admin.get(`/conversation/${ana.conversation}/replay`)).body
    expect(desk).toContainEqual(expect.objectContaining({ kind: 'revealed', user: nora.id }))
    expect((await admin.post(`${at}/assign`, { user: null })).status).toBe(200)
    await until(async () =>
      expect((await nora.client.get(at)).body).toMatchObject({ status: 'waiting', maytake: false }),
    )
    await refusesActs()
    expect((await camila.client.get(at)).body).toMatchObject({ maytake: true })
    const answers = []
    for (let count = 0; count < 30; count += 1)
      answers.push(await nora.client.post(`/conversation/${ana.conversation}/reveal`, { reason: 'Ana ligou' }))
    expect(answers.map(({ status }) => status)).toEqual([...Array(29).fill(200), 429])
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(3_000)
  })

  test('answers 404 outside the levels of a user [P-2325]', async () => {
    const { at } = await waiting()
    const other = await level(admin, `Outra ${Date.now()}`)
    const eva = await person(parley, admin, {
      username: `eva${Date.now()}`,
      level: other,
      actions: [...AGENT, 'superviseconversation', 'assignconversation', 'readconversation'],
    })
    expect((await eva.client.get(at)).status).toBe(404)
    expect((await eva.client.post(`${at}/take`, {})).status).toBe(404)
    const { conversation } = { conversation: at.split('/').at(-1) }
    expect((await eva.client.post(`/conversation/${conversation}/takeover`, {})).status).toBe(404)
    expect((await eva.client.get('/desk/chat?view=all')).body).toMatchObject({ total: 0 })
  })

  test('asks for the permission of each act [P-2325]', async () => {
    const { at } = await waiting()
    expect((await camila.client.post(`${at}/priority`, { priority: 3 })).status).toBe(403)
    expect((await camila.client.post(`${at}/assign`, { user: diego.id })).status).toBe(403)
    expect((await camila.client.put('/desk/state', { state: 'offline', user: diego.id })).status).toBe(403)
    const nobody = await person(parley, admin, { username: `ze${Date.now()}`, level: place, actions: ['showdesk'] })
    expect((await nobody.client.get('/desk/chat?view=all')).body).toMatchObject({ total: 0 })
    expect((await nobody.client.get(at)).status).toBe(404)
    const other = await person(parley, admin, { username: `lu${Date.now()}`, level: place, actions: ['readbot'] })
    expect((await other.client.get('/desk/chat')).status).toBe(403)
    expect((await other.client.get('/desk/summary')).status).toBe(403)
    expect((await nobody.client.get('/desk/summary')).body).toMatchObject({
      me: { isagent: false },
      queues: [],
      agents: [],
    })
  })
})

describe('acts on the chats of others', () => {
  test('are audited with who did what, and no words; the agent reads them in the chat [P-2326] [P-2986]', async () => {
    const { ana, at } = await waiting()
    expect((await admin.post(`${at}/priority`, { priority: 2 })).body).toMatchObject({ revision: expect.any(Number) })
    expect((await admin.post(`${at}/assign`, { user: diego.id })).status).toBe(200)
    const prioritized = { kind: 'prioritized', priority: 2, byname: expect.any(String) }
    expect((await diego.client.get(at)).body).toMatchObject({
      ...{ mine: true, priority: 2 },
      events: expect.arrayContaining([expect.objectContaining(prioritized)]),
    })
    expect((await admin.post(`${at}/assign`, { user: null })).status).toBe(200)
    expect((await diego.client.get(at)).body).toMatchObject({ status: 'waiting', returned: 'returned', holder: null })
    expect((await admin.put('/desk/state', { state: 'paused', reason: 'lunch', user: diego.id })).body).toMatchObject({
      state: 'paused',
      reason: 'lunch',
    })
    const lines = (await admin.get(`/audit?entity=conversation&entityid=${ana.conversation}&size=50`)).body.items
    const actions = (lines as never as { action: string }[]).map(({ action }) => action)
    expect(actions.toReversed().filter(action => action !== 'opened')).toEqual(['prioritized', 'assigned', 'assigned'])
    const set = (await admin.get(`/audit?entity=user&entityid=${diego.id}&action=agentstateset`)).body
    expect(set).toMatchObject({ total: 1 })
    await diego.client.put('/desk/state', { state: 'offline' })
  })
})

describe('an agent', () => {
  test('takes over a conversation of the bot, and returns it to the open question [P-2311]', async () => {
    const ana = await personAt(parley, bot.web)
    await until(async () => expect(await ana.talk()).toEqual(['bot: Qual é o pedido?']))
    const taken = await camila.client.post(`/conversation/${ana.conversation}/takeover`, {})
    expect(taken.status, taken.text).toBe(200)
    const at = `/desk/chat/${ana.conversation}`
    expect((await camila.client.get(at)).body).toMatchObject({ mine: true, queue })
    await camila.client.post(`${at}/messages`, message('Sou a Camila', '9'))
    await camila.client.post(`${at}/close`, { reason: 'resolvido' })
    await until(async () => expect((await ana.talk()).at(-1)).toBe('bot: Qual é o pedido?'))
    expect((await ana.page()).state).toBe('waiting')
  })

  test('writes each message once, sends files, and at most sixty a minute [P-2327]', async () => {
    const { ana, at } = await waiting()
    await diego.client.post(`${at}/take`, {})
    const once = message('Uma vez', '9')
    const [first, second] = [
      await diego.client.post(`${at}/messages`, once),
      await diego.client.post(`${at}/messages`, once),
    ]
    expect(first.body.revision).toBe(second.body.revision)
    const { id: file } = await uploadText(diego.client, 'nota')
    const sent = await diego.client.post(`${at}/messages`, { ...message('Veja', '9'), attachments: [file] })
    expect(sent.status, sent.text).toBe(200)
    const page = (await ana.page()).messages as never as { text: string; attachments?: { contentUrl: string }[] }[]
    expect(page.filter(({ text }) => text === 'Uma vez')).toHaveLength(1)
    const [attached] = page.find(({ text }) => text === 'Veja')?.attachments ?? []
    expect(await (await fetch(String(attached?.contentUrl))).text()).toBe('nota')
    expect((await diego.client.post(`${at}/messages`, message('x'.repeat(4001), '9'))).status).toBe(422)
    expect((await diego.client.post(`${at}/messages`, message('Oi {person.name}', '9'))).body).toMatchObject({
      code: 'desk.canned',
    })
    let status = 200
    for (let count = 0; count < 60 && status === 200; count += 1)
      status = (await diego.client.post(`${at}/messages`, message('mais', '9'))).status
    expect(status).toBe(429)
  })

  test('edits their own profile and chooses their state [P-2328]', async () => {
    const own = await camila.client.patch('/desk/self', { display_name: 'Camila R.', capacity: 7 }, '*')
    expect(own.body, own.text).toMatchObject({ name: 'Camila R.', capacity: 7, isagent: true })
    expect((await camila.client.patch(`/deskagent/deskagent-${diego.id}`, { capacity: 1 }, 1)).status).toBe(403)
    const until_ = new Date(Date.now() + 600_000).toISOString()
    expect(
      (await camila.client.put('/desk/state', { state: 'paused', reason: 'lunch', until: until_ })).body,
    ).toMatchObject({
      state: 'paused',
      reason: 'lunch',
      until: until_,
    })
    expect((await camila.client.get('/desk/summary')).body).toMatchObject({
      enabled: true,
      me: { state: 'paused', present: false },
      self: { display_name: 'Camila R.', capacity: 7, sound_chat: 'always' },
      queues: [{ id: queue, name: 'Pedidos', open: true, available: 0 }],
    })
    await camila.client.patch('/desk/self', { display_name: null, capacity: 4 }, '*')
    await camila.client.put('/desk/state', { state: 'offline' })
  })

  test('is nobody by name after they were forgotten, and has no chats [P-2056] [P-2054]', async () => {
    const lia = await person(parley, admin, { username: 'lia', level: place, actions: AGENT })
    const own = await makeQueue(admin, place, [lia], { name: 'Só Lia' })
    await lia.client.patch('/desk/self', { display_name: 'Lia da Loja' }, '*')
    const { at } = await waiting()
    await admin.post(`${at}/transfer`, { queue: own })
    expect((await lia.client.post(`${at}/take`, {})).status).toBe(200)
    const profile = `/deskagent/deskagent-${lia.id}`
    expect((await admin.get(profile)).body).toMatchObject({ display_name: 'Lia da Loja' })
    expect((await admin.post(`/user/${lia.id}/forget`, { confirm: 'CONFIRM' })).status).toBe(200)
    expect((await admin.get(profile)).status).toBe(404)
    await until(async () =>
      expect((await admin.get(at)).body).toMatchObject({ status: 'waiting', returned: 'absent', holder: null }),
    )
    const { agents } = (await admin.get('/desk/summary')).body as never as { readonly agents: readonly object[] }
    expect(agents).toContainEqual(expect.objectContaining({ user: lia.id, name: '—' }))
    // The history of the profile has the name sealed, under a key that is destroyed.
    expect((await admin.get(`/audit?entity=deskagent&entityid=deskagent-${lia.id}`)).text).not.toContain('da Loja')
    await admin.post(`/deskqueue/${own}/move`, { to: queue })
    expect((await admin.delete(`/deskqueue/${own}`)).status).toBe(200)
  })

  test('gives a reason for a pause that the nearest desk setting has [P-2923]', async () => {
    const set = (body: object) => camila.client.put('/desk/state', body)
    const reasons = async () => (await camila.client.get('/desk/summary')).body.pausereasons
    expect(await reasons()).toEqual(['lunch', 'meeting', 'training', 'other'].map(key => ({ key, name: null })))
    const { hierarchylevel: above } = (await admin.get('/userhierarchy')).body
    const far = { hierarchylevel: above, pause_reasons: [{ key: 'banho', name: 'Banho' }] }
    const general = await done(admin.post('/desksetting', far))
    await until(async () => expect(await reasons()).toEqual([{ key: 'banho', name: 'Banho' }]))
    const setting = { hierarchylevel: place, pause_reasons: [{ key: 'cafe', name: 'Café' }] }
    const id = await done(admin.post('/desksetting', setting))
    await until(async () => expect(await reasons()).toEqual([{ key: 'cafe', name: 'Café' }]))
    expect((await set({ state: 'paused', reason: 'lunch' })).body).toMatchObject({
      code: 'validation.failed',
      errors: [{ path: 'reason', code: 'option' }],
    })
    expect((await set({ state: 'paused', reason: 'cafe' })).body).toMatchObject({ reason: 'cafe', reasonname: 'Café' })
    expect((await admin.get('/desk/summary')).body.agents).toContainEqual(
      expect.objectContaining({ user: camila.id, state: 'paused', reason: 'cafe', reasonname: 'Café' }),
    )
    expect((await admin.post('/desksetting', { hierarchylevel: place })).body).toMatchObject({ code: 'entity.exists' })
    await admin.delete(`/desksetting/${id}`)
    await until(async () => expect(await reasons()).toEqual([{ key: 'banho', name: 'Banho' }]))
    await admin.delete(`/desksetting/${general}`)
    await until(async () => expect(await reasons()).toHaveLength(4))
    expect((await camila.client.get('/desk/summary')).body.me).toMatchObject({ reason: 'cafe', reasonname: null })
    await set({ state: 'offline' })
  })

  test('reads canned answers with their values and gaps, a few at a time, where they hold the chat [P-2324] [P-2666]', async () => {
    const answer = {
      shortcut: 'oi',
      text: 'Oi {person.name}, pedido {field.pedido}, {field.cpf}',
      hierarchylevel: place,
    }
    await done(admin.post('/cannedanswer', answer))
    const { at } = await waiting()
    // Values of the person are for the holder of the chat.
    expect((await camila.client.get(`${at}/canned`)).status).toBe(404)
    await camila.client.post(`${at}/take`, {})
    expect((await camila.client.get(`${at}/canned`)).body).toMatchObject({
      items: [{ shortcut: 'oi', text: 'Oi Ana, pedido 123, {field.cpf}', missing: ['field.cpf'] }],
      total: 1,
    })
    expect((await diego.client.get(`${at}/canned`)).status).toBe(404)
    expect((await camila.client.get(at)).body).not.toHaveProperty('canned')
    const found = async (query: string) => (await camila.client.get(`${at}/canned?${query}`)).body
    await done(admin.post('/cannedanswer', { shortcut: 'prazo', text: 'Até 24 horas úteis.', hierarchylevel: place }))
    expect(await found('search=24')).toMatchObject({ items: [{ shortcut: 'prazo' }], total: 2 })
    expect(await found('search=UTEIS')).toMatchObject({ items: [{ shortcut: 'prazo' }] })
    expect(await found('search=nada')).toEqual({ items: [], total: 2 })
    expect(await found('size=1')).toMatchObject({ items: [{ shortcut: 'oi' }], total: 2 })
    expect((await camila.client.get(`${at}/canned?size=51`)).status).toBe(422)
    await camila.client.post(`${at}/close`, { reason: 'resolvido' })
  })

  test('sees before a transfer who is away, and which queue has nobody [P-2667]', async () => {
    const { at } = await waiting()
    await camila.client.post(`${at}/take`, {})
    const { transferto } = (await camila.client.get(at)).body as never as {
      readonly transferto: { readonly users: readonly object[]; readonly queues: readonly object[] }
    }
    // The test has no socket at the desk; less than five minutes ago the node began.
    expect(transferto.users).toContainEqual(
      expect.objectContaining({ id: diego.id, state: 'offline', present: false, returns: false, capacity: 4 }),
    )
    expect(transferto.queues).toContainEqual(
      expect.objectContaining({ id: queue, open: true, opens: null, available: 0, waiting: expect.any(Number) }),
    )
    await camila.client.post(`${at}/close`, { reason: 'resolvido' })
  })
})

describe('a note', () => {
  test('never leaves the desk, through any other event of the chat [P-2329]', async () => {
    const { ana, at } = await waiting()
    const secret = `nota-${randomUUID()}`
    await camila.client.post(`${at}/take`, {})
    const noted = { id: randomUUID(), text: secret }
    expect((await camila.client.post(`${at}/note`, noted)).status).toBe(200)
    expect((await camila.client.post(`${at}/note`, noted)).status).toBe(200)
    await camila.client.post(`${at}/messages`, message('Oi', '9'))
    await camila.client.post(`${at}/tags`, { tags: ['vip'] })
    await camila.client.post(`${at}/snooze`, {})
    await camila.client.post(`${at}/wake`, {})
    await camila.client.post(`${at}/transfer`, { user: diego.id, note: `${secret} 2` })
    await diego.client.post(`${at}/transfer`, { queue, note: `${secret} 3` })
    await diego.client.post(`${at}/take`, {})
    const detail = (await diego.client.get(at)).body
    expect((detail.notes as never as { text: string }[]).map(({ text }) => text)).toEqual([
      secret,
      `${secret} 2`,
      `${secret} 3`,
    ])
    expect(detail.tags).toEqual(['vip'])
    await diego.client.post(`${at}/close`, { reason: 'resolvido', note: `${secret} 4` })
    await until(async () => expect((await ana.talk()).at(-1)).toBe('bot: De volta: closed'))
    const outputs = await Promise.all([
      ana.page(),
      admin.get(`/conversation/${ana.conversation}/transcript`),
      admin.get(`/conversation/${ana.conversation}/transcript?format=text`),
      admin.get(`/conversation/${ana.conversation}/replay`),
      admin.get(`/conversation/export?bot=${bot.bot}`),
      admin.get('/conversation?size=100'),
      admin.get('/desk/chat?view=closed&size=100'),
      admin.get('/audit?size=100'),
      admin.get('/notification?size=100'),
      admin.get(`/bot/${bot.bot}/logs`),
    ])
    expect(JSON.stringify(outputs)).not.toContain('nota-')
    expect(JSON.stringify(outputs)).toContain('De volta: closed')
  })
})
