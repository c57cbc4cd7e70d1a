import { setTimeout as pause } from 'node:timers/promises'
import WebSocket from 'ws'
import * as Y from 'yjs'
import { addNode, moveNodes } from '#domain/flow/document/edit.ts'
import { step1Frame, updateFrame } from '#realtime/wire.ts'
import type { Client, ParleyProcess } from '../api/harness.ts'
import { LeanClient } from './lean-client.ts'
import { processorTime } from './processor-time.ts'
import { Sent } from './sent.ts'

export interface Node {
  readonly parley: ParleyProcess
  readonly client: Client
}

export interface Load {
  readonly rooms: number
  readonly editors: number
  /** A second, on all nodes together. */
  readonly commands: number
  readonly edits: number
  readonly seconds: number
}

/** Milliseconds, unsorted. */
export interface Measured {
  /** From when a command was due until its answer: durable, and shown where it was given. */
  readonly commands: number[]
  /** From that answer until another node shows it. */
  readonly elsewhere: number[]
  /** From sending an edit to its arrival at another user, on the same node and on others. */
  readonly nearby: number[]
  readonly across: number[]
  failed: number
  /** Number of each failure. */
  readonly failures: Map<string, number>
  /** Commands and edits that were given, and how long that took, s. */
  given: number
  seconds: number
  /** Processor time of all gateways, ms. */
  cpu: number
}

/** Before the measured part: programs warm up. */
const WARM = 5
/** One command in so many is looked for on another node. */
const LOOKED = 30
const POLL_INTERVAL_MS = 5
const TIMEOUT_MS = 10_000

class Editor {
  readonly #doc = new Y.Doc()
  readonly #socket: WebSocket
  readonly #id: string
  #moves = 0
  #update: Uint8Array = new Uint8Array()

  constructor(socket: WebSocket, id: string) {
    this.#socket = socket
    this.#id = id
    this.#doc.on('update', (update: Uint8Array) => {
      this.#update = update
    })
  }

  /** Adds a block, then moves it on and on. @returns what it sends */
  draw(): Uint8Array {
    const id = this.#id
    this.#moves += 1
    if (this.#moves === 1) addNode(this.#doc, { id, type: 'text', title: id, x: 0, y: 0 }, 'bench')
    else moveNodes(this.#doc, new Map([[id, { x: (this.#moves % 500) * 20, y: 0 }]]), 'bench')
    this.#socket.send(updateFrame(this.#update))
    return this.#update
  }

  leave(): void {
    this.#socket.terminate()
  }
}

const begun = (): Measured => ({
  commands: [],
  elsewhere: [],
  nearby: [],
  across: [],
  failed: 0,
  failures: new Map(),
  given: 0,
  seconds: 0,
  cpu: 0,
})

/** Users of every room are on all nodes and draw while commands arrive: an open loop, no back-pressure. */
export const driveCluster = async (nodes: readonly Node[], load: Load): Promise<Measured> => {
  const lean = nodes.map(({ parley, client }) => new LeanClient(parley.origin, client))
  const dialogs = await dialogsOf(nodes, lean, load.rooms)
  const sent = new Sent<number>()
  let measured = begun()
  const editors: Editor[] = []
  for (let n = 0; n < load.editors; n++) {
    const at = Math.floor(n / load.rooms) % nodes.length
    const socket = await join(nodes[at], dialogs[n % load.rooms] ?? '')
    editors.push(new Editor(socket, `n${n}`))
    socket.on('message', (data: Buffer) => {
      if (data[0] !== 0 || data[1] !== 2) return
      const now = performance.now()
      for (const edit of sent.in(data.subarray(2))) {
        const times = edit.who === at ? measured.nearby : measured.across
        times.push(now - edit.at)
      }
    })
  }
  const edit = async (n: number) => {
    const index = n % editors.length
    const update = editors[index]?.draw()
    if (update !== undefined) sent.add(update, performance.now(), Math.floor(index / load.rooms) % nodes.length)
  }
  const command = async (n: number, due: number) => {
    const figures = measured
    try {
      const { status, text } = await of(lean, n).post('/codesample', { name: `sample ${n}` })
      if (status !== 201) throw new Error(`a command was answered ${status} ${JSON.parse(text).code}`)
      const answered = performance.now()
      figures.commands.push(answered - due)
      if (n % LOOKED > 0) return
      if (!(await shows(of(lean, n + 1), `/codesample/${JSON.parse(text).id}`)))
        throw new Error(`what a command made is not shown on another node after ${TIMEOUT_MS / 1000} s`)
      figures.elsewhere.push(performance.now() - answered)
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error)
      figures.failures.set(failure, (figures.failures.get(failure) ?? 0) + 1)
      figures.failed += 1
    }
  }
  const work = (seconds: number) =>
    Promise.all([inTurn(load.commands, seconds, command), inTurn(load.edits, seconds, edit)])

  await work(WARM)
  measured = begun()
  const before = processor(nodes)
  const started = performance.now()
  const [commands, edits] = await work(load.seconds)
  measured.seconds = (performance.now() - started) / 1000
  measured.cpu = processor(nodes) - before
  measured.given = commands + edits
  for (const editor of editors) editor.leave()
  for (const client of lean) client.close()
  return measured
}

const of = <Item>(nodes: readonly Item[], n: number): Item => {
  const node = nodes[n % nodes.length]
  if (node === undefined) throw new RangeError('there are no nodes')
  return node
}

const processor = (nodes: readonly Node[]) => nodes.reduce((sum, { parley }) => sum + processorTime(parley.pid), 0)

const dialogsOf = async (nodes: readonly Node[], lean: readonly LeanClient[], count: number): Promise<string[]> => {
  const { client } = of(nodes, 0)
  const bot = (await client.post('/bot', { name: 'Bench' })).body.id
  const task = (await client.post('/dialogtask', { name: 'Bench', bot })).body.id
  const ids: string[] = []
  while (ids.length < count)
    ids.push((await client.post('/dialog', { name: `Dialog ${ids.length}`, dialogtask: task })).body.id)
  for (const client of lean) for (const id of ids) await shows(client, `/dialog/${id}`)
  return ids
}

const shows = async (client: LeanClient, path: string): Promise<boolean> => {
  const until = performance.now() + TIMEOUT_MS
  while (performance.now() < until) {
    if ((await client.get(path)).status === 200) return true
    await pause(POLL_INTERVAL_MS)
  }
  return false
}

const join = (node: Node | undefined, dialog: string): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    if (node === undefined) throw new RangeError('there are no nodes')
    const url = `${node.parley.origin.replace('http', 'ws')}/botadmin/realtime/dialog-${dialog}?acks=1`
    const headers = { authorization: `Bearer ${node.client.token}` }
    const socket = new WebSocket(url, { headers, perMessageDeflate: false })
    socket.binaryType = 'nodebuffer'
    socket.once('open', () => {
      socket.send(step1Frame(Y.encodeStateVector(new Y.Doc())))
      resolve(socket)
    })
    socket.once('error', reject)
  })

/** Does something so often a second, whether the one before is done or not. @returns how often */
const inTurn = async (
  perSecond: number,
  seconds: number,
  work: (n: number, due: number) => Promise<void>,
): Promise<number> => {
  const total = perSecond * seconds
  const started = performance.now()
  const running = new Set<Promise<void>>()
  for (let n = 0; n < total; n++) {
    const due = started + (n * 1000) / perSecond
    const wait = due - performance.now()
    if (wait > 1) await pause(wait)
    const one = work(n, due).finally(() => running.delete(one))
    running.add(one)
  }
  await Promise.all(running)
  return total
}
