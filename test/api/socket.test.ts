import { io, type Socket } from 'socket.io-client'
import { afterEach, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import en from '#schemas/locales/en/shell.json' with { type: 'json' }
import es from '#schemas/locales/es/shell.json' with { type: 'json' }
import pt from '#schemas/locales/pt/shell.json' with { type: 'json' }
import { ownClock } from '#test/fixture/processor-clock.ts'
import type { Client } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const { parley, admin } = await openAdmin()
const open: (Socket | WebSocket)[] = []
const north = await level(admin, 'Norte')
const { dialog } = await admin.createDialog({ name: 'Bot', hierarchylevel: north }, 'Tarefa', 'Diálogo')
afterEach(() => {
  for (const socket of open.splice(0)) socket.close()
})

const listen = (auth: object, extraHeaders: Record<string, string> = {}) => {
  const path = '/botadmin/socket.io'
  const socket = io(parley.origin, { path, auth, extraHeaders, reconnection: false, transports: ['websocket'] })
  open.push(socket)
  return socket
}
const once = <T>(socket: Socket, event: string) =>
  new Promise<T>(resolve => {
    socket.once(event, resolve)
  })
const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

interface Told {
  readonly entity: string
  readonly entityid: string
  readonly notificationType: string
}

describe('notifications', () => {
  test('without a session nobody is let in', async () => {
    for (const auth of [{}, { token: 'nonsense' }, { token: 5 }])
      expect((await once<Error>(listen(auth), 'connect_error')).message).toBe('auth.required')
    const foreign = listen({ token: admin.token }, { origin: 'https://evil.example' })
    expect(await once<Error>(foreign, 'connect_error')).toBeInstanceOf(Error)
  })

  test('notifies readers of an entity of its change, and no one else [P-594]', async () => {
    const west = await level(admin, 'Oeste')
    const east = await level(admin, 'Leste')
    const people = [
      { username: 'caio', level: west, actions: ['readbot'] },
      { username: 'davi', level: east, actions: ['readbot'] },
      { username: 'enzo', level: west, actions: ['readdialog'] },
    ]
    const told = await Promise.all(
      people.map(async ({ username, level: home, actions }) => {
        const { client } = await person(parley, admin, { username, level: home, actions })
        const socket = listen({ token: client.token })
        await once(socket, 'connect')
        const changes: { entity: string; ids: string[] }[] = []
        socket.on('changeEmit', change => changes.push(change))
        return changes
      }),
    )
    const { id, revision } = (await admin.post('/bot', { name: 'Robô', hierarchylevel: west })).body
    await expect.poll(() => told[0]).toContainEqual({ entity: 'bot', ids: [id] })
    told[0]?.splice(0)
    expect((await admin.patch(`/bot/${id}`, { name: 'Outro robô' }, revision)).status).toBe(200)
    await expect.poll(() => told[0]).toContainEqual({ entity: 'bot', ids: [id] })
    expect(told.slice(1).flat()).not.toContainEqual(expect.objectContaining({ entity: 'bot' }))
  })

  test('notifies only the people concerned of actions by others [C-7.11] [P-1862]', async () => {
    const ana = await person(parley, admin, { username: 'ana', level: north, actions: ['readbot'] })
    const south = await level(admin, 'Sul')
    const rui = await person(parley, admin, { username: 'rui', level: south, actions: ['readbot'] })
    const sockets = [ana, rui].map(({ client }) => listen({ token: client.token }))
    await Promise.all(sockets.map(socket => once(socket, 'connect')))
    await pause(200)
    const told: Told[][] = sockets.map(() => [])
    sockets.forEach((socket, index) => {
      socket.on('notificationEmit', (message: Told) => told[index]?.push(message))
    })

    const bot = (await admin.post('/bot', { name: 'Do Norte', hierarchylevel: north })).body.id
    await admin.post(`/bot/${bot}/start`)

    await expect.poll(() => told[0]?.length).toBe(1)
    expect(told[0]?.[0]).toMatchObject({ entity: 'bot', entityid: bot, hierarchy: north, actor: { username: 'admin' } })
    expect(told[0]?.[0]).toMatchObject({ message: 'bot.started', text: 'admin iniciou o bot Do Norte' })
    expect(told[1]).toEqual([])
    const list = await ana.client.get('/notification?unread=true')
    expect(list.body).toMatchObject({ total: 1, unread: 1, items: [{ entityid: bot, read: false }] })
    expect((await rui.client.get('/notification')).body.total).toBe(0)
    expect((await ana.client.post('/notification/read', { all: true })).status).toBe(204)
    expect((await ana.client.get('/notification')).body).toMatchObject({ unread: 0, items: [{ read: true }] })
  })

  test('sends actions by others since the page load when its socket connects [P-850]', async () => {
    const iris = await person(parley, admin, { username: 'iris', level: north, actions: ['readbot'] })
    const bot = (await admin.post('/bot', { name: 'Cedo', hierarchylevel: north })).body.id
    await admin.post(`/bot/${bot}/start`)
    const heard = async (auth: object) => {
      const told: Told[] = []
      const socket = listen({ token: iris.client.token, ...auth })
      socket.on('notificationEmit', (message: Told) => told.push(message))
      await once(socket, 'connect')
      return told
    }
    const [early, late, odd] = await Promise.all([heard({ since: 20_000 }), heard({}), heard({ since: 'x' })])
    await expect.poll(() => early.map(({ entityid }) => entityid)).toContain(bot)
    await pause(200)
    expect([late, odd]).toEqual([[], []])
  })

  test('notifies a person without the changed dialog or handler open, without advice to reload live content [P-1490]', async () => {
    const actions = ['readdialog', 'readhandler']
    const ivo = await person(parley, admin, { username: 'ivone', level: north, actions })
    const socket = listen({ token: ivo.client.token })
    await once(socket, 'connect')
    const { dialogtask } = (await admin.get(`/dialog/${dialog}`)).body
    const handler = (await admin.post('/handler', { name: 'Handler', dialogtask })).body.id
    const told: (Told & { readonly message: string })[] = []
    socket.on('notificationEmit', message => told.push(message))
    const operators = { a: { type: 'marker', title: 'a', top: 0, left: 0, properties: {} } }

    // The socket is counted a moment after it is connected.
    await expect
      .poll(async () => {
        const title = `Mudou ${told.length} ${crypto.randomUUID()}`
        await admin.put(`/dialog/${dialog}/flow`, { operators: { a: { ...operators.a, title } }, links: {} })
        return told.map(({ message }) => message)
      })
      .toContain('dialog.updated')
    await admin.put(`/handler/${handler}/flow`, { operators, links: {} })
    await expect
      .poll(() => told)
      .toContainEqual(expect.objectContaining({ message: 'handler.updated', entityid: handler }))
    for (const { bell } of [en, pt, es])
      for (const { updated } of [bell.message.dialog, bell.message.handler])
        expect(updated).not.toMatch(/reload|recarg|recarreg/)
  })

  test('tells whose role, group, user or level changes to read their rights again, and nobody else [P-260]', async () => {
    const lia = await person(parley, admin, { username: 'lia', level: north, actions: ['readbot'] })
    const noa = await person(parley, admin, { username: 'noa', level: north, actions: ['readbot'] })
    const other = (await admin.post('/role', { name: 'Outro papel', hierarchylevel: north, actions: ['readrole'] }))
      .body
    const told = { lia: 0, noa: 0 }
    for (const [name, { client }] of [['lia', lia] as const, ['noa', noa] as const]) {
      const socket = listen({ token: client.token })
      socket.on('accessEmit', () => {
        told[name] += 1
      })
      await once(socket, 'connect')
    }
    const change = async (path: string, fields: object) => {
      const { status } = await admin.patch(path, fields, (await admin.get(path)).body.revision)
      expect(status).toBe(200)
    }
    const permissions = async () => (await lia.client.get('/auth/user')).body.user as { permissions: string[] }

    await pause(200)
    await change(`/role/${lia.role}`, { actions: ['readbot', 'createbot'] })
    await expect.poll(() => told).toEqual({ lia: 1, noa: 0 })
    expect((await permissions()).permissions).toEqual(['createbot', 'readbot'])
    await change(`/usergroup/${lia.group}`, { roles: [lia.role, other.id] })
    await expect.poll(() => told).toEqual({ lia: 2, noa: 0 })
    expect((await permissions()).permissions).toContain('readrole')
    await change(`/user/${lia.id}`, { usergroup: [noa.group] })
    await expect.poll(() => told).toEqual({ lia: 3, noa: 0 })
    await change(`/user/${lia.id}`, { firstname: 'Lia Maria' })
    await pause(300)
    expect(told).toEqual({ lia: 3, noa: 0 })
    await level(admin, 'Nordeste', north)
    await expect.poll(() => told).toEqual({ lia: 4, noa: 1 })
  })

  test('a session that ends takes its connection with it', async () => {
    const eva = await person(parley, admin, { username: 'eva', level: north, actions: ['readbot'] })
    const socket = listen({ token: eva.client.token })
    await once(socket, 'connect')
    const gone = once(socket, 'disconnect')
    await eva.client.post('/auth/logout')
    expect(await gone).toBe('io server disconnect')
  })
})

describe('the way into a room', () => {
  const enter = (room: string, headers: Record<string, string> = {}) => {
    const socket = new WebSocket(`${parley.origin.replace('http', 'ws')}/botadmin/realtime/${room}`, { headers })
    open.push(socket)
    return new Promise<number | 'open'>(resolve => {
      socket.on('message', () => resolve('open'))
      socket.on('close', code => resolve(code))
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
      socket.on('error', () => undefined)
    })
  }
  const bearer = (client: Client) => ({ authorization: `Bearer ${client.token}` })

  test('a foreign Origin and an unknown path get no upgrade', async () => {
    expect(await enter(`dialog-${dialog}`, { ...bearer(admin), origin: 'https://evil.example' })).toBe(403)
    expect(await enter('bot-1', bearer(admin))).toBe(404)
  })

  test('without a session, without permission and without the thing it is closed with their codes', async () => {
    const ana = await person(parley, admin, { username: 'ivo', level: north, actions: ['readbot'] })
    expect(await enter(`dialog-${dialog}`)).toBe(4401)
    expect(await enter(`dialog-${dialog}`, { authorization: 'Bearer nonsense' })).toBe(4401)
    expect(await enter(`dialog-${dialog}`, bearer(ana.client))).toBe(4403)
    expect(await enter('dialog-none', bearer(admin))).toBe(4404)
    expect(await enter(`handler-${dialog}`, bearer(admin))).toBe(4404)
    expect(await enter(`dialog-${dialog}`, bearer(admin))).toBe('open')
    expect(await enter(`dialog-${dialog}`, { cookie: `parley=${admin.token}`, origin: parley.origin })).toBe('open')
  })

  test('a ticket opens a room once', async () => {
    const { ticket } = (await admin.post('/realtime/ticket')).body
    expect(await enter(`dialog-${dialog}?ticket=${ticket}`)).toBe('open')
    expect(await enter(`dialog-${dialog}?ticket=${ticket}`)).toBe(4401)
  })

  test('closes the room within a second of a lost right', async () => {
    const leo = await person(parley, admin, { username: 'leo', level: north, actions: ['readdialog', 'updatedialog'] })
    const socket = new WebSocket(`${parley.origin.replace('http', 'ws')}/botadmin/realtime/dialog-${dialog}`, {
      headers: bearer(leo.client),
    })
    open.push(socket)
    await new Promise(resolve => socket.once('message', resolve))
    const closed = new Promise<number>(resolve => socket.on('close', resolve))
    const { revision } = (await admin.get(`/role/${leo.role}`)).body
    const before = ownClock(parley.pid)
    await admin.patch(`/role/${leo.role}`, { actions: [] }, revision)
    expect(await closed).toBe(4403)
    expect(ownClock(parley.pid) - before).toBeLessThan(1000)
  })
})
