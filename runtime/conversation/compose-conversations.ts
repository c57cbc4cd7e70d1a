import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Hints } from '#realtime/cluster/hints.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { openDeskDirectory } from '../agent/desk/desk-directory.ts'
import { openDeskNotices } from '../agent/desk/desk-notices.ts'
import type { OwnDesk } from '../agent/desk/own-desk.ts'
import { agentTimeouts, askAgentForBot } from '../agent/open-agents.ts'
import { openAgentFiles } from '../agent/session/agent-files.ts'
import { detectTurnOptOut, lateOptOut, type OptOuts } from '../campaign/optout/opt-outs.ts'
import { restrictionFollower } from '../channel/exchange/channel-health.ts'
import { InboxFollowers } from '../channel/exchange/inbox.ts'
import type { Exchange, ExchangeOptions } from '../channel/exchange/open-exchange.ts'
import { openPersonTemplates } from '../channel/template/person-template.ts'
import { openHolidays } from '../isolation/pooled-work.ts'
import type { RuntimeParts } from '../parts.ts'
import type { Conversations } from '../port.ts'
import { isStarted } from '../release/releases.ts'
import type { OpenedConversations } from './conversation-port.ts'
import { type Outside, openExternalServices, performEffect } from './effect/perform-effect.ts'
import { levelChain, turnSettings } from './effect/turn-settings.ts'
import { openMessageCipher } from './engine/folded-conversation.ts'

/** Signals that abort the work of a bot when it is stopped or removed. */
const openStopSignals = (read: Pick<ReadModels, 'onTouched' | 'detail'>) => {
  const running = new Map<string, AbortController>()
  const check = async (id: string) => {
    const controller = running.get(id)
    if (controller === undefined || isStarted(await read.detail(SYSTEM_SCOPE, 'bot', id))) return
    running.delete(id)
    controller.abort()
  }
  const close = read.onTouched(['bot'], touched => {
    for (const { id } of touched) void check(id).catch(() => undefined)
  })
  return {
    of(bot: RowOf<'bot'>): AbortSignal {
      if (!isStarted(bot)) return AbortSignal.abort()
      const controller = running.get(bot.id) ?? new AbortController()
      running.set(bot.id, controller)
      return controller.signal
    },
    close,
  }
}

/** Conversations whose log is opened with the first one, or at once if some exist: an open log occupies threads. */
export interface LazyConversations extends Conversations {
  /** Undefined before the first conversation. */
  opened(): Promise<OpenedConversations | undefined>
  /** Opens the log if it is not open. */
  begun(): Promise<OpenedConversations>
  /** Retries a log that could not be opened; then as the opened ones do. */
  mend(bot: string): Promise<number>
  /** As the opened ones do. Opens the log. */
  desk(): Promise<OwnDesk | undefined>
  inboxAge(): Promise<number>
  turnsWaiting(): number
  /** As the opened ones do. Opens the log: another node may have begun conversations. */
  mayHoldFiles(conversation: string): Promise<boolean>
  /** As the opened ones do; nothing before the first conversation. */
  sweep(): Promise<number>
  recount: OpenedConversations['recount']
  removeOf(bot: string): Promise<number>
  close(): Promise<void>
}

const lazyConversations = (
  hasSome: boolean,
  open: () => Promise<OpenedConversations>,
  close: () => Promise<void>,
): LazyConversations => {
  let opening: Promise<OpenedConversations> | undefined = hasSome ? open() : undefined
  let held: OpenedConversations | undefined
  const begun = (): Promise<OpenedConversations> => {
    opening ??= open()
    return opening.then(conversations => {
      held = conversations
      return conversations
    })
  }
  const opened = async () => (opening === undefined ? undefined : begun())
  // Only prevents an unhandled rejection: the first caller receives the error.
  opening?.then(
    conversations => {
      held = conversations
    },
    () => undefined,
  )
  const reopen = () => {
    opening = opening?.catch(open)
    return opened()
  }
  return {
    opened,
    begun,
    mayHoldFiles: async id => (await begun()).mayHoldFiles(id),
    inboxAge: async () => (await held?.inboxAge()) ?? 0,
    turnsWaiting: () => held?.turnsWaiting() ?? 0,
    sweep: async () => (await opened())?.sweep() ?? 0,
    recount: async (store, node) => (await opened())?.recount(store, node),
    removeOf: async bot => (await opened())?.removeOf(bot) ?? 0,
    mend: async bot => (await reopen())?.mend(bot) ?? 0,
    open: async asked => (await begun()).open(asked),
    openFor: async (asked, id) => (await begun()).openFor(asked, id),
    accept: async (id, message) => (await opened())?.accept(id, message) ?? refused('entity.notfound'),
    read: async (id, after, size) => (await opened())?.read(id, after, size),
    newest: async (id, count) => (await opened())?.newest(id, count),
    settled: async (id, ms) => (await opened())?.settled(id, ms) ?? true,
    follow: (id, listener) => held?.follow(id, listener) ?? (() => undefined),
    personTypes: id => held?.personTypes?.(id),
    owner: async id => (await opened())?.owner(id),
    live: async (channel, user) => (await opened())?.live(channel, user),
    end: async (id, reason) => (await opened())?.end(id, reason) ?? accepted({}),
    records: async () => (await opened())?.records(),
    agents: async () => (await opened())?.agents(),
    desk: async () => (await begun()).desk(),
    forget: async id => (await opened())?.forget(id) ?? refused('entity.notfound'),
    async close() {
      await opened().catch(() => undefined)
      await close()
    },
  }
}

