import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { plainKeys } from '#commands/fixture/plain-keys.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore, Subscription } from '#commands/store/port.ts'
import type { Effect, EffectAnswer } from '#domain/conversation/effect.ts'
import { type DialogSketch, evaluated, releaseOf, settingsWith } from '#domain/conversation/fixture/talk.ts'
import type { Release, TurnSettings } from '#domain/conversation/release.ts'
import type { Agents } from '#runtime/agent/open-agents.ts'
import type { AgentTimeouts } from '#runtime/agent/session/agent-session.ts'
import type { OpenConversations, OpenedConversations } from '#runtime/conversation/conversation-port.ts'
import type { HeartbeatBus } from '#runtime/conversation/index/node-heartbeat.ts'
import { openConversations } from '#runtime/conversation/open-conversations.ts'
import type { RowOf } from '#schemas/row.ts'
import { rowOf } from '../fixture/row-of.ts'

/** Shared by the nodes of a test: log, keys, bot and recorded calls. */
export interface World {
  readonly store: EventStore
  readonly calls: { readonly key: string; readonly method: string }[]
  bot: RowOf<'bot'>
  now: number
  /** Of chats with agents, ms. */
  timeouts: AgentTimeouts
  /** Turns of a part, for nodes that are opened from now on. */
  partTurns: number | undefined
  /** Of conversations that are opened from now on. */
  channelType: RowOf<'channel'>['type']
  /** Whether the channel stores messages of conversations that are opened from now on. */
  storesMessages: boolean
  /** Whether Meta lets agents of the channel write for seven days. */
  hasHumanAgent: boolean
  /** Another release of the bot, with this dialog. */
  publish(dialog: DialogSketch): void
  /** An operation on the bot in the console. */
  operate(fields: Partial<RowOf<'bot'>>): void
  /** Another gateway on the same log. */
  node(options?: NodeOptions): Promise<OpenedConversations>
  /** Nothing that this node does from now on reaches the log. */
  kill(node: OpenedConversations): void
  close(): Promise<void>
}

export interface NodeOptions {
  readonly name?: string
  readonly store?: EventStore
  readonly rest?: (effect: Extract<Effect, { kind: 'rest' }>) => Promise<EffectAnswer>
  readonly isAlone?: boolean
  readonly hints?: HeartbeatBus
  /** Its agent systems; without them, nobody takes a chat over. */
  readonly agents?: Agents
  /** In place of what answers calls here. */
  readonly perform?: (effect: Effect) => Promise<EffectAnswer>
  readonly botLog?: OpenConversations['botLog']
  readonly meters?: OpenConversations['meters']
  readonly files?: OpenConversations['files']
  readonly optOut?: OpenConversations['optOut']
  readonly lateOptOut?: OpenConversations['lateOptOut']
  readonly desk?: OpenConversations['desk']
  /** In place of the clock of the world. */
  readonly past?: Pick<OpenConversations, 'now' | 'newId' | 'driven'> | undefined
  /** Stops at some point, like a killed node: it is not closed, and its faults are not thrown. */
  readonly dies?: boolean
  /** Begins with the read models of this node, and not with empty ones. */
  readonly like?: OpenedConversations | undefined
  /** Called with its faults where it dies. */
  readonly failed?: (error: unknown) => void
}

const NO_AGENTS: Agents = {
  channelOf: async () => undefined,
  open: async () => undefined,
  check: async () => undefined,
}

/** A store as a node sees it: once the node is dead, it writes nothing, and hears of nothing. */
const mortal = (store: EventStore): { readonly store: EventStore; die(): void } => {
  const subscriptions = new Set<Subscription>()
  let isDead = false
  const ofNode: Partial<EventStore> = {
    append: (...given) => (isDead ? new Promise(() => undefined) : store.append(...given)),
    subscribe: (...given) => {
      if (isDead) return { stop: async () => undefined }
      const subscription = store.subscribe(...given)
      subscriptions.add(subscription)
      return subscription
    },
  }
  return {
    store: new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(ofNode, name) ?? Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    }),
    die() {
      isDead = true
      for (const subscription of subscriptions) void subscription.stop()
    },
  }
}

/** Copies the read model of a living node, as of its last commit. */
const copyModel = (from: string, to: string): void => {
  const database = new DatabaseSync(from, { readOnly: true })
  database.prepare('VACUUM INTO ?').run(to)
  database.close()
}

