import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Client } from '#test/api/harness.ts'
import { level, person } from '#test/api/people.ts'
import { type Cluster, type Node, reaching, startCluster } from './cluster.ts'
import { Editor } from './editor.ts'

/** ms until a user without the right is out on every node. */
const REVOKE_TIMEOUT_MS = 1_000

let cluster: Cluster
let one: Node
let two: Node
let three: Node
let root: Client
let north: string
let dialog: string
const open: { close(): void }[] = []

beforeAll(async () => {
  cluster = await startCluster()
  ;[one, two, three] = cluster.nodes
  root = one.admin
  north = await level(root, 'Norte')
  const bot = (await root.post('/bot', { name: 'Bot', hierarchylevel: north })).body.id
  const dialogtask = (await root.post('/dialogtask', { name: 'Tarefa', bot })).body.id
  dialog = (await root.post('/dialog', { name: 'Diálogo', dialogtask })).body.id
}, 120_000)
afterEach(() => {
  for (const each of open.splice(0)) each.close()
})
afterAll(() => cluster.close())

const until = (read: () => unknown, timeout = 5_000) => expect.poll(read, { timeout, interval: 10 })
const EDITOR = ['readdialog', 'updatedialog', 'readbot']
let named = 0
const someone = (actions: readonly string[] = EDITOR) =>
  person(one.parley, root, { username: `pessoa${named++}`, level: north, actions })

const enter = async ({ parley }: Node, client: Client): Promise<Editor> => {
  const editor = new Editor()
  open.push({ close: () => editor.end() })
  return editor.join(parley, client, dialog)
}
const listen = async ({ parley }: Node, client: Client): Promise<Socket> => {
  const socket = io(parley.origin, {
    path: '/botadmin/socket.io',
    auth: { token: client.token },
    reconnection: false,
    transports: ['websocket'],
  })
  open.push(socket)
  await new Promise(resolve => socket.once('connect', () => resolve(undefined)))
  return socket
}

type Someone = Awaited<ReturnType<typeof someone>>
/** Revocations of a right, done on the first node, and the close code of the user's rooms. */
const REVOCATIONS: readonly [string, number, (who: Someone) => Promise<unknown>][] = [
  ['locked', 4401, ({ id }) => root.post(`/user/${id}/lock`)],
  ['given a new password', 4401, ({ id }) => root.post(`/user/${id}/resetpassword`)],
  ['signed out', 4401, ({ client }) => one.parley.anyone.send('POST', '/auth/logout', bearer(client))],
  ['deprived of their role', 4403, async ({ role }) => patch(`/role/${role}`, { actions: [] })],
  ['deprived of editing', 4403, async ({ role }) => patch(`/role/${role}`, { actions: ['readdialog'] })],
  ['removed', 4401, ({ id }) => root.delete(`/user/${id}`, { confirm: 'CONFIRM' })],
]
const bearer = (client: Client) => ({ headers: { authorization: `Bearer ${client.token}` } })
const patch = async (path: string, fields: object) => root.patch(path, fields, (await root.get(path)).body.revision)

/** Puts a user in a room of each node, revokes their right on the first, and returns the ms to the last exit. */
const timeToLeave = async (who: Someone, code: number, revoke: (who: Someone) => Promise<unknown>) => {
  const editors = await Promise.all(cluster.nodes.map(node => enter(node, who.client)))
  await revoke(who)
  const began = performance.now()
  await until(() => editors.map(({ closed }) => closed)).toEqual([code, code, code])
  return Math.max(...editors.map(({ closedAt }) => closedAt - began))
}

