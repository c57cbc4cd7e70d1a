import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { addNode, moveNodes, removeNodes, setTitle } from '#domain/flow/document/edit.ts'
import { type Client, discard, type ParleyProcess, startParley } from '#test/api/harness.ts'
import { person } from '#test/api/people.ts'
import { randomOf } from '#test/realtime/random.ts'
import { measured, memoryOf, openFilesOf } from './memory-of.ts'
import { openSocket, RoomSocket } from './room-socket.ts'
import { report, SEED, sizeOf } from './size.ts'
import { drawSoak, type Sample } from './soak-picture.ts'

/** Hours of a busy office at an even pace: memory must not grow with what was done. Run by `npm run test:faults`. */
const MINUTES = sizeOf('SOAK', { short: 1, full: 60 })
const EVERY_MS = 10_000
const MEBIBYTE = 1024 * 1024
/** Growth from the second third of the run to its last sixth, above which memory is not flat. */
const FLAT = 1.1

const random = randomOf(SEED)
const folder = mkdtempSync(join(tmpdir(), 'parley-soak-'))
const memory = join(folder, 'memory')
let isOver = false
let calls = 0

const must = async (asked: ReturnType<Client['get']>) => {
  const answer = await asked
  calls += 1
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`)
  return answer.body
}
const every = async (milliseconds: number, act: () => Promise<unknown>) => {
  while (!isOver) {
    await act()
    await pause(milliseconds * (0.5 + random(1000) / 1000))
  }
}

/** Makes, changes, looks at and removes bots, some fifty at a time. */
const build = (client: Client, number: number) => {
  const made: string[] = []
  let count = 0
  return every(120, async () => {
    const { id, revision } = await must(client.post('/bot', { name: `Bot ${number}.${++count}` }))
    await must(client.patch(`/bot/${id}`, { description: `text ${count}` }, revision))
    made.push(id)
    await must(client.get('/bot?size=25&search=bot'))
    await must(client.get(`/bot/${id}/history`))
    const oldest = made.length > 50 ? made.shift() : undefined
    if (oldest !== undefined) await must(client.delete(`/bot/${oldest}`, { confirm: 'CONFIRM' }))
  })
}

const look = (client: Client) =>
  every(250, async () => {
    for (const path of ['/audit?size=50', '/notification', '/userdetails', '/dialog']) await must(client.get(path))
  })

/** Draws in a flow of at most sixty blocks; leaves and comes back now and then. */
const draw = async (parley: ParleyProcess, token: string, dialog: string, name: string) => {
  const editor = new RoomSocket()
  const enter = () => editor.join({ origin: parley.origin, token, dialog })
  await enter()
  let edits = 0
  await every(150, async () => {
    edits += 1
    if (edits % 400 === 0) await enter()
    const id = `${name}${random(15)}`
    const pos = { x: random(100) * 20, y: random(100) * 20 }
    editor.edit(doc => {
      if (!doc.getMap('nodes').has(id)) addNode(doc, { id, type: 'text', title: id, ...pos }, 'me')
      else if (edits % 20 === 0) removeNodes(doc, [id], 'me')
      else if (edits % 3 === 0) setTitle(doc, id, `title ${edits}`, 'me')
      else moveNodes(doc, new Map([[id, pos]]), 'me')
    })
    if (!editor.isOpen) throw new Error(`The room was closed with ${editor.closed}`)
  })
  editor.leave()
  return editor
}

const comeAndGo = (parley: ParleyProcess, username: string) =>
  every(4000, async () => {
    const client = await parley.signIn(username, 'Segredo-2026!x')
    await must(client.get('/auth/user'))
    await must(client.post('/auth/logout'))
  })

const dropSockets = (parley: ParleyProcess, token: string, dialog: string) =>
  every(1000, async () => {
    const socket = openSocket({ origin: parley.origin, token, dialog })
    await new Promise(resolve => socket.once('message', resolve).once('close', resolve))
    socket.terminate()
  })

const goBack = (client: Client, dialog: string) =>
  every(15_000, async () => {
    const { items } = await must(client.get(`/dialog/${dialog}/flow/history?size=100`))
    const revision = items[random(Math.max(1, items.length))]?.revision
    if (revision !== undefined) await must(client.post(`/dialog/${dialog}/flow/restore`, { revision }))
  })

const keepVersions = (client: Client, bot: string) => {
  let count = 0
  return every(20_000, async () => {
    const { id } = await must(client.post('/version', { bot, name: `Version ${++count}` }))
    await must(client.get(`/version/${id}/preview`))
  })
}

const sample = async (parley: ParleyProcess, started: number): Promise<Sample> => {
  const { rss, heapUsed, external } = await memoryOf(parley.pid, memory)
  return {
    seconds: Math.round((performance.now() - started) / 1000),
    rss: rss / MEBIBYTE,
    heap: heapUsed / MEBIBYTE,
    external: external / MEBIBYTE,
    files: openFilesOf(parley.pid),
    calls,
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

/** Ratio of a figure at the end to the second third of the run. */
const growthOf = (samples: readonly Sample[], figure: 'rss' | 'heap' | 'external'): number => {
  const part = (from: number, to: number) =>
    median(samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to)).map(one => one[figure]))
  return part(5 / 6, 1) / part(1 / 3, 2 / 3)
}

const parley = await startParley({ env: measured(memory) })
try {
  const admin = await parley.signIn()
  const level = (await admin.get('/userhierarchy')).body.hierarchylevel as string
  const actions = ['readdialog', 'updatedialog', 'readbot']
  const people = []
  for (const username of ['ana', 'joao', 'marina', 'rui'])
    people.push((await person(parley, admin, { username, level, actions })).client)
  const bot = (await must(admin.post('/bot', { name: 'Drawn' }))).id
  const dialogtask = (await must(admin.post('/dialogtask', { name: 'Task', bot }))).id
  const dialogs: string[] = []
  for (const name of ['One', 'Two']) dialogs.push((await must(admin.post('/dialog', { name, dialogtask }))).id)
  const [one = '', two = ''] = dialogs

  const started = performance.now()
  const samples: Sample[] = []
  const watch = every(EVERY_MS, async () => {
    samples.push(await sample(parley, started))
    if (performance.now() - started > MINUTES * 60_000) isOver = true
  })
  const drawing = people.map(({ token }, n) => draw(parley, token, n % 2 === 0 ? one : two, `p${n}-`))
  const working = [
    ...[1, 2].map(number => build(admin, number)),
    look(admin),
    comeAndGo(parley, 'rui'),
    dropSockets(parley, admin.token, one),
    goBack(admin, two),
    keepVersions(admin, bot),
  ]
  await Promise.all([watch, ...working, ...drawing])
  const editors = await Promise.all(drawing)

  const cache = join(import.meta.dirname, '..', '..', '.cache')
  mkdirSync(cache, { recursive: true })
  const lines = samples.map(found =>
    Object.values(found)
      .map(value => Math.round(value * 10) / 10)
      .join(','),
  )
  writeFileSync(join(cache, 'soak.csv'), `${Object.keys(samples[0] ?? {}).join(',')}\n${lines.join('\n')}\n`)
  writeFileSync(join(cache, 'soak.svg'), drawSoak(samples))
  const growth = { rss: growthOf(samples, 'rss'), heap: growthOf(samples, 'heap') }
  report('Soak', {
    minutes: MINUTES,
    calls,
    edits: editors.reduce((sum, { made }) => sum + made, 0),
    'rss at the end, of before': growth.rss.toFixed(3),
    'heap at the end, of before': growth.heap.toFixed(3),
    written: '.cache/soak.csv and .cache/soak.svg',
  })
  if (growth.rss > FLAT || growth.heap > FLAT) {
    process.stdout.write('Memory is not flat\n')
    process.exitCode = 1
  }
} finally {
  isOver = true
  await discard(parley)
  rmSync(folder, { recursive: true, force: true })
}
