import { describe, expect, test } from 'vitest'
import type { Client } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const { parley, admin } = await openAdmin()
const north = await level(admin, 'Norte')
const actions = ['readdialog', 'updatedialog', 'readdialogtask', 'readbot', 'updatebot', 'startbot', 'stopbot']
const ana = (await person(parley, admin, { username: 'ana', level: north, actions })).client
const { bot, dialog } = await admin.createDialog({ name: 'Bot', hierarchylevel: north }, 'Tarefa', 'Diálogo')

let drawn = 0
const draw = async (who: Client) => {
  drawn += 1
  const { format, version, links } = { format: 'parley-flow', version: 1, links: {} }
  const text = { type: 'text', title: `Texto ${drawn}`, top: 0, left: 0, properties: {} }
  const { status, text: why } = await who.put(`/dialog/${dialog}/flow`, {
    format,
    version,
    operators: { b1: text },
    links,
  })
  if (status !== 200) throw new Error(why)
}
/** A restore is a separate edit: the next change starts a new one. */
const restore = async (who: Client) => {
  const { status, text } = await who.post(`/dialog/${dialog}/flow/restore`, { revision: 2 })
  if (status !== 200) throw new Error(text)
}
const told = async (who: Client, query = '') => {
  const { items, total, unread } = (await who.get(`/notification?size=50${query}`)).body
  return { items: items as { id: string; message: string; counter: number; read: boolean }[], total, unread }
}
const edits = async (who: Client) => (await told(who)).items.filter(({ message }) => message === 'dialog.updated')

describe('notifications', () => {
  test('groups edits of a flow by one person with a counter, until they are read [P-605] [C-3.06]', async () => {
    await draw(ana)
    await draw(ana)
    await restore(ana)
    await draw(ana)
    const [first, ...others] = await edits(admin)
    expect(others).toEqual([])
    expect(first).toMatchObject({ read: false })
    expect(first?.counter).toBeGreaterThan(1)
    expect((await told(admin, '&unread=true')).total).toBe((await told(admin)).unread)

    await admin.post('/notification/read', { ids: [first?.id] })
    expect((await edits(admin)).map(({ read, counter }) => [read, counter])).toEqual([[true, first?.counter]])
    expect((await told(admin)).unread).toBe(0)

    await restore(ana)
    await draw(ana)
    const after = await edits(admin)
    expect(after.map(({ read }) => read)).toEqual([false, true])
    expect((await told(admin)).unread).toBe(1)
  })

  test('lists starts and stops of a bot one by one, except for their author [P-605] [C-4.28]', async () => {
    for (const action of ['start', 'stop', 'start']) expect((await ana.post(`/bot/${bot}/${action}`)).status).toBe(200)
    const { items } = await told(admin)
    const runs = items
      .filter(({ message }) => message.startsWith('bot.'))
      .map(({ message, counter }) => [message, counter])
    expect(runs).toEqual([
      ['bot.started', 1],
      ['bot.stopped', 1],
      ['bot.started', 1],
    ])
    expect((await told(ana)).items.filter(({ message }) => message.startsWith('bot.'))).toEqual([])
    expect(await edits(ana)).toEqual([])
  })

  test('have a sentence in the language that the caller asks for [P-1862]', async () => {
    const sentences = async (language: string) => {
      const { items } = (await admin.get('/notification?scope=bot', { 'accept-language': language })).body
      return (items as readonly { text: string }[]).map(({ text }) => text)
    }
    expect((await sentences('en'))[1]).toBe('ana stopped the bot Bot')
    expect((await sentences('pt'))[1]).toBe('ana parou o bot Bot')
    expect((await sentences('es'))[1]).toBe('ana detuvo el bot Bot')
  })

  test('filter by scope and return the scopes with entries [C-3.06] [P-612]', async () => {
    const { items, scopes } = (await admin.get('/notification?scope=bot')).body
    expect(new Set(items.map(item => item.scope))).toEqual(new Set(['bot']))
    expect(scopes).toEqual(expect.arrayContaining(['bot', 'dialog']))
    const { body } = await admin.get('/notification?scope=user')
    expect(body).toMatchObject({ items: [], total: 0, unread: 0, scopes })
    expect((await told(admin, '&scope=dialog')).total + items.length).toBe((await told(admin)).total)
  })
})
