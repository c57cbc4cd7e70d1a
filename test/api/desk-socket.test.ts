import { afterAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { done } from '#test/fixture/agent-bot.ts'
import { personAt } from '#test/fixture/chat-person.ts'
import { AGENT, makeQueue, openDeskTeam, until } from './desk-team.ts'
import type { Client } from './harness.ts'
import { level, person } from './people.ts'

const team = await openDeskTeam()
const { parley, admin, place, bot, camila, diego } = team
afterAll(() => parley.close())

const waiting = () => team.waiting()

describe('a socket of the desk', () => {
  const open = async (client: Client, query = '') => {
    const frames: Record<string, unknown>[] = []
    const socket = new WebSocket(`${parley.origin.replace('http', 'ws')}/botadmin/realtime/desk${query}`, {
      headers: { authorization: `Bearer ${client.token}` },
    })
    socket.on('message', data => void frames.push(JSON.parse(String(data))))
    await new Promise((resolve, reject) => {
      socket.on('open', resolve)
      socket.on('error', reject)
    })
    return { frames, socket, send: (frame: object) => socket.send(JSON.stringify(frame)) }
  }

  test('makes an agent present and eligible, and sends the id and revision of the assigned chat [P-2330]', async () => {
    const automatic = await done(
      admin.post('/deskqueue', { name: 'Rápida', hierarchylevel: place, members: [{ user: camila.id }] }),
    )
    const { frames, socket } = await open(camila.client)
    await camila.client.put('/desk/state', { state: 'available' })
    const ana = await personAt(parley, bot.web)
    await until(async () => expect(await ana.talk()).toContain('bot: Qual é o pedido?'))
    await ana.say('1')
    const at = `/desk/chat/${ana.conversation}`
    await until(async () => expect((await admin.get(at)).status).toBe(200))
    await admin.post(`${at}/transfer`, { queue: automatic })
    await until(async () => expect((await camila.client.get(at)).body).toMatchObject({ mine: true, queue: automatic }))
    await until(() =>
      expect(frames).toContainEqual({ kind: 'chat', conversation: ana.conversation, revision: expect.any(Number) }),
    )
    await until(() => expect(frames).toContainEqual(expect.objectContaining({ kind: 'counts', mine: 1 })))
    await until(() => expect(frames).toContainEqual(expect.objectContaining({ kind: 'state', load: 1, present: true })))
    await until(async () =>
      expect((await camila.client.get('/notification')).body.items).toContainEqual(
        expect.objectContaining({ message: 'desk.assigned' }),
      ),
    )
    expect((await admin.delete(`/deskqueue/${automatic}`)).body).toMatchObject({
      code: 'entity.occupied',
      params: { count: 1 },
    })
    await camila.client.post(`${at}/close`, {})
    await until(async () => expect((await admin.delete(`/deskqueue/${automatic}`)).status).toBe(200))
    await camila.client.put('/desk/state', { state: 'offline' })
    socket.close()
  })

  test('tells colleagues who looks at a chat and who writes, and the person that the agent writes [P-2331] [P-2053]', async () => {
    const { ana, at } = await waiting()
    await camila.client.post(`${at}/take`, {})
    const [mine, chief] = [await open(camila.client), await open(admin)]
    mine.send({ kind: 'view', conversation: ana.conversation })
    await until(() =>
      expect(chief.frames).toContainEqual({
        kind: 'viewing',
        conversation: ana.conversation,
        users: [{ user: camila.id, name: 'camila' }],
      }),
    )
    // A later socket gets the viewers as well.
    const late = await open(admin)
    await until(() =>
      expect(late.frames).toContainEqual({
        kind: 'viewing',
        conversation: ana.conversation,
        users: [{ user: camila.id, name: 'camila' }],
      }),
    )
    late.socket.close()
    // Only the holder writes in a chat.
    chief.send({ kind: 'typing', conversation: ana.conversation, on: true })
    await camila.client.post(`${at}/typing`, { on: true })
    await until(() =>
      expect(chief.frames).toContainEqual({
        kind: 'typing',
        conversation: ana.conversation,
        from: 'agent',
        name: 'camila',
        on: true,
      }),
    )
    const talk = new WebSocket(`${parley.origin.replace('http', 'ws')}/chat/conversations/${ana.conversation}/stream`, [
      'parley.chat.v1',
      ana.token,
    ])
    const heard: Record<string, unknown>[] = []
    talk.on('message', data => void heard.push(JSON.parse(String(data))))
    await new Promise(resolve => talk.on('open', resolve))
    talk.send(JSON.stringify({ t: 'typing' }))
    const typing = { kind: 'typing', conversation: ana.conversation, from: 'user' }
    await until(() => expect(mine.frames).toContainEqual({ ...typing, on: true }))
    await until(() => expect(mine.frames).toContainEqual({ ...typing, on: false }))
    mine.send({ kind: 'typing', conversation: ana.conversation, on: false })
    await until(() => expect(chief.frames).toContainEqual(expect.objectContaining({ from: 'agent', on: false })))
    mine.send({ kind: 'typing', conversation: ana.conversation, on: true })
    await until(() => expect(heard).toContainEqual(expect.objectContaining({ t: 'typing' })))
    expect(mine.frames.filter(({ from }) => from === 'agent')).toEqual([])
    talk.close()
    for (const { socket } of [mine, chief]) socket.close()
  })

  test('announces a chat that leaves the queues of an agent to them once more [P-2482]', async () => {
    const own = await makeQueue(admin, place, [camila], { name: 'Só Camila' })
    const { ana, at } = await waiting()
    const { frames, socket } = await open(diego.client)
    await camila.client.post(`${at}/take`, {})
    await until(() =>
      expect(frames).toContainEqual(expect.objectContaining({ kind: 'chat', conversation: ana.conversation })),
    )
    const moved = await camila.client.post(`${at}/transfer`, { queue: own })
    expect(moved.status, moved.text).toBe(200)
    expect((await diego.client.get(at)).status).toBe(404)
    await until(() =>
      expect(frames).toContainEqual({ kind: 'chat', conversation: ana.conversation, revision: moved.body.revision }),
    )
    const before = frames.length
    await camila.client.post(`${at}/take`, {})
    await camila.client.post(`${at}/close`, {})
    await until(async () => expect((await ana.talk()).at(-1)).toBe('bot: De volta: closed'))
    const later = frames.slice(before).filter(({ conversation }) => conversation === ana.conversation)
    expect(later).toEqual([])
    socket.close()
  })

  test('sends counts alone to a page beside the desk, whose user is not present [P-2375]', async () => {
    const lia = await person(parley, admin, { username: `lia${Date.now()}`, level: place, actions: AGENT })
    await done(admin.post('/deskqueue', { name: 'Ao lado', hierarchylevel: place, members: [{ user: lia.id }] }))
    const beside = await open(lia.client, '?only=counts')
    await lia.client.put('/desk/state', { state: 'available' })
    await until(() => expect(beside.frames).toContainEqual({ kind: 'counts', waiting: 0, mine: 0, snoozed: 0, all: 0 }))
    const ana = await personAt(parley, bot.web)
    await until(async () => expect(await ana.talk()).toContain('bot: Qual é o pedido?'))
    await ana.say('1')
    const at = `/desk/chat/${ana.conversation}`
    await until(async () => expect((await admin.get(at)).status).toBe(200))
    const { id: queue } = (await admin.get('/deskqueue?name=Ao%20lado')).body.items[0] as { readonly id: string }
    await admin.post(`${at}/transfer`, { queue })
    await until(() => expect(beside.frames).toContainEqual(expect.objectContaining({ kind: 'counts', waiting: 1 })))
    expect((await lia.client.get('/desk/summary')).body).toMatchObject({ me: { present: false, load: 0 } })
    expect(new Set(beside.frames.map(({ kind }) => kind))).toEqual(new Set(['counts']))
    beside.socket.close()
  })

  test('closes when its client sends more than thirty frames in a second [P-2149]', async () => {
    const { socket, send } = await open(diego.client)
    const closed = new Promise(resolve => socket.on('close', resolve))
    for (let sent = 0; sent < 70; sent += 1) send({ kind: 'view', conversation: null })
    expect(await closed).toBe(4429)
  })

  test('closes when the session has no right to the desk, and when it ends [P-2332]', async () => {
    const zoe = await person(parley, admin, { username: `zoe${Date.now()}`, level: place, actions: AGENT })
    const { socket } = await open(zoe.client)
    const closed = new Promise(resolve => socket.on('close', resolve))
    await admin.patch(`/role/${zoe.role}`, { actions: ['answerconversation'] }, 1)
    expect(await closed).toBe(4401)
    const refused = new WebSocket(`${parley.origin.replace('http', 'ws')}/botadmin/realtime/desk`, {
      headers: { authorization: `Bearer ${zoe.client.token}` },
    })
    expect(await new Promise(resolve => refused.on('close', resolve))).toBe(4403)
  })
})

test('turning the desk on makes an agent channel and, without a queue, one with the caller [P-2333]', async () => {
  const own = await level(admin, `Nova ${Date.now()}`)
  const fresh = await done(admin.post('/bot', { name: 'Novo', hierarchylevel: own }))
  const first = await admin.post('/desk/enable', { bot: fresh })
  expect(first.status, first.text).toBe(200)
  expect((await admin.post('/desk/enable', { bot: fresh })).body).toEqual(first.body)
  expect((await admin.get(`/agentchannel/${first.body.agentchannel}`)).body).toMatchObject({
    type: 'parley',
    bot: fresh,
    configured: true,
  })
  const checks = await admin.post(`/agentchannel/${first.body.agentchannel}/test`, {})
  expect(checks.body).toMatchObject({
    checks: [{ part: 'queue', ok: true }, { part: 'agents' }],
  })
})