/** A bot with one dialog, and nodes that hold its conversations over one embedded store. */
export const openWorld = async (
  dialog: DialogSketch,
  settings: Partial<TurnSettings> = {},
  release: Release = releaseOf({ main: dialog }),
  openStore: (folder: string) => Promise<EventStore> = folder => openEmbeddedStore({ folder }),
): Promise<World> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-talk-'))
  const store = await openStore(folder)
  const keys = plainKeys()
  const forgotten = new Set<string>()
  const releases = [release]
  const releaseNumber = (number: number) => {
    const release = releases[number - 1]
    if (release === undefined) throw new Error(`no release ${number}`)
    return release
  }
  const opened: OpenedConversations[] = []
  const held = new Map<OpenedConversations, { readonly die: () => void; readonly models: readonly string[] }>()
  let nodes = 0
  let isClosed = false
  const world: World = {
    store,
    calls: [],
    bot: rowOf('bot', 'bot', { runningstatus: 'running' }),
    now: Date.parse('2026-05-05T13:00:00Z'),
    timeouts: { connect: 120_000, inactive: 120_000, user: 300_000 },
    partTurns: undefined,
    channelType: 'webchat',
    storesMessages: true,
    hasHumanAgent: false,
    kill(node) {
      held.get(node)?.die()
      held.delete(node)
    },
    publish(changed) {
      releases.push(releaseOf({ main: changed }))
    },
    operate(fields) {
      world.bot = rowOf('bot', 'bot', { ...world.bot, ...fields })
    },
    async node({
      name,
      store: own = store,
      rest,
      isAlone = false,
      dies = false,
      hints,
      perform: given,
      agents,
      botLog,
      meters,
      files,
      optOut,
      lateOptOut,
      desk,
      past,
      failed,
      like,
    } = {}) {
      nodes += 1
      const models = ['index', 'metrics'].map(name => join(folder, `${name}-${nodes}.sqlite`))
      const [file = '', metricsFile = ''] = models
      const copied = like === undefined ? undefined : held.get(like)?.models
      for (const [place, model] of copied?.entries() ?? []) copyModel(model, models[place] ?? '')
      const perform = async (effect: Effect): Promise<EffectAnswer> => {
        if (effect.kind === 'evaluate') {
          const values = await Promise.all(effect.jobs.map(job => evaluated(job, effect.context)))
          return { kind: 'evaluate', ms: 0, values }
        }
        if (effect.kind === 'agent' && agents !== undefined) return { kind: 'agent', ms: 0, ok: true, channel: 'desk' }
        if (effect.kind !== 'rest') throw new Error(`nobody answers ${effect.kind}`)
        world.calls.push({ key: effect.key, method: String(effect.properties.methodType) })
        return rest?.(effect) ?? { kind: 'rest', ms: 1, ok: true, status: 200, body: { code: 'A1' } }
      }
      const { store: seen, die } = mortal(own)
      const conversations: OpenedConversations = await openConversations({
        store: seen,
        keys: {
          personal: {
            ...keys.personal,
            forget: async user => {
              forgotten.add(user)
              keys.forget(user)
            },
            forgotten: () => forgotten,
          },
          index: { hmac: text => String(keys.index.hmac(text)) },
        },
        file,
        metricsFile,
        isAlone,
        ...(world.partTurns === undefined ? {} : { partTurns: world.partTurns }),
        ...(hints === undefined ? {} : { hints }),
        ...(botLog === undefined ? {} : { botLog }),
        meters,
        ...(files === undefined ? {} : { files }),
        ...(optOut === undefined ? {} : { optOut }),
        ...(lateOptOut === undefined ? {} : { lateOptOut }),
        ...(desk === undefined ? {} : { desk }),
        node: name ?? `node ${nodes}`,
        releases: {
          newest: async bot => ({ bot, number: releases.length, hash: 'h', dialogs: {}, handlers: {}, nlumodel: null }),
          at: async () => releases.length,
          compiled: async (_, number) => releaseNumber(number),
          made: async () => undefined,
        },
        bot: async () => world.bot,
        channel: async id =>
          rowOf('channel', id, {
            ...{ bot: 'bot', type: world.channelType, store_message: world.storesMessages },
            human_agent: world.hasHumanAgent,
          }),
        settings: async () => settingsWith(settings),
        levelsAbove: async level => [level],
        agents: {
          agents: agents ?? NO_AGENTS,
          timeouts: async () => world.timeouts,
          webhook: path => `http://bots.example${path}`,
        },
        perform: async (_, effect) => (given ?? perform)(effect),
        failed: error => {
          // A turn that still waits for a call renews its claim, and finds the store closed.
          if (!dies && failed === undefined && !isClosed) throw error
          failed?.(error)
        },
        now: () => world.now,
        ...past,
      })
      held.set(conversations, { die, models })
      if (!dies) opened.push(conversations)
      return conversations
    },
    async close() {
      for (const conversations of opened) await conversations.close().catch(() => undefined)
      isClosed = true
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return world
}

/** Opens a conversation; returns its id. */
export const begin = async (on: OpenedConversations, user = 'ana'): Promise<string> => {
  const opened = await on.open({ channel: 'web', user: { id: user }, begins: true })
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal))
  await on.settled(opened.value.conversation, 10_000)
  return opened.value.conversation
}

export const say = async (on: OpenedConversations, conversation: string, text: string, id: string = randomUUID()) => {
  const taken = await on.accept(conversation, { id, type: 'text', text })
  await on.settled(conversation, 10_000)
  return taken
}

/** Its messages, each with its sender. */
export const talkOf = async (on: OpenedConversations, conversation: string): Promise<readonly string[]> => {
  const page = await on.read(conversation, '', 1000)
  return (page?.messages ?? []).map(({ from, text }) => `${from}: ${String(text)}`)
}

/** A store that delivers no new events: the index of its node stays as it is. */
export const withoutEvents = (store: EventStore): EventStore =>
  new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name === 'subscribe')
        return (after: string, handlers: Parameters<EventStore['subscribe']>[1], filter?: never) =>
          target.subscribe(after, { ...handlers, event: () => undefined }, filter)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
