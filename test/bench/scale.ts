import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { discard, type ParleyProcess, startParley } from '../api/harness.ts'
import { RemoteDouble } from '../doubles/eventstoredb/remote-double.ts'
import { startNatsServer } from '../doubles/nats-server.ts'
import { makeBuyingBot, startShop, VERIFY_TOKEN } from '../fault/buying-bot.ts'
import { type Figure, rounded } from './figure.ts'
import { processorTime } from './processor-time.ts'

const NODES = [1, 2, 4, 8]
/** Concurrent writers; each leaves after a few turns, below the message limit per person. */
const CONCURRENT = 16
const TURNS_EACH = 6
/** People of each node whose turns are not measured: its code is compiled then. People whose turns are measured. */
const WARM = 48
const PEOPLE = 160
/** Seconds in which idle nodes are measured, so that their share can be left out. */
const IDLE_S = 10
const HOUR_MS = 3_600_000
/** Pause before a message is sent again, ms. */
const AGAIN_MS = 500
const KEY = Buffer.alloc(32, 7).toString('base64')

interface Scale {
  readonly nodes: number
  /** ms of all gateways' processor time for a turn, without what idle gateways take in that time. */
  readonly turn: number
  /** ms of processor time of the double for a turn. */
  readonly store: number
  /** ms of processor time of one idle gateway in a second. */
  readonly idle: number
}

/** P15: processor time of a conversation's turn on 1 to 8 nodes: each node reads what every other one writes. */
export const scale = async (): Promise<readonly Figure[]> => {
  const runs: Scale[] = []
  for (const nodes of NODES) runs.push(await measured(nodes))
  const alone = runs[0]?.turn ?? Number.NaN
  return runs.map(({ nodes, turn, store, idle }) => ({
    id: 'P15',
    what: `a turn with a GET and a POST, REST channel, ${nodes} nodes on the double: processor time of all gateways`,
    measured: `${rounded(turn, 2)} ms, ${rounded(turn / alone, 2)}× (double ${rounded(store, 2)} ms; idle gateway ${rounded(idle)} ms a second)`,
    target: '–',
    met: null,
    detail: { nodes, turn: rounded(turn, 3), store: rounded(store, 3), idle: rounded(idle, 2) },
  }))
}

/** An empty double in a separate process, until `open` is disposed, and the settings of a gateway on it. */
export const openDouble = async (open: AsyncDisposableStack) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  open.defer(() => rmSync(folder, { recursive: true, force: true }))
  const double = await RemoteDouble.start(folder)
  open.defer(() => double.kill())
  return { pid: double.pid, env: { EVENTSTORE_URL: double.url, PARLEY_KEY: KEY, SINGLE_NODE: 'on' } }
}

const measured = async (count: number): Promise<Scale> => {
  await using open = new AsyncDisposableStack()
  const store = await openDouble(open)
  const nats = await startNatsServer()
  open.defer(() => nats.stop())
  return await turnCost(count, { ...store.env, NATS_URL: nats.url }, store.pid)
}

/** Without a store in `env` the gateway has its own. */
export const turnCost = async (count: number, env: Record<string, string>, storePid?: number): Promise<Scale> => {
  await using open = new AsyncDisposableStack()
  const shop = await startShop(0)
  open.defer(() => shop.close())
  const nodes: ParleyProcess[] = []
  while (nodes.length < count) {
    const parley = await startParley({ env: { ...env, ALLOW_PRIVATE_ADDRESSES: 'true' } })
    open.defer(() => discard(parley))
    nodes.push(parley)
  }
  const channel = await restChannel(nodes, shop.url)
  const talk = async (people: number) => {
    let come = 0
    const one = async () => {
      while (come < people) {
        const { origin } = nodes[come++ % nodes.length] as ParleyProcess
        const from = randomUUID()
        for (let n = 0; n < TURNS_EACH; n++) await say(`${origin}/rest/${channel}`, from, String(n))
      }
    }
    await Promise.all(Array.from({ length: CONCURRENT }, one))
  }
  await talk(WARM * count)
  const ofStore = () => (storePid === undefined ? 0 : processorTime(storePid))
  const spent = () => nodes.reduce((sum, { pid }) => sum + processorTime(pid), 0)
  const before = { all: spent(), store: ofStore(), time: performance.now() }
  await talk(PEOPLE)
  const seconds = (performance.now() - before.time) / 1000
  const all = spent() - before.all
  const storeTime = ofStore() - before.store
  await pause(2000)
  const resting = spent()
  await pause(IDLE_S * 1000)
  const idle = (spent() - resting) / IDLE_S
  const turns = PEOPLE * TURNS_EACH
  return { nodes: count, turn: (all - idle * seconds) / turns, store: storeTime / turns, idle: idle / count }
}

/** A REST channel of a started bot, once every node has it. */
const restChannel = async (nodes: readonly ParleyProcess[], shop: string): Promise<string> => {
  const [first] = nodes as readonly [ParleyProcess]
  const admin = await first.signIn()
  const { bot } = (await admin.get(`/channel/${await makeBuyingBot(admin, shop)}`)).body
  // Timers would run turns while idle nodes are measured.
  const setting = `/conversationsetting/conversationsetting-${bot}`
  const { revision } = (await admin.get(setting)).body
  const quiet = await admin.patch(setting, { usertimeout: HOUR_MS, endconversationtimeout: HOUR_MS }, revision)
  if (quiet.status !== 200) throw new Error(quiet.text)
  const made = await admin.post('/channel', { bot, type: 'rest', name: 'REST', channel_verify_token: VERIFY_TOKEN })
  if (made.status !== 201) throw new Error(made.text)
  for (const node of nodes) {
    const there = await node.signIn()
    while ((await there.get(`/channel/${made.body.id}`)).status !== 200) await pause(50)
  }
  return made.body.id
}

/** One message; its answer comes when the turn is done. It is sent again while the store is too slow for its deadline. */
const say = async (url: string, from: string, text: string): Promise<void> => {
  const message = {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${VERIFY_TOKEN}` },
    body: JSON.stringify({ id: randomUUID(), from, text }),
  }
  for (;;) {
    const answer = await fetch(url, message)
    const body = await answer.text()
    if (answer.ok) return
    if (answer.status !== 503) throw new Error(`${answer.status} ${body}`)
    await pause(AGAIN_MS)
  }
}
