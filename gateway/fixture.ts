import { hash } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Command, Outcome } from '#commands/port.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Access, ReadModels } from '#projections/port.ts'
import type { Rooms } from '#realtime/port.ts'
import { DeskLink } from '#runtime/agent/desk/desk-port.ts'
import { ChannelWatch } from '#runtime/channel/open-channels.ts'
import { openPool } from '#runtime/isolation/pool.ts'
import { createCall } from '#runtime/outbound/call.ts'
import type { Conversations } from '#runtime/port.ts'
import type { BotLogEntry } from '#runtime/service/bot-log.ts'
import type { FileStorage } from '#runtime/storage/storage-port.ts'
import { Sessions } from './http/guard.ts'
import { RateLimits } from './http/rate-limit.ts'
import { buildServer } from './http/server.ts'
import { openMetrics } from './metrics.ts'
import type { Authentication, Parts } from './port.ts'
import { Readiness } from './readiness.ts'
import type { Flows } from './server-parts.ts'
import { readSettings } from './settings.ts'

export const ACCESS: Access = {
  user: 'u1',
  session: 's1',
  username: 'ana',
  home: 'root',
  level: 'root',
  permissions: new Set(['readcodesample', 'createcodesample', 'updatecodesample', 'deletecodesample', 'readaudit']),
  started: '2026-01-01T00:00:00.000Z',
  expires: '2999-01-01T00:00:00.000Z',
  way: 'password',
}

export interface Bench {
  readonly app: FastifyInstance
  readonly parts: Parts
  readonly commands: Command[]
  /** Lines for the logs of bots. */
  readonly logged: BotLogEntry[]
}

const unasked = (name: string) => () => {
  throw new Error(`${name} is not part of this test`)
}
const only = <T extends object>(name: string, members: Partial<T>): T =>
  new Proxy(members, {
    get: (target, key) => Reflect.get(target, key) ?? unasked(`${name}.${String(key)}`),
  }) as T

interface BenchOptions {
  readonly outcome?: Outcome | (() => Promise<Outcome>)
  readonly read?: Partial<ReadModels>
  readonly access?: Partial<Access>
  readonly settings?: Readonly<Record<string, string>>
  readonly storage?: FileStorage
  readonly openFields?: Parts['commands']['openFields']
  readonly conversations?: Conversations
}

/** Read models that answer for one session what a test says. */
const readModels = (given: Pick<BenchOptions, 'read' | 'access'>): ReadModels =>
  only<ReadModels>('read', {
    onApplied: () => () => undefined,
    onTouched: () => () => undefined,
    access: () => ({ ...ACCESS, ...given.access }),
    levels: async () => [{ id: 'root', name: 'Root', parent: null }],
    detail: async () => undefined,
    reached: async () => true,
    status: () => ({ position: '1', behind: 0, lateWaits: 0, ready: true }),
    ...given.read,
  })

/** Logs of bots that keep what is written to them. */
const botLogs = (logged: BotLogEntry[]): Pick<Parts, 'botLog' | 'botLogs'> => ({
  botLog: only<Parts['botLog']>('botLog', { log: entry => void logged.push(entry) }),
  botLogs: only<Parts['botLogs']>('botLogs', {}),
})

/** A node without others. */
const aloneNode = (): Pick<Parts, 'rates' | 'questions' | 'tokenUses'> => ({
  tokenUses: { used: () => undefined },
  rates: new RateLimits(),
  questions: { node: 'n1', answer: () => undefined, askNode: async () => undefined },
})

/** The HTTP side alone, with a session `token`, and everything behind it replaced by what a test says. */
export const openBench = async (given: BenchOptions): Promise<Bench> => {
  const [commands, logged]: [Command[], BotLogEntry[]] = [[], []]
  const outcome = given.outcome ?? { ok: true, id: 'c1', revision: 1, position: '1' }
  const handler = only<Parts['commands']>('commands', {
    ...(given.openFields === undefined ? {} : { openFields: given.openFields }),
    once: (_asked, execute) => execute('seed', false),
    async execute(command) {
      commands.push(command)
      return typeof outcome === 'function' ? outcome() : outcome
    },
  })
  const read = readModels(given)
  const authentication: Authentication = {
    people: { issueReset: async () => undefined },
    session: async token => (token === 'token' ? { ...ACCESS, ...given.access } : undefined),
    token: async () => undefined,
    ticket: async () => undefined,
    routes: async () => undefined,
    pages: () => undefined,
  }
  const settings = readSettings(given.settings ?? {})
  const parts: Parts = {
    settings,
    log: Fastify().log,
    store: only<EventStore>('store', {}),
    keys: only<Parts['keys']>('keys', { index: { hmac: text => hash('sha256', `key ${text}`) } }),
    commands: handler,
    lookup: only<Parts['lookup']>('lookup', {}),
    read,
    readiness: new Readiness(read, { unready: () => undefined }, { reason: () => undefined }),
    record: {
      read: async () => undefined,
      personalSent: async () => undefined,
      exported: async () => '1',
      ...{
        forgotten: async () => '',
        contactForgotten: async () => '',
        contactsActed: async () => '',
        suppressionChanged: async () => '',
      },
      deskActed: async () => '',
      seen: async () => '1',
    },
    trust: only<Parts['trust']>('trust', {}),
    storage: given.storage ?? only<FileStorage>('storage', {}),
    metrics: openMetrics(),
    ...aloneNode(),
    call: createCall({ allowPrivate: settings.ALLOW_PRIVATE_ADDRESSES }),
    releases: only<Parts['releases']>('releases', { made: async () => undefined }),
    nlu: only<Parts['nlu']>('nlu', {}),
    ml: only<Parts['ml']>('ml', {}),
    agents: only<Parts['agents']>('agents', {}),
    deskLink: new DeskLink(),
    submissions: only<Parts['submissions']>('submissions', {}),
    ...{ senders: only<Parts['senders']>('senders', {}), mediaSignature: text => hash('sha256', `key ${text}`) },
    ...{ channels: only<Parts['channels']>('channels', {}), channelWatch: new ChannelWatch(), work: openPool(1) },
    simulated: only<Parts['simulated']>('simulated', {}),
    tests: only<Parts['tests']>('tests', {}),
    ...botLogs(logged),
    publicUrl: () => 'http://127.0.0.1:3000',
  }
  const rooms = only<Rooms>('rooms', { present: () => [] })
  const sessions = new Sessions(read, authentication)
  const app = await buildServer({
    parts,
    authentication,
    sessions,
    rooms,
    flows: only<Flows>('flows', {}),
    ...(given.conversations === undefined ? {} : { conversations: given.conversations }),
  })
  return { app, parts, commands, logged }
}
