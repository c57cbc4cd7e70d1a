import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addNode, setTitle } from '#domain/flow/document/edit.ts'
import { type Client, discard, startParley } from '#test/api/harness.ts'
import { type HostedParley, openParley } from '#test/api/open-parley.ts'
import { isFull } from '#test/fixture/full.ts'
import { randomOf } from '#test/realtime/random.ts'
import { HttpWriter } from './http-writer.ts'
import { readLog } from './read-log.ts'
import { RoomSocket } from './room-socket.ts'
import { report, SEED, sizeOf, TIMEOUT_MS } from './size.ts'

const ROUNDS = sizeOf('R1', { short: isFull ? 6 : 2, full: 1000 })
const WRITERS = 6
const EDITORS = 3
/** A flow is drawn in for as many rounds. */
const SITTING = 20
const CONFIRM = { confirm: 'CONFIRM' }

const random = randomOf(SEED)
let parley: HostedParley
let token: string
let task: string
beforeAll(async () => {
  parley = await openParley()
  const admin = await parley.signIn()
  token = admin.token
  const bot = (await admin.post('/bot', { name: 'Drawn' })).body.id
  task = (await admin.post('/dialogtask', { name: 'Drawn', bot })).body.id
}, TIMEOUT_MS)
afterAll(() => discard(parley))

/** The API under the session that was begun before the first crash: that it holds is part of what is shown. */
const api = (): Client => {
  const { anyone } = parley
  const headers = { authorization: `Bearer ${token}` }
  return {
    ...anyone,
    get: path => anyone.get(path, headers),
    post: (path, body) => anyone.post(path, body, headers),
    delete: (path, body) => anyone.delete(path, body, headers),
  }
}

const kill = async (round: number) => {
  await parley.kill()
  const { folder } = parley
  // The first time, and now and then later, it dies again before it is up.
  for (let again = round === 0; again || random(8) === 0; again = false) {
    const wait = 20 + random(800)
    const starting = startParley({ folder, launched: child => setTimeout(() => child.kill('SIGKILL'), wait) })
    await starting.then(
      half => half.end('SIGKILL'),
      () => undefined,
    )
  }
  parley = await openParley({ folder })
}

/** Edits one block; its title is the number of the edit. */
const draw = async (editor: RoomSocket, block: string, isOver: () => boolean) => {
  while (!isOver()) {
    const title = String(editor.made + 1)
    editor.edit(doc => {
      if (doc.getMap('nodes').has(block)) setTitle(doc, block, title, 'me')
      else addNode(doc, { id: block, type: 'text', title, x: 0, y: 0 }, 'me')
    })
    await pause(2 + random(12))
  }
}

const shownTitle = async (dialog: string, block: string): Promise<number> =>
  Number((await api().get(`/dialog/${dialog}/flow`)).body.operators[block]?.title ?? 0)

/** The bearer of a disputed name releases it, and the next one can take it. @returns faults that were found */
const disputeOver = async (name: string, claimed: readonly string[]): Promise<string[]> => {
  const { items } = (await api().get(`/bot?name=${encodeURIComponent(name)}&size=100`)).body
  const bearers = items.map(({ id }) => String(id))
  const faults: string[] = []
  if (bearers.length !== 1) faults.push(`${name} has ${bearers.length} bearers`)
  if (claimed.some(id => !bearers.includes(id))) faults.push(`${name} was lost by who was told to have it`)
  for (const id of bearers) await api().delete(`/bot/${id}`, CONFIRM)
  const next = await api().post('/bot', { name })
  if (next.status !== 201) faults.push(`${name} is stuck: ${next.text}`)
  await api().delete(`/bot/${next.body.id}`, CONFIRM)
  return faults
}

test(
  `kill -9 under load (${ROUNDS} rounds): nothing acknowledged is lost, nothing is written twice, no name is stuck`,
  async () => {
    const writers = Array.from({ length: WRITERS }, (_, n) => new HttpWriter(n, random))
    const started = performance.now()
    const faults: string[] = []
    const count = { acknowledged: 0, resent: 0, edits: 0, names: 0 }
    let dialog = ''
    let editors: RoomSocket[] = []
    for (let round = 0; round < ROUNDS; round++) {
      // Given people at work over HTTP and in a room
      if (round % SITTING === 0) {
        for (const editor of editors) editor.leave()
        dialog = (await api().post('/dialog', { name: `Flow ${round}`, dialogtask: task })).body.id
        editors = Array.from({ length: EDITORS }, () => new RoomSocket())
        await Promise.all(editors.map(editor => editor.join({ origin: parley.origin, token, dialog })))
      }
      const disputed = [`Wanted ${round}.1`, `Wanted ${round}.2`]
      let over = false
      const drawing = editors.map((editor, n) => draw(editor, `e${n}`, () => over))
      const writing = writers.map(writer => writer.work(parley.anyone, token, disputed))
      await pause(30 + random(400))

      // When the process is killed amid that and started again
      await kill(round)
      over = true
      await Promise.all(drawing)
      for (const acknowledged of await Promise.all(writing)) count.acknowledged += acknowledged

      // Then everything that was said to be saved is there, before anyone sends anything again
      for (const [n, editor] of editors.entries()) {
        const title = await shownTitle(dialog, `e${n}`)
        if (title < editor.saved) faults.push(`round ${round}: edit ${editor.saved} was saved, ${title} is there`)
      }
      for (const name of disputed) await api().post('/bot', { name })
      for (const writer of writers) if (await writer.settle(parley.anyone, token)) count.resent += 1
      for (const { bot } of writers) {
        const { body } = bot === undefined ? { body: bot } : await api().get(`/bot/${bot.id}`)
        if (bot !== undefined && (body?.revision !== bot.revision || body.description !== bot.description))
          faults.push(`round ${round}: ${JSON.stringify(bot)} is ${JSON.stringify(body)}`)
      }
      for (const name of disputed) {
        const claimed = writers.flatMap(({ claims }) => claims.get(name) ?? [])
        for (const fault of await disputeOver(name, claimed)) faults.push(`round ${round}: ${fault}`)
        for (const { claims } of writers) claims.delete(name)
        count.names += 1
      }
      // And what was not saved yet comes with those who drew it
      await Promise.all(editors.map(editor => editor.join({ origin: parley.origin, token, dialog })))
      await expect.poll(() => editors.map(({ made, saved }) => made - saved), { timeout: 20_000 }).toEqual([0, 0, 0])
      for (const [n, editor] of editors.entries()) {
        const title = await shownTitle(dialog, `e${n}`)
        if (title !== editor.made) faults.push(`round ${round}: ${editor.made} edits were made, ${title} is there`)
      }
      expect(faults).toEqual([])
      expect(writers.flatMap(({ unexpected }) => unexpected)).toEqual([])
    }
    for (const editor of editors) {
      editor.leave()
      count.edits += editor.made
    }
    await parley.stop()

    const log = await readLog(parley.folder)
    const written = writers.flatMap(writer => [...writer.written])
    const lost = written.filter(text => !log.descriptions.has(text))
    const twice = [...log.descriptions].filter(([, events]) => events > 1)
    expect({ lost, twice, amiss: log.amiss }).toEqual({ lost: [], twice: [], amiss: 0 })
    report('R1', {
      rounds: ROUNDS,
      'commands acknowledged': written.length,
      'sent again': count.resent,
      'disputed names': count.names,
      'events in the log': log.events,
      seconds: Math.round((performance.now() - started) / 1000),
    })
  },
  TIMEOUT_MS,
)
