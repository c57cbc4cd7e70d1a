import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { makeChatBot } from '#test/api/chat-bot.ts'
import { type Client, type ParleyProcess, startParley } from '#test/api/harness.ts'
import { openChat } from '#test/api/open-chat.ts'
import { startEventStoreDouble } from '#test/doubles/eventstoredb/event-store-double.ts'
import { Folders, parley } from './parley.ts'

// Each of them is a run of several processes.
vi.setConfig({ testTimeout: 120_000 })

const PARLEY_KEY = Buffer.alloc(32, 9).toString('base64')
const folders = new Folders()
const data = folders.next()
const archive = `${folders.next()}.tar`
let running: ParleyProcess | undefined
let bot: string
let channel: string
let kept: string
let forgotten: string

const start = async (env: Record<string, string>): Promise<Client> => {
  running = await startParley({ folder: folders.next(), env: { PARLEY_KEY, ...env } })
  return running.signIn()
}
const stop = async () => {
  await running?.end()
  running = undefined
}
const saidIn = async (admin: Client, conversation: string): Promise<readonly unknown[]> => {
  const { body } = await admin.get(`/conversation/${conversation}/transcript`)
  return (body.messages as { readonly text: string }[]).map(({ text }) => text)
}

/** Two conversations, backed up while the gateway works; one person is forgotten afterwards. */
beforeAll(async () => {
  const admin = await start({ PARLEY_DATA: data })
  ;({ bot, channel } = await makeChatBot(admin))
  kept = await openChat(running?.origin ?? '', channel, ['Ana'])
  forgotten = await openChat(running?.origin ?? '', channel, ['Caio'])
  expect((await parley(['backup', archive], { PARLEY_DATA: data, PARLEY_KEY })).code).toBe(0)
  expect((await admin.post(`/conversation/${forgotten}/forget`, { confirm: 'CONFIRM' })).status).toBe(200)
  await stop()
}, 120_000)
afterEach(stop)
afterAll(() => folders.clear())

/** Earlier messages exist, and users continue where they were. */
const goesOn = async (admin: Client) => {
  await vi.waitFor(async () => expect((await admin.get(`/conversation?bot=${bot}`)).body.total).toBeGreaterThan(1))
  // It may have sent a reminder since.
  expect((await saidIn(admin, kept)).slice(0, 4)).toEqual(['Seu nome?', 'Ana', 'Oi, Ana', 'Seu nome?'])
  const fresh = await openChat(running?.origin ?? '', channel, ['Bia'])
  expect(await saidIn(admin, fresh)).toContain('Oi, Bia')
}

test('continues the conversations of a restored backup, and keeps people forgotten since then [P-670]', async () => {
  const folder = folders.next()
  const list = join(data, 'forgotten.txt')
  const restored = await parley(['restore', archive, '--forgotten', list], { PARLEY_DATA: folder, PARLEY_KEY })
  expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('The chain holds.') })
  const admin = await start({ PARLEY_DATA: folder })
  await goesOn(admin)
  const replay = await admin.get(`/conversation/${forgotten}/replay`)
  expect(replay.text).not.toContain('Caio')
  expect(replay.body).toMatchObject({ turns: [{ said: [{ text: null }] }, { said: [{ text: null }, { text: null }] }] })
})

test('verify reports an altered conversation [P-670]', async () => {
  const folder = folders.next()
  await parley(['restore', archive], { PARLEY_DATA: folder, PARLEY_KEY })
  expect((await parley(['verify'], { PARLEY_DATA: folder, PARLEY_KEY })).code).toBe(0)
  const log = new DatabaseSync(join(folder, 'conversations', 'events.sqlite'))
  log.exec("UPDATE event SET data = replace(data, 'waiting', 'idle') WHERE type = 'TurnTaken'")
  log.close()
  const verified = await parley(['verify'], { PARLEY_DATA: folder, PARLEY_KEY })
  expect(verified.code).toBe(1)
  expect(verified.output).toContain(`conversation-${kept}`)
})

test('conversations go along to a server and back [P-671]', async () => {
  const double = await startEventStoreDouble({ folder: folders.next() })
  const grown = await parley(['copy', '--to', double.url], { PARLEY_DATA: data, PARLEY_KEY })
  expect(grown).toMatchObject({ code: 0, output: expect.stringContaining('events of conversations.') })
  const admin = await start({ EVENTSTORE_URL: double.url, SINGLE_NODE: 'on' })
  await goesOn(admin)
  await stop()
  const back = folders.next()
  const returned = await parley(['copy', '--to', back], { EVENTSTORE_URL: double.url, PARLEY_KEY })
  expect(returned).toMatchObject({ code: 0, output: expect.stringContaining('events of conversations.') })
  await double.stop()
  expect(existsSync(join(back, 'conversations', 'events.sqlite'))).toBe(true)
  await goesOn(await start({ PARLEY_DATA: back }))
})
