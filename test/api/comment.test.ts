import { io, type Socket } from 'socket.io-client'
import { afterAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import type { Client } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

type Someone = Awaited<ReturnType<typeof person>>

const { parley, admin } = await openAdmin()
const sockets: (Socket | WebSocket)[] = []
const north = await level(admin, 'Norte')
const south = await level(admin, 'Sul')
const actions = ['readdialog', 'readdialogtask']
const ana = await person(parley, admin, { username: 'ana', level: north, actions })
const rui = await person(parley, admin, { username: 'rui', level: north, actions })
const eva = await person(parley, admin, { username: 'eva', level: south, actions })
const bot = (await admin.post('/bot', { name: 'Bot', hierarchylevel: north })).body.id
const task = (await admin.post('/dialogtask', { name: 'Tarefa', bot })).body.id
afterAll(async () => {
  for (const socket of sockets) socket.close()
})

let drawn = 0
const drawing = (...ids: readonly string[]) => ({
  format: 'parley-flow',
  version: 1,
  operators: Object.fromEntries(
    ids.map((id, at) => [id, { type: 'text', title: id, top: at * 100, left: 0, properties: {} }]),
  ),
  links: {},
})
const newDialog = async () => {
  drawn += 1
  const { id } = (await admin.post('/dialog', { name: `Diálogo ${drawn}`, dialogtask: task })).body
  await admin.put(`/dialog/${id}/flow`, drawing('b1', 'b2'))
  return id
}
const say = async (who: Client, dialog: string, said: object) => {
  const { status, text, body } = await who.post('/dialogcomment', { dialog, block: 'b1', ...said })
  if (status !== 201) throw new Error(text)
  return body.id
}
const threads = async (who: Client, dialog: string, query = '') =>
  (await who.get(`/dialog/${dialog}/comment${query}`)).body

describe('comments on the blocks of a flow', () => {
  test('lets every reader of a flow comment, answer, resolve and reopen, and read threads', async () => {
    const dialog = await newDialog()

    const first = await say(ana.client, dialog, { text: 'Por que dois\ncaminhos?' })
    const answer = await rui.client.post('/dialogcomment', { dialog, dialogcomment: first, text: 'Um é para sócios.' })
    await say(rui.client, dialog, { block: 'b2', text: 'Falta o horário' })

    expect(answer.status).toBe(201)
    expect(await threads(rui.client, dialog)).toMatchObject({
      total: 2,
      open: { b1: 1, b2: 1 },
      items: [
        { block: 'b2', answers: [] },
        {
          id: first,
          text: 'Por que dois\ncaminhos?',
          author: { username: 'ana' },
          resolved: false,
          answers: [{ id: answer.body.id, text: 'Um é para sócios.', author: { username: 'rui' } }],
        },
      ],
    })
    expect((await rui.client.post(`/dialogcomment/${first}/resolve`)).status).toBe(200)
    expect(await threads(ana.client, dialog, '?resolved=false')).toMatchObject({ total: 1, open: { b2: 1 } })
    expect(await threads(ana.client, dialog, '?resolved=true&block=b1')).toMatchObject({
      items: [{ id: first, resolved: true, resolved_by: { username: 'rui' } }],
    })
    expect((await ana.client.post(`/dialogcomment/${first}/reopen`)).status).toBe(200)
    expect(await threads(ana.client, dialog)).toMatchObject({ open: { b1: 1, b2: 1 } })
    const ofAnswer = await ana.client.post(`/dialogcomment/${answer.body.id}/resolve`)
    expect(ofAnswer).toMatchObject({ status: 409, body: { code: 'comment.first' } })
  })

  test('only who wrote a comment, or administers, edits and removes it', async () => {
    const dialog = await newDialog()
    const id = await say(ana.client, dialog, { text: 'Meu' })

    for (const refused of [
      await rui.client.patch(`/dialogcomment/${id}`, { text: 'Dele' }, 1),
      await rui.client.delete(`/dialogcomment/${id}`),
      await rui.client.post(`/dialogcomment/${id}/restore`, { revision: 1 }),
    ])
      expect(refused).toMatchObject({ status: 403, body: { code: 'comment.author' } })
    expect((await ana.client.patch(`/dialogcomment/${id}`, { text: 'Meu mesmo' }, 1)).status).toBe(200)
    expect(await threads(rui.client, dialog)).toMatchObject({
      items: [{ text: 'Meu mesmo', edited_at: expect.stringMatching(/Z$/) }],
    })
    expect((await admin.delete(`/dialogcomment/${id}`)).status).toBe(200)
    expect(await threads(ana.client, dialog)).toMatchObject({ total: 0, open: {} })
  })

  test('of a comment that is removed its answers stay, and the thread without its first text can be answered, resolved and brought back', async () => {
    const dialog = await newDialog()
    const first = await say(ana.client, dialog, { text: `Um segredo de <@${rui.id}>` })
    const answer = await say(rui.client, dialog, { dialogcomment: first, text: 'Sei' })
    const before = (await ana.client.get(`/dialogcomment/${first}`)).body.revision

    expect((await ana.client.delete(`/dialogcomment/${first}`)).status).toBe(200)

    const read = await threads(rui.client, dialog)
    expect(read).toMatchObject({
      total: 1,
      open: { b1: 1 },
      items: [{ id: first, withdrawn: true, text: '', mentioned: [], answers: [{ id: answer, text: 'Sei' }] }],
    })
    expect(JSON.stringify((await ana.client.get(`/dialogcomment/${first}`)).body)).not.toContain('segredo')
    const again = await rui.client.post('/dialogcomment', { dialog, dialogcomment: first, text: 'E agora?' })
    expect(again.status).toBe(201)
    expect((await rui.client.post(`/dialogcomment/${first}/resolve`)).status).toBe(200)
    await ana.client.post(`/dialogcomment/${first}/restore`, { revision: before })
    expect(await threads(rui.client, dialog)).toMatchObject({
      items: [{ withdrawn: false, resolved: true, text: `Um segredo de <@${rui.id}>`, edited_at: null }],
    })

    await ana.client.delete(`/dialogcomment/${first}`)
    for (const id of [answer, again.body.id]) await rui.client.delete(`/dialogcomment/${id}`)
    expect(await threads(rui.client, dialog)).toMatchObject({ total: 0, open: {}, items: [] })
  })

  test('a block that is not in the flow is refused where a thread begins, and one that is removed later keeps what was said', async () => {
    const dialog = await newDialog()
    const said = (block: string) => ana.client.post('/dialogcomment', { dialog, block, text: 'Onde?' })

    const refused = await said('b9')
    const message = 'This block is not in the flow'
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'block', code: 'reference', message }] } })
    const first = (await said('b2')).body.id
    await admin.put(`/dialog/${dialog}/flow`, drawing('b1'))

    expect((await ana.client.post('/dialogcomment', { dialog, dialogcomment: first, text: 'Aqui' })).status).toBe(201)
    expect((await said('b2')).status).toBe(422)
    expect(await threads(ana.client, dialog)).toMatchObject({ open: { b2: 1 }, items: [{ block: 'b2' }] })
  })

  test('text that is empty, too long or holds control characters, an answer to an answer and a missing block are refused', async () => {
    const dialog = await newDialog()
    const first = await say(ana.client, dialog, { text: 'Um' })
    const answer = await say(ana.client, dialog, { dialogcomment: first, text: 'Dois' })
    const said = async (fields: object) => (await ana.client.post('/dialogcomment', { dialog, ...fields })).body.errors

    expect(await said({ block: 'b1', text: ' \n' })).toMatchObject([{ path: 'text', code: 'required' }])
    expect(await said({ block: 'b1', text: 'x'.repeat(4001) })).toMatchObject([{ path: 'text', code: 'toolong' }])
    expect(await said({ block: 'b1', text: 'a\u0007b' })).toMatchObject([{ path: 'text', code: 'characters' }])
    expect(await said({ text: 'onde?' })).toMatchObject([{ path: 'block', code: 'required' }])
    expect(await said({ dialogcomment: answer, text: 'Três' })).toMatchObject([
      { path: 'dialogcomment', code: 'reference' },
    ])
    expect(await said({ dialogcomment: first, block: 'b9', text: 'x' })).toMatchObject([{ path: 'block' }])
    expect(await said({ block: 'b1', text: 'x', author: rui.id })).toMatchObject([{ path: 'author', code: 'readonly' }])
  })

  test('accepts mentions of readers of the flow only; refuses all others alike', async () => {
    const dialog = await newDialog()
    const names = async (search: string) => {
      const { items } = (await ana.client.get(`/dialog/${dialog}/reader?search=${search}`)).body
      return items.map(({ username }) => username)
    }

    expect(await names('')).toEqual(['admin', 'ana', 'rui'])
    expect(await names('RU')).toEqual(['rui'])
    expect(await names('N')).toEqual(['admin', 'ana'])
    const { revision } = (await admin.get(`/user/${rui.id}`)).body
    expect((await admin.patch(`/user/${rui.id}`, { lastname: 'Nunes' }, revision)).status).toBe(200)
    expect(await names('N')).toEqual(['rui', 'admin', 'ana'])
    const refusals = []
    for (const id of [eva.id, 'nobody-at-all']) {
      const { status, body } = await ana.client.post('/dialogcomment', { dialog, block: 'b1', text: `Oi <@${id}>` })
      refusals.push({ status, errors: body.errors })
    }
    expect(refusals[0]).toMatchObject({ status: 422, errors: [{ path: 'text', code: 'reference' }] })
    expect(refusals[0]).toEqual(refusals[1])
    const crowd = Array.from({ length: 51 }, (_, n) => `<@${n === 0 ? rui.id : `nobody-${n}`}>`).join(' ')
    expect(await ana.client.post('/dialogcomment', { dialog, block: 'b1', text: crowd })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'text', code: 'toolarge', message: 'At most 50 people can be named' }] },
    })
  })

  test('returns 404 for threads and people outside the caller’s levels, and refuses comments', async () => {
    const dialog = await newDialog()
    const id = await say(ana.client, dialog, { text: 'Aqui' })

    for (const path of [`/dialog/${dialog}/comment`, `/dialog/${dialog}/reader`, `/dialogcomment/${id}`])
      expect((await eva.client.get(path)).status).toBe(404)
    expect((await eva.client.post(`/dialogcomment/${id}/resolve`)).status).toBe(404)
    expect((await eva.client.post('/dialogcomment', { dialog, block: 'b1', text: 'x' })).status).toBe(422)
    expect((await eva.client.get('/dialogcomment')).body.total).toBe(0)
  })

  test('comments leave with a removed dialog and with a removed task, and come back with them', async () => {
    const dialog = await newDialog()
    const id = await say(ana.client, dialog, { text: 'Fica' })
    const isThere = async () => (await ana.client.get(`/dialogcomment/${id}`)).status === 200
    const confirm = { confirm: 'CONFIRM' }

    await admin.delete(`/dialog/${dialog}`, confirm)
    expect(await isThere()).toBe(false)
    expect(await ana.client.patch(`/dialogcomment/${id}`, { text: 'Ainda?' }, 1)).toMatchObject({
      status: 409,
      body: { code: 'entity.parent' },
    })
    await admin.post(`/dialog/${dialog}/restore`, { revision: 1 })
    expect(await threads(ana.client, dialog)).toMatchObject({ total: 1, items: [{ text: 'Fica' }] })
    await admin.delete(`/dialogtask/${task}`, confirm)
    expect(await isThere()).toBe(false)
    await admin.post(`/dialogtask/${task}/restore`, { revision: 1 })
    expect(await threads(ana.client, dialog)).toMatchObject({ total: 1, items: [{ id, text: 'Fica' }] })
  })

  test('a copy of a dialog and a version of the bot carry no comments', async () => {
    const dialog = await newDialog()
    await say(ana.client, dialog, { text: 'Só aqui' })
    const { body } = await admin.post(`/dialog/${dialog}/duplicate`)
    expect(await threads(ana.client, String(body.id))).toMatchObject({ total: 0 })
    const { bot } = (await admin.get(`/dialogtask/${task}`)).body
    const version = (await admin.post('/version', { bot, name: 'v1' })).body.id
    expect((await admin.get(`/version/${version}/download`)).text).not.toContain('Só aqui')
  })
})

