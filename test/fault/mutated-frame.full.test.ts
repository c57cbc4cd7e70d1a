import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type WebSocket from 'ws'
import * as Y from 'yjs'
import { addNode, setTitle } from '#domain/flow/document/edit.ts'
import { exportFlow } from '#domain/flow/file/export-flow.ts'
import { step1Frame, step2Frame } from '#realtime/wire.ts'
import { type Client, discard, type Parley, startParley } from '#test/api/harness.ts'
import { person } from '#test/api/people.ts'
import { honestFrames } from '#test/doubles/honest-frame.ts'
import { randomOf } from '#test/realtime/random.ts'
import { effectOf } from './frame-effect.ts'
import { openSocket, RoomSocket, until } from './room-socket.ts'
import { BUSY, report, SEED, sizeOf, TIMEOUT_MS } from './size.ts'

const FRAMES = sizeOf('R2', { short: 5000, full: 100_000 })
/** Rooms that are attacked side by side. */
const LANES = 4
/** One frame in as many goes as it is, to show that it is the mutation that is refused. */
const HONEST = 25
/** Frames between two checks of the view of others. */
const LOOK = 50

let parley: Parley
let admin: Client
let editor: Client
let viewer: Client
let task: string
beforeAll(async () => {
  parley = await startParley({ env: { LOG_LEVEL: 'error' } })
  admin = await parley.signIn()
  const level = (await admin.get('/userhierarchy')).body.hierarchylevel as string
  const someone = (username: string, actions: readonly string[]) => person(parley, admin, { username, level, actions })
  editor = (await someone('editor', ['readdialog', 'updatedialog'])).client
  viewer = (await someone('viewer', ['readdialog'])).client
  const bot = (await admin.post('/bot', { name: 'Bot' })).body.id
  task = (await admin.post('/dialogtask', { name: 'Task', bot })).body.id
}, TIMEOUT_MS)
afterAll(() => discard(parley))

/** Cut, flipped, doubled or lengthened, one to four times. */
const mutated = (honest: Uint8Array, random: (below: number) => number): Uint8Array => {
  let frame = Uint8Array.from(honest)
  for (let times = 0; times <= random(4); times++) {
    const at = random(Math.max(1, frame.length))
    const choice = random(5)
    if (choice === 0) frame = frame.slice(0, at)
    else if (choice === 1) frame[at] = random(256)
    else if (choice === 2) frame[at] = (frame[at] ?? 0) ^ (1 << random(8))
    else if (choice === 3) frame = Uint8Array.from([...frame.slice(0, at), ...frame.slice(random(at + 1))])
    else frame = Uint8Array.from([...frame, random(256), random(256)])
  }
  return frame
}

/** An answer to this shows that everything sent before it was dealt with. */
const QUESTION = step1Frame(Y.encodeStateVector(new Y.Doc()))
const isAnswer = (data: Buffer) => data[0] === 0 && data[1] === 1
const NOTHING = step2Frame(Y.encodeStateAsUpdate(new Y.Doc()))

class Mallory {
  readonly mayEdit: boolean
  readonly #socket: WebSocket
  readonly #closed: Promise<number | undefined>
  #answered: (() => void) | undefined
  /** Answers that are still to come. */
  #awaited = 0