const MAX_HELD = 1000
/** Bounds the age of settings, ms: the answers of a model in production are not in the read models. */
const FRESH_MS = 500

/**
 * Caches reads until the read models change: settings are read live at the beginning of each turn, and once
 * for many turns without a change between them.
 */
const openFresh = (read: Pick<ReadModels, 'onApplied'>) => {
  const kept: Map<string, unknown>[] = []
  const stop = read.onApplied(({ touched }) => {
    if (touched.length > 0) for (const held of kept) held.clear()
  })
  const fresh = <T>(readOne: (key: string) => Promise<T>, ms = Number.POSITIVE_INFINITY) => {
    const held = new Map<string, { readonly until: number; readonly value: Promise<T> }>()
    kept.push(held)
    return (key: string): Promise<T> => {
      const known = held.get(key)
      if (known !== undefined && known.until > performance.now()) return known.value
      const value = readOne(key)
      if (held.size >= MAX_HELD) held.clear()
      held.set(key, { until: performance.now() + ms, value })
      value.catch(() => held.delete(key))
      return value
    }
  }
  return { fresh, stop }
}

const routerUrl = ({ settings, publicUrl }: RuntimeParts): string => settings.BOT_ROUTER_URL ?? publicUrl()

/** Exchange of conversations with providers, over the same store. */
const exchangeOf = (
  parts: RuntimeParts,
  opened: {
    readonly store: EventStore
    readonly conversations: OpenedConversations
    readonly place: string
    readonly isAlone: boolean
    readonly followers: InboxFollowers
  },
  optOuts: () => Pick<OptOuts, 'isStopped'>,
): ExchangeOptions => ({
  ...{ ...opened, channels: parts.channels, call: parts.call, storage: parts.storage, botLog: parts.botLog },
  ...{ watch: parts.channelWatch, tracer: parts.tracer, meters: parts.meters },
  words: openMessageCipher(parts.keys),
  file: join(opened.place, 'channel.sqlite'),
  node: randomUUID(),
  baseUrl: () => routerUrl(parts),
  failed: error => parts.log.error(error),
  sendTemplate: openPersonTemplates({
    ...{ commands: parts.commands, senders: parts.senders },
    async isStopped({ bot }, phone, category) {
      const level = (await parts.read.detail(SYSTEM_SCOPE, 'bot', bot))?.hierarchylevel ?? null
      return optOuts().isStopped(level, { phone }, category)
    },
  }),
  async channelsOf(bot) {
    const filter = { bot, enable: true }
    const { items } = await parts.read.list(SYSTEM_SCOPE, 'channel', { page: 1, size: 100, sort: 'created_at', filter })
    return items.map(({ id, type, name }) => ({ id, type, name: name ?? '' }))
  },
})

export interface ConversationsWithExchange extends LazyConversations {
  exchange(): Promise<Exchange>
  /** The exchange; undefined while the log of conversations is not open. */
  openedExchange(): Exchange | undefined
  /** Readers of the inbox beside the bots, to be added before the first event. */
  readonly followers: InboxFollowers
  /** The log that conversations share with other data under retention; opened on first use. */
  log(): Promise<EventStore>
  /** That log where it is open already; undefined before the first conversation. */
  openedLog(): Promise<EventStore | undefined>
}

/** Opens the exchange with providers together with the conversations, and includes it in their sweep. */
const withExchange = (
  lazy: LazyConversations,
  opened: () => { readonly exchange: Exchange; readonly store: EventStore } | undefined,
  followers: InboxFollowers,
): ConversationsWithExchange => {
  const { sweep } = lazy
  const begun = async () => {
    await lazy.begun()
    const both = opened()
    if (both === undefined) throw new Error('the log of conversations is not open')
    return both
  }
  return Object.assign(lazy, {
    sweep: async () => (await sweep()) + ((await opened()?.exchange.sweep()) ?? 0),
    exchange: async () => (await begun()).exchange,
    openedExchange: () => opened()?.exchange,
    followers,
    log: async () => (await begun()).store,
    openedLog: async () => ((await lazy.opened()) === undefined ? undefined : opened()?.store),
  })
}