describe('notifications of comments', () => {
  const heard = async ({ client }: Someone) => {
    const { items } = (await client.get('/notification')).body
    return items.map(({ message, params }) => ({ message, params }) as { message: string; params: object })
  }

  test('notifies a mentioned person once, and thread participants of answers and resolution, and no one else', async () => {
    const dialog = await newDialog()
    const about = { params: { block: 'b1' } }
    const before = { ana: await heard(ana), eva: await heard(eva) }

    const first = await say(ana.client, dialog, { text: `Veja <@${rui.id}>` })
    expect(await heard(ana)).toEqual(before.ana)
    expect((await heard(rui))[0]).toMatchObject({ message: 'comment.mentioned', ...about })
    await ana.client.patch(`/dialogcomment/${first}`, { text: `Veja, <@${rui.id}>!` }, 1)
    await say(rui.client, dialog, { dialogcomment: first, text: 'Vi' })
    expect((await heard(ana))[0]).toMatchObject({ message: 'comment.answered', ...about })
    await ana.client.post(`/dialogcomment/${first}/resolve`)

    expect((await heard(rui)).filter(({ params }) => Reflect.get(params, 'comment') === first)).toMatchObject([
      { message: 'comment.resolved' },
      { message: 'comment.mentioned' },
    ])
    expect(await heard(eva)).toEqual(before.eva)
    expect(JSON.stringify((await admin.get('/notification?size=100')).body)).not.toContain('comment.')
  })

  test('notifies people with the flow open at once, and no others', async () => {
    const dialog = await newDialog()
    const listening = async ({ client }: Someone) => {
      const socket = io(parley.origin, {
        path: '/botadmin/socket.io',
        auth: { token: client.token },
        transports: ['websocket'],
      })
      sockets.push(socket)
      await new Promise(resolve => {
        socket.once('connect', () => resolve(undefined))
      })
      const news: unknown[] = []
      socket.on('commentEmit', (told: unknown) => news.push(told))
      return news
    }
    const room = new WebSocket(`${parley.origin.replace('http', 'ws')}/botadmin/realtime/dialog-${dialog}`, {
      headers: { authorization: `Bearer ${rui.client.token}` },
    })
    sockets.push(room)
    await new Promise(resolve => {
      room.once('message', resolve)
    })
    const inRoom = await listening(rui)
    const elsewhere = await listening(ana)

    // The socket is counted a moment after it is connected.
    await expect
      .poll(async () => {
        await say(ana.client, dialog, { text: 'Alô' })
        return inRoom
      })
      .toContainEqual({ entity: 'dialog', entityid: dialog })
    expect(elsewhere).toEqual([])
  })
})
