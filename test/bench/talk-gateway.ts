import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import WebSocket from 'ws'
import { discard, startParley } from '../api/harness.ts'
import { makeBuyingBot, VERIFY_TOKEN } from '../fault/buying-bot.ts'
import { quantile } from './figure.ts'
import { bundled } from './start.ts'

const OPENINGS = 200
const WARM_UP = 20
const CONCURRENT = 20
const IDLE_MS = 30_000
/** Addresses that chats come from: one address has a limit. */
const SOURCES = 8
const TICKS_PER_SECOND = 100

interface Opened {
  readonly token: string
  readonly stream: string
  readonly messages: readonly object[]
}

/** Seconds of processor that a process has had. */
const processorOf = (pid: number): number => {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11, 13).map(Number)
  return ((user ?? 0) + (system ?? 0)) / TICKS_PER_SECOND
}

const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024

/** No limit is met: ten thousand chats begin at once. */
const NO_LIMITS = {
  LIMIT_REQUESTS: '100000',
  LIMIT_CONVERSATIONS_BOT: '1000000',
  LIMIT_CONVERSATIONS_NODE: '1000000',
  LIMIT_READS_BOT: '100000000',
  LIMIT_READS_NODE: '100000000',
}

/** A gateway with a started bot and its web chat. */
export const openGateway = async () => {
  const parley = await startParley({ ...bundled(), env: { ALLOW_PRIVATE_ADDRESSES: 'true', ...NO_LIMITS } })
  const admin = await parley.signIn()
  const channel = await makeBuyingBot(admin, 'http://127.0.0.1:9')
  const { bot } = (await admin.get(`/channel/${channel}`)).body
  const [setting = { id: '' }] = (await admin.get(`/conversationsetting?bot=${bot}`)).body.items
  // Chats without reminders and timeouts: only their being open is measured.
  const set = await admin.patch(`/conversationsetting/${setting.id}`, { usertimeout: 0, endconversationtimeout: 0 }, 0)
  if (set.status !== 200) throw new Error(set.text)
  const open = async (): Promise<Opened> => {
    const answer = await fetch(`${parley.origin}/chat/${channel}/conversations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: VERIFY_TOKEN, user: { id: crypto.randomUUID() } }),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as Opened
  }
  const follow = async (n: number): Promise<WebSocket> => {
    const { token, stream } = await open()
    const localAddress = `127.0.0.${1 + (n % SOURCES)}`
    const url = `${parley.origin.replace(/^http/, 'ws')}${new URL(stream).pathname}?after=`
    const socket = new WebSocket(url, ['parley.chat.v1', token], { localAddress, perMessageDeflate: false })
    await new Promise((done, failed) => socket.once('message', done).once('error', failed).once('close', failed))
    return socket
  }
  return {
    /** p95 from opening a chat to the bot's first message, ms. */
    async firstMessage(): Promise<number> {
      const times: number[] = []
      for (let n = 0; n < WARM_UP + OPENINGS; n++) {
        const began = performance.now()
        const { messages } = await open()
        if (messages.length === 0) throw new Error('the bot has said nothing')
        if (n >= WARM_UP) times.push(performance.now() - began)
      }
      return quantile(times, 0.95)
    },
    /** Memory in MB and share of a processor in percent while so many chats are open and nobody says a word. */
    async openChats(count: number) {
      const sockets: WebSocket[] = []
      for (let first = 0; first < count; first += CONCURRENT) {
        const more = Array.from({ length: Math.min(CONCURRENT, count - first) }, (_, n) => follow(first + n))
        sockets.push(...(await Promise.all(more)))
      }
      await pause(5000)
      const before = processorOf(parley.pid)
      await pause(IDLE_MS)
      const processor = ((processorOf(parley.pid) - before) / (IDLE_MS / 1000)) * 100
      const megabytes = Math.round(memoryOf(parley.pid))
      for (const socket of sockets) socket.terminate()
      return { megabytes, processor }
    },
    close: () => discard(parley),
  }
}
