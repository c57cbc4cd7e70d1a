import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Hints } from '#realtime/cluster/hints.ts'
import { openDeskDirectory } from '../agent/desk/desk-directory.ts'
import { openDeskNotices } from '../agent/desk/desk-notices.ts'
import { agentTimeouts, askAgentForBot } from '../agent/open-agents.ts'
import type { OptOuts } from '../campaign/optout/opt-outs.ts'
import { detectTurnOptOut, lateOptOut } from '../campaign/optout/turn-opt-outs.ts'
import { InboxFollowers } from '../channel/exchange/followers.ts'
import { type Exchange, type ExchangeOptions, openExchange } from '../channel/exchange/open-exchange.ts'
import { openHolidays } from '../isolation/open-holidays.ts'
import type { RuntimeParts } from '../parts.ts'
import type { OpenedConversations } from './conversation-port.ts'
import { levelChain } from './effect/global-variables.ts'
import { openExternalServices } from './effect/open-external-services.ts'
import { performEffect } from './effect/perform-effect.ts'
import { openStopSignals } from './effect/stop-signals.ts'
import { turnSettings } from './effect/turn-settings.ts'
import { openMessageCipher } from './engine/message-encryption.ts'
import { type LazyConversations, lazyConversations } from './lazy-conversations.ts'
import { openConversations } from './open-conversations.ts'

const MAX_HELD = 1000
/** Bounds the age of settings data from outside the read models, ms: answers of a model in production. */
const FRESH_MS = 500

/**
 * Caches reads until the read models change: settings are read live at the beginning of each turn (RUNTIME 3), and once
 * for many turns without a change between them.
 */
const openFresh = (read: Pick<ReadModels, 'onApplied'>) => {
  const kept: Map<string, unknown>[] = []
  const stop = read.onApplied(({ touched }) => {
    if (touched.length > 0) for (const held of kept) held.clear()
  })
  const fresh = <T>(readOne: (key: string) => Promise<T>) => {
    const held = new Map<string, { readonly until: number; readonly value: Promise<T> }>()
    kept.push(held)
    return (key: string): Promise<T> => {
      const known = held.get(key)
      if (known !== undefined && known.until > performance.now()) return known.value
      const value = readOne(key)
      if (held.size >= MAX_HELD) held.clear()
      held.set(key, { until: performance.now() + FRESH_MS, value })
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
): ExchangeOptions => ({
  ...{ ...opened, channels: parts.channels, call: parts.call, storage: parts.storage, botLog: parts.botLog },
  watch: parts.channelWatch,
  words: openMessageCipher(parts.keys),
  file: join(opened.place, 'channel.sqlite'),
  node: randomUUID(),
  baseUrl: () => routerUrl(parts),
  failed: error => parts.log.error(error),
  async channelsOf(bot) {
    const filter = { bot, enable: true }
    const { items } = await parts.read.list(SYSTEM_SCOPE, 'channel', { page: 1, size: 100, sort: 'created_at', filter })
    return items.map(({ id, type, name }) => ({ id, type, name: name ?? '' }))
  },
})

export interface ConversationsWithExchange extends LazyConversations {
  exchange(): Promise<Exchange>
  /** The exchange, if there was any conversation. */
  openedExchange(): Exchange | undefined
  /** Readers of the inbox beside the bots, to be added before the first event. */
  readonly followers: InboxFollowers
  /** The log that conversations share with other data under retention; opened on first use. */
  log(): Promise<EventStore>
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
  })
}

/** Settings of turns by the id of a bot and a locale, with a space between them. */
const settingsFor =
  (parts: RuntimeParts, botOf: (id: string) => Promise<RowOf<'bot'> | undefined>) => async (key: string) => {
    const [id = '', locale = ''] = key.split(' ')
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
  optOuts: () => Pick<OptOuts, 'hear' | 'decide'>,
): ConversationsWithExchange => {
  const { read, log } = parts
  const place = join(folder, 'conversations')
  const followers = new InboxFollowers()
  const { fresh, stop } = openFresh(read)
  const botOf = fresh<RowOf<'bot'> | undefined>(id => read.detail(SYSTEM_SCOPE, 'bot', id))
  const settingsOf = fresh(settingsFor(parts, botOf))
  let closing = async (): Promise<void> => undefined
  let opened: { readonly exchange: Exchange; readonly store: EventStore } | undefined
  const open = async () => {
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
      isAlone: !isShared,
      hints,
      releases: parts.releases,
      bot: botOf,
      channel: id => read.detail(SYSTEM_SCOPE, 'channel', id),
      levelsAbove: level => levelChain(read, level),
      settings: (bot, locale) => settingsOf(`${bot.id} ${locale}`),
      perform: (bot, effect, model) =>
        performEffect(effect, { ...outside.of(bot, model), askAgent: askAgentForBot(parts, bot) }),
      agents: { agents: parts.agents, timeouts: agentTimeouts(read), webhook: path => routerUrl(parts) + path },
      desk: {
        directory,
        connect: desk => parts.deskLink.connect(desk),
        channelOf: async bot => {
          const row = await botOf(bot)
          return row && parts.agents.channelOf(row, 'parley')
        },
        notify: openDeskNotices(parts),
      },
      optOut: (held, pending, level) => detectTurnOptOut(optOuts(), held, pending, level),
      lateOptOut: (held, message, level) => lateOptOut(optOuts(), held, message, level),
      ...{ botLog: parts.botLog, files: parts.storage },
      meters: parts.meters,
      failed: error => log.error(error),
      happened: id => opened?.exchange.deliver(id),
    })
    const basis = { store, conversations, place, isAlone: !isShared, followers }
    const exchange = await openExchange(exchangeOf(parts, basis))
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