  constructor(dialog: string, mayEdit: boolean) {
    this.mayEdit = mayEdit
    this.#socket = openSocket({ origin: parley.origin, token: (mayEdit ? editor : viewer).token, dialog })
    this.#closed = until(this.#socket, 'close')
    this.#socket.on('message', (data: Buffer) => {
      if (isAnswer(data) && --this.#awaited === 0) this.#answered?.()
    })
  }

  async greet(): Promise<void> {
    await until(this.#socket, 'open')
    // This side misses nothing: a frame that builds on more than the room has is not honest.
    this.#socket.send(NOTHING)
  }

  /** @returns the code it was closed with, undefined while it is open */
  async send(frame: Uint8Array, asks: boolean): Promise<number | undefined> {
    const answer = new Promise<undefined>(resolve => {
      this.#answered = () => resolve(undefined)
    })
    this.#awaited = asks ? 2 : 1
    this.#socket.send(frame)
    this.#socket.send(QUESTION)
    return Promise.race([this.#closed, answer])
  }

  leave(): void {
    this.#socket.terminate()
  }
}

/** Count per close code, or per other answer, of all sent frames. */
const told = new Map<string, number>()
const count = (what: string) => told.set(what, (told.get(what) ?? 0) + 1)

/** Attacks one room while a user works in it. */
const attack = async (lane: number, frames: number): Promise<void> => {
  const random = randomOf(SEED * 1000 + lane)
  const dialog = (await admin.post('/dialog', { name: `Flow ${lane}`, dialogtask: task })).body.id
  const ana = new RoomSocket()
  await ana.join({ origin: parley.origin, token: admin.token, dialog })
  ana.edit(doc => addNode(doc, { id: 'mine', type: 'text', title: '0', x: 0, y: 0 }, 'me'))
  const expected = new Y.Doc()
  Y.applyUpdate(expected, Y.encodeStateAsUpdate(ana.doc))
  const agree = async () => {
    ana.edit(doc =>
      setTitle(doc, 'mine', String(Number(doc.getMap<Y.Map<unknown>>('nodes').get('mine')?.get('title')) + 1), 'me'),
    )
    Y.applyUpdate(expected, Y.encodeStateAsUpdate(ana.doc, Y.encodeStateVector(expected)))
    await expect.poll(() => [ana.saved, ana.closed], BUSY).toEqual([ana.made, undefined])
  }
  const honest = honestFrames()
  let mallory: Mallory | undefined
  for (let n = 0; n < frames; n++) {
    if (n % LOOK === 0) {
      mallory?.leave()
      mallory = undefined
      // The user at work sees the legal edits, continues and saves.
      await expect.poll(() => exportFlow(ana.doc), BUSY).toEqual(exportFlow(expected))
      await agree()
    }
    if (mallory === undefined) {
      mallory = new Mallory(dialog, random(4) > 0)
      await mallory.greet()
    }
    const whole = honest[random(honest.length)] ?? QUESTION
    const isHonest = n % HONEST === 0
    const frame = isHonest ? whole : mutated(whole, random)
    const effect = effectOf(expected, frame)
    const { mayEdit } = mallory
    const closed = await mallory.send(frame, effect.asks === true)
    if (closed !== undefined) mallory = undefined
    judge({ frame, effect, closed, isHonest, mayEdit })
    if (closed === undefined && effect.update !== undefined) Y.applyUpdate(expected, effect.update)
  }
  mallory?.leave()
  await agree()
  ana.leave()
  // The log matches her document.
  const { operators } = (await admin.get(`/dialog/${dialog}/flow`)).body
  expect(operators).toEqual(JSON.parse(JSON.stringify(exportFlow(expected).operators)))
}

interface Answered {
  readonly frame: Uint8Array
  readonly effect: ReturnType<typeof effectOf>
  readonly closed: number | undefined
  readonly isHonest: boolean
  readonly mayEdit: boolean
}

const CODES: readonly (number | undefined)[] = [4400, 4403, 4413, 4429]

const judge = ({ frame, effect, closed, isHonest, mayEdit }: Answered): void => {
  const shown = `${Buffer.from(frame).toString('hex')} was answered ${closed}`
  if (closed !== undefined) {
    if (!CODES.includes(closed)) throw new Error(shown)
    // A mutated frame may have taken its clocks before.
    const isTaken = effect.contradicts === true && closed === 4400
    if (isHonest && effect.kind !== 'unsound' && closed !== 4403 && !isTaken)
      throw new Error(`An honest frame ${shown}`)
    count(String(closed))
    return
  }
  // A frame that breaks the protocol must not be ignored silently.
  if (effect.kind === 'unsound') throw new Error(shown)
  if (effect.kind === 'edit' && !mayEdit) throw new Error(`A viewer's edit ${shown}`)
  count(effect.kind === 'edit' ? 'still a legal edit' : 'still a legal message that changes nothing')
}

test(
  `mutated realtime frames (${FRAMES}): no crash, no change that others see, each answered by its close code`,
  async () => {
    const started = performance.now()
    await Promise.all(Array.from({ length: LANES }, (_, lane) => attack(lane, Math.ceil(FRAMES / LANES))))
    await pause(100)
    expect((await fetch(`${parley.origin}/botadmin/api/health/ready`)).status).toBe(200)
    report('R2', {
      frames: FRAMES,
      ...Object.fromEntries([...told].sort()),
      seconds: Math.round((performance.now() - started) / 1000),
    })
  },
  TIMEOUT_MS,
)