/** Settings of turns by the id of a bot and a locale, with a space between them. */
const settingsFor =
  (parts: RuntimeParts, botOf: (id: string) => Promise<RowOf<'bot'> | undefined>) => async (key: string) => {
    const [id = '', locale = ''] = key.split(' ')
    parts.tracer?.current().set({ 'parley.cached': false })
    const row = await botOf(id)
    if (row === undefined) throw new Error(`bot ${id} is gone`)
    return turnSettings(parts, row, locale)
  }

/**
 * The conversations of a gateway. Embedded, their log is a separate store in the data folder; on a shared store it is
 * streams beside the console's (docs/adr/0022).
 */
export const composeConversations = (
  parts: RuntimeParts,
  folder: string,
  hints: Hints,
  isShared: boolean,
  /** Hears opt-outs; opened after the conversations, whose log audiences share. */
  optOuts: () => Pick<OptOuts, 'hear' | 'decide' | 'isStopped'>,
): ConversationsWithExchange => {
  const { read, log } = parts
  const place = join(folder, 'conversations')
  const followers = new InboxFollowers()
  followers.add(restrictionFollower({ ...parts, watch: parts.channelWatch }))
  const { fresh, stop } = openFresh(read)
  const botOf = fresh<RowOf<'bot'> | undefined>(id => read.detail(SYSTEM_SCOPE, 'bot', id))
  const settingsOf = fresh(settingsFor(parts, botOf), FRESH_MS)
  let closing = async (): Promise<void> => undefined
  let opened: { readonly exchange: Exchange; readonly store: EventStore } | undefined
  const open = async () => {
    // Loaded with the first conversation, not at each start.
    const [{ openConversations }, { openExchange }] = await Promise.all([
      import('./open-conversations.ts'),
      import('../channel/exchange/open-exchange.ts'),
    ])
    mkdirSync(place, { recursive: true, mode: 0o700 })
    const store = isShared ? parts.store : await openEmbeddedStore({ folder: place, log: line => log.warn(line) })
    parts.readiness.watch(store)
    const stops = openStopSignals(read)
    const outside = openExternalServices(parts, stops.of)
    const directory = openDeskDirectory(read, openHolidays(parts.work))
    const conversations = await openConversations({
      store,
      keys: parts.keys,
      file: join(place, 'index.sqlite'),
      metricsFile: join(place, 'metrics.sqlite'),
      isAlone: !isShared,
      hints,
      releases: parts.releases,
      bot: botOf,
      channel: fresh<RowOf<'channel'> | undefined>(id => read.detail(SYSTEM_SCOPE, 'channel', id)),
      levelsAbove: level => levelChain(read, level),
      settings: (bot, locale) => settingsOf(`${bot.id} ${locale}`),
      perform: async (bot, effect, model) => {
        const askAgent: Outside['askAgent'] = asked => askAgentForBot(parts, bot)(asked)
        const answer = await performEffect(effect, { ...outside.of(bot, model), askAgent })
        parts.meters?.performed(answer)
        return answer
      },
      agents: {
        agents: parts.agents,
        timeouts: agentTimeouts(read),
        webhook: path => routerUrl(parts) + path,
        keepFiles: openAgentFiles({
          ...{ agents: parts.agents, storage: parts.storage },
          ...{ baseUrl: () => routerUrl(parts), failed: error => log.error(error) },
        }),
      },
      desk: {
        directory,
        connect: desk => parts.deskLink.connect(desk),
        channelOf: async bot => {
          const filter = { bot, type: 'parley', enable: true }
          const query = { page: 1, size: 1, sort: 'created_at', filter }
          return (await read.list(SYSTEM_SCOPE, 'agentchannel', query)).items[0]?.id
        },
        notify: openDeskNotices(parts),
      },
      optOut: (held, pending, level) => detectTurnOptOut(optOuts(), held, pending, level),
      lateOptOut: (held, message, level) => lateOptOut(optOuts(), held, message, level),
      ...{ botLog: parts.botLog, files: parts.storage },
      ...{ meters: parts.meters, tracer: parts.tracer },
      failed: error => log.error(error),
      happened: id => opened?.exchange.deliver(id),
      agentTypes: id => opened?.exchange.showTyping(id),
    })
    const basis = { store, conversations, place, isAlone: !isShared, followers }
    const exchange = await openExchange(exchangeOf(parts, basis, optOuts))
    opened = { exchange, store }
    closing = async () => {
      await exchange.close()
      await conversations.close()
      stops.close()
      directory.close()
      stop()
      if (!isShared) await store.close()
    }
    return conversations
  }
  const lazy = lazyConversations(isShared || existsSync(place), open, () => closing())
  return withExchange(lazy, () => opened, followers)
}