describe.each([
  ['with NATS', true],
  ['with NATS down', false],
])('%s', (_name, isUp) => {
  beforeAll(async () => {
    if (!isUp) await cluster.nats.stop()
    await reaching(cluster.nodes, isUp)
  })

  test.each(REVOCATIONS)(
    'disconnects a person %s on one node from every node within a second',
    async (_what, code, revoke) => {
      const who = await someone()
      expect(await timeToLeave(who, code, revoke)).toBeLessThan(REVOKE_TIMEOUT_MS)
    },
  )

  test('a session that ends on one node loses its bell and its requests on the others', async () => {
    const who = await someone()
    const socket = await listen(three, who.client)
    const gone = new Promise(resolve => socket.once('disconnect', resolve))
    const began = performance.now()
    await root.post(`/user/${who.id}/lock`)
    expect(await gone).toBe('io server disconnect')
    expect(performance.now() - began).toBeLessThan(REVOKE_TIMEOUT_MS)
    const answer = await two.parley.anyone.send('GET', '/auth/user', bearer(who.client))
    expect(answer.status).toBe(401)
  })

  test('a role that changes on one node has its people on the others read their rights again [P-260]', async () => {
    const who = await someone()
    const sockets = await Promise.all([two, three].map(node => listen(node, who.client)))
    const told = sockets.map(socket => new Promise(resolve => socket.once('accessEmit', () => resolve(undefined))))
    // A socket is counted a moment after it is connected.
    await new Promise(resolve => setTimeout(resolve, 200))
    const began = performance.now()
    await patch(`/role/${who.role}`, { actions: ['readdialog'] })
    await Promise.all(told)
    expect(performance.now() - began).toBeLessThan(REVOKE_TIMEOUT_MS)
  })

  test('an API token loses a right, and ends, on every node within 5 s [P-2956]', async () => {
    const who = await someone(['readbot', 'readcodesample', 'createapitoken'])
    const expires = new Date(Date.now() + 86_400_000).toISOString()
    const made = await who.client.post('/apitoken', { name: 'chave', expires })
    const statuses = (path: string) => async () =>
      Promise.all(
        cluster.nodes.map(async ({ parley }) => {
          const headers = { authorization: `Bearer ${made.body.token}` }
          return (await parley.anyone.send('GET', path, { headers })).status
        }),
      )
    await until(statuses('/codesample')).toEqual([200, 200, 200])
    await patch(`/role/${who.role}`, { actions: ['readbot', 'createapitoken'] })
    await until(statuses('/codesample')).toEqual([403, 403, 403])
    expect(await statuses('/bot')()).toEqual([200, 200, 200])
    await root.post(`/apitoken/${made.body.id}/revoke`)
    await until(statuses('/bot')).toEqual([401, 401, 401])
  })

  test('a notification reaches those concerned on every node, but not who has the room open elsewhere', async () => {
    const [reader, drawing] = [await someone(), await someone()]
    const told: string[] = []
    for (const [node, { client }] of [
      [two, reader],
      [three, drawing],
    ] as const) {
      const socket = await listen(node, client)
      socket.on('notificationEmit', ({ entity }: { entity: string }) =>
        told.push(`${client === reader.client ? 'reader' : 'drawing'} ${entity}`),
      )
    }
    await root
      .post('/bot', { name: `Aviso ${named++}`, hierarchylevel: north })
      .then(({ body }) => root.post(`/bot/${body.id}/start`))
    await until(() => told.toSorted()).toEqual(['drawing bot', 'reader bot'])
  })

  test('a change of level on one node counts on the others', async () => {
    const who = await someone(['readhierarchy'])
    const below = await level(root, `Abaixo ${named++}`, north)
    const changed = await one.parley.anyone.send('POST', `/changehierarchylevel/${below}`, bearer(who.client))
    expect(changed.status).toBe(204)
    await until(async () => {
      const { body } = await three.parley.anyone.send('GET', '/userhierarchy', bearer(who.client))
      return body.hierarchylevel
    }, REVOKE_TIMEOUT_MS).toBe(below)
  })
})

test('disconnects a person who loses a right at once, also with a silent store and NATS down', async () => {
  const silent = REVOCATIONS.filter(([what]) => what === 'locked' || what === 'deprived of editing')
  for (const [, code, revoke] of silent) {
    let asked = 0
    // Given users in rooms, and a store whose subscriptions stay silent, when their right is revoked
    await timeToLeave(await someone(), code, who => {
      cluster.store.faults.areSubscriptionsSilent = true
      asked = performance.now()
      return revoke(who)
    })
    // Then every node detects it without an event
    expect(performance.now() - asked).toBeLessThan(2 * REVOKE_TIMEOUT_MS)
    cluster.store.faults.areSubscriptionsSilent = false
  }
})

test('sends no bell notification on another node to a person who draws in the room', async () => {
  await cluster.nats.start()
  await reaching(cluster.nodes, true)
  const [drawing, watching, reader] = [await someone(), await someone(), await someone()]
  const told: string[] = []
  for (const [name, client] of [
    ['watching', watching.client],
    ['reader', reader.client],
  ] as const)
    (await listen(three, client)).on('notificationEmit', () => told.push(name))
  const [ana] = [await enter(one, drawing.client), await enter(two, watching.client)]
  // Given that the third node knows who is in the room on the second
  const shownThere = async () => {
    const editing = (await three.admin.get('/home')).body.editing as { id: string; people: { user: string }[] }[]
    return editing.flatMap(({ id, people }) => (id === dialog ? people.map(({ user }) => user) : []))
  }
  await until(shownThere).toContain(watching.id)
  ana.draw(`n${named++}`)
  await until(() => told).toEqual(['reader'])
})

test('a session and a ticket of one node open a room on another at once, the ticket once', async () => {
  const { client } = await someone()
  const { ticket } = (await one.parley.anyone.send('POST', '/realtime/ticket', bearer(client))).body
  const tickets = [two, three].map(({ parley }) => {
    const socket = new WebSocket(
      `${parley.origin.replace('http', 'ws')}/botadmin/realtime/dialog-${dialog}?ticket=${ticket}`,
    )
    open.push(socket)
    return new Promise<number | 'open'>(resolve => {
      socket.on('message', () => resolve('open'))
      socket.on('close', code => resolve(code))
    })
  })
  expect((await Promise.all(tickets)).toSorted()).toEqual([4401, 'open'])
  // A dialog made a moment ago on one node is found by another's room.
  const { dialogtask } = (await root.get(`/dialog/${dialog}`)).body
  const fresh = (await root.post('/dialog', { name: `Novo ${named++}`, dialogtask })).body.id
  const editor = new Editor()
  open.push({ close: () => editor.end() })
  await editor.join(three.parley, three.admin, fresh)
})
