import { randomUUID } from 'node:crypto'
import { maskedHolder } from '#commands/keys/secret.ts'
import { START } from '#commands/store/port.ts'
import type { Effect, EffectAnswer } from '#domain/conversation/effect.ts'
import type { TurnResult } from '#domain/conversation/run-turn.ts'
import { METRICS_VERSION } from '#domain/metrics/contribution.ts'
import type { RowOf } from '#projections/port.ts'
import type { StoredEvent } from '#schemas/event.ts'
import {
  CONVERSATION_DAY_PREFIX,
  CONVERSATION_PREFIX,
  conversationPart,
  conversationStream,
} from '#schemas/events/conversation.ts'
import { DESK_PLACE_PREFIX } from '#schemas/events/desk.ts'
import { botLanguage } from '#schemas/language.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { OwnDesk } from '../agent/desk/own-desk.ts'
import { AgentSessionManager } from '../agent/session/agent-session-manager.ts'
import { MetricIndex } from '../metrics/metric-index.ts'
import { recountNightly } from '../metrics/recount.ts'
import type { ChatPage, ConversationNotification, Conversations, SentMessage } from '../port.ts'
import { isStarted } from '../release/releases.ts'
import type { OpenConversations, OpenedConversations } from './conversation-port.ts'
import { type Fact, messageFact, PART_TURNS, turnEntries, turnResult } from './engine/conversation-facts.ts'
import { ConversationEngine, type TurnDependencies } from './engine/engine.ts'
import { type FoldedConversation, linkOf, openMessageCipher, type Words } from './engine/folded-conversation.ts'
import {
  askLinkedBot,
  type LinkedBots,
  type LinkedChannel,
  linkedChannel,
  linkedIds,
  linkedSettings,
} from './engine/linked-bot.ts'
import { mayBePressed, openMoves } from './engine/run-turn.ts'
import { ConversationIndex } from './index/conversation-index.ts'
import { Followers, pageOf } from './index/conversation-page.ts'
import { NodeHeartbeat } from './index/node-heartbeat.ts'
import { evictPerson, forgetPerson, Retention, readSums, removeFilesOf, sealedPerson } from './privacy/retention.ts'
import { conversationRecords, EarlierMessages } from './store/conversation-records.ts'
import { ConversationLog, openUserData, RecentlyOpenedCache } from './store/log.ts'
import { PersonConversations } from './store/person-conversations.ts'
import { startClock, untilSettled } from './timers/clock.ts'

const MENU_COMMANDS: ReadonlySet<string> = new Set(['restart', 'agent', 'bot'])
/** Limit of expired claims that are loaded for their oldest input. */
const MAX_LATE = 20

/** Conversations over their log: exactly one turn answers every accepted message. */
class StoredConversations implements OpenedConversations {
  readonly index: ConversationIndex
  readonly metrics: MetricIndex
  readonly #options: OpenConversations
  readonly #node: string
  readonly #words: Words
  readonly #log: ConversationLog
  readonly #messages: EarlierMessages
  readonly #userData: ReturnType<typeof openUserData>
  readonly #engine: ConversationEngine
  readonly #clock: ReturnType<typeof startClock>
  readonly #retention: Retention
  readonly #life: NodeHeartbeat
  readonly #followers: Followers
  readonly #opened = new RecentlyOpenedCache()
  readonly #persons: PersonConversations
  readonly #desk: AgentSessionManager
  readonly #ownDesk: OwnDesk | undefined
  #removing: Promise<void> = Promise.resolve()

  constructor(options: OpenConversations) {
    const { store, keys, file, metricsFile, failed, partTurns = PART_TURNS } = options
    const now = () => this.#now()
    const tell = (changed: FoldedConversation) => this.#tell(changed)
    this.#options = options
    this.#node = options.node ?? randomUUID()
    this.#followers = new Followers(options.happened)
    this.#words = openMessageCipher(keys)
    this.#log = new ConversationLog(store, this.#words, id => this.index.parts.newest(id), tell)
    this.#messages = new EarlierMessages(store, this.#words)
    this.metrics = new MetricIndex(metricsFile)
    this.index = new ConversationIndex(file, metricsFile)
    this.#userData = openUserData(store, this.#words, now)
    this.#persons = new PersonConversations(store, this.#log)
    this.#life = new NodeHeartbeat(options.hints, this.#node, now)
    this.#engine = new ConversationEngine({
      ...{ node: this.#node, log: this.#log, words: this.#words },
      hmac: text => keys.index.hmac(text),
      turnWith: held => this.#turnWith(held),
      move: openMoves(options.releases, options.bot, now),
      ...{ failed, partTurns, now, tracer: options.tracer },
      optOut: async (held, pending) => {
        const bot = linkOf(held.channel) === undefined ? await options.bot(held.bot) : undefined
        return bot && options.optOut?.(held, pending, bot.hierarchylevel)
      },
      turned: (held, result, ms) => this.#turned(held, result, ms),
    })
    const end = (id: string) => this.#end(id, 'timeout')
    this.#retention = new Retention({ options, index: this.index, metrics: this.metrics, log: this.#log, end, now })
    const silent = () => this.#life.silent()
    const typing = (id: string, isTyping: boolean, isHere = true) => {
      this.#followers.hint(id, { kind: 'typing', isTyping })
      if (isTyping && isHere) options.agentTypes?.(id)
    }
    const held = {
      ...{ node: this.#node, log: this.#log, engine: this.#engine, words: this.#words },
      ...{ silent, failed, tell, typing, now },
    }
    this.#desk = new AgentSessionManager({
      ...options,
      ...options.agents,
      ...held,
      index: this.index.agents,
      tookOver: () => options.meters?.tookOver('agentchat'),
      messages: async ({ bot, locale }) => {
        const row = await options.bot(bot)
        return row && (await options.settings(row, locale)).messages
      },
    })
    const { desk } = options
    if (desk !== undefined) {
      this.#ownDesk = new OwnDesk({
        ...{ ...options, ...desk, ...held },
        index: this.index,
        hints: options.hints,
        moved: id => this.#followers.hint(id, { kind: 'place' }),
        persons: this.#persons,
        begin: async ({ channel, person, user, locale }, { id, ...byAgent }) => {
          const opened = await this.#open({ channel, user, locale, begins: false }, id, person, byAgent)
          if (opened.ok) await this.#engine.run(id)
          return opened
        },
      })
      desk.connect(this.#ownDesk)
    }
    this.#clock = startClock({
      ...held,
      index: this.index,
      ...{ isStopped: async (bot: string) => !isStarted(await options.bot(bot)), isDriven: 'driven' in options },
      isFirst: id => this.#life.isFirstFor(id),
      tookOver: () => options.meters?.tookOver('turn'),
    })
  }

  /** Reads earlier events; if no other process uses the store, takes over all interrupted turns. */
  async begin(): Promise<void> {
    await this.#followLog()
    if (this.#options.isAlone) void this.#clock.takeOverAll()
  }

  /** Renews the subscription, and takes over turns of this bot from other nodes. Returns their number. */
  async mend(bot: string): Promise<number> {
    await this.#followLog()
    return this.#clock.takeOverOf(bot)
  }

  #followLog(): Promise<void> {
    const { store, failed, driven, desk } = this.#options
    // Nothing waits for the figures.
    if (driven === undefined) void this.metrics.followConversations(store, failed)
    if (driven !== undefined && desk === undefined) return Promise.resolve()
    return this.index.follow(store, {
      name: 'conversations',
      prefixes: [CONVERSATION_PREFIX, CONVERSATION_DAY_PREFIX, DESK_PLACE_PREFIX],
      // Removed conversations must be known before the log of a server delivers their old events.
      prepare: async () => {
        if (this.index.position(store.id) === START) await readSums(store, this.index)
      },
      heard: event => this.#heard(event),
      failed,
    })
  }

  load(id: string): Promise<FoldedConversation | undefined> {
    return this.#log.load(id)
  }

  async open(asked: Parameters<Conversations['open']>[0]): ReturnType<Conversations['open']> {
    const { newId = randomUUID } = this.#options
    return this.#open(asked, newId(), await this.#words.personOf(asked.channel, asked.user.id))
  }

  async openFor(asked: Parameters<Conversations['openFor']>[0], message: string): ReturnType<Conversations['openFor']> {
    const person = await this.#words.personOf(asked.channel, asked.user.id)
    const of = { channel: asked.channel, person }
    for (;;) {
      const newest = await this.#persons.newest(of)
      if (newest.kind === 'live') return accepted({ conversation: newest.held.id })
      const { ended, unopened: id = randomUUID() } = newest
      const position = ended?.received.get(message)
      if (ended !== undefined && position !== undefined) return accepted({ conversation: ended.id, position })
      if (await this.#persons.claim(of, newest, id)) return this.#open({ ...asked, begins: false }, id, person)
    }
  }

  /** `byAgent`: an agent writes first; `first` is the first input. `isNew`: no other node opened it before. */
  async #open(
    asked: Parameters<Conversations['open']>[0],
    id: string,
    person: string,
    byAgent?: { readonly spoke: number; readonly first: Fact },
  ): Promise<Result<{ readonly conversation: string; readonly isNew: boolean }>> {
    const row = await this.#channelOf(asked.channel)
    const bot = row?.enable === true ? await this.#options.bot(row.bot) : undefined
    if (row === undefined || bot === undefined) return refused('chat.disabled')
    const release = bot.runningstatus === 'stopped' ? undefined : await this.#options.releases.newest(bot.id)
    if (release === undefined) return refused('bot.stopped')
    const data = {
      bot: bot.id,
      channel: asked.channel,
      channeltype: row.type,
      ...{ release: release.number, locale: asked.locale ?? botLanguage(bot) },
      // Figures of this conversation keep both.
      timezone: bot.timezone,
      definitions: METRICS_VERSION,
      person,
      ...(await sealedPerson(this.#words, { id, person, known: await this.#userData.read(bot.id, person) }, asked)),
      begins: asked.begins,
      ...(row.store_message === false ? { unstored: true } : {}),
      ...(asked.begins ? { claim: { ...this.#engine.claim() } } : {}),
      ...(asked.isTrial === true ? { origin: 'trial' } : {}),
      ...(byAgent === undefined ? {} : { origin: 'agent', spoke: byAgent.spoke }),
    }
    const started: Fact = { type: 'ConversationStarted', cause: `${id} started`, time: this.#now(), data }
    const facts = byAgent === undefined ? [started] : [started, byAgent.first]
    let isNew = false
    await this.#log.write(id, held => {
      isNew = held === undefined
      return isNew ? facts : []
    })
    this.#opened.add(asked.channel, person, id)
    if (asked.begins) void this.#engine.run(id)
    return accepted({ conversation: id, isNew })
  }

  async #channelOf(id: string): Promise<LinkedChannel | RowOf<'channel'> | undefined> {
    const link = linkOf(id)
    return link === undefined ? this.#options.channel(id) : linkedChannel(this.#options.store, link)
  }

  /** The conversation of a bot with the person of another conversation. */
  async #openLinked(
    { user, locale, person, isTrial }: FoldedConversation,
    { channel, id, begins }: Parameters<LinkedBots['open']>[1],
  ): ReturnType<LinkedBots['open']> {
    const held = await this.#log.load(id)
    return held === undefined ? this.#open({ channel, user, locale, isTrial, begins }, id, person) : accepted({})
  }

  async #perform(
    held: FoldedConversation,
    bot: RowOf<'bot'>,
    effect: Effect,
    model: string | null,
  ): Promise<EffectAnswer> {
    if (effect.kind === 'bot') {
      const { bot, levelsAbove } = this.#options
      const parts = {
        ...{ bot, levelsAbove },
        load: (id: string) => this.#log.load(id),
        open: (...[from, linked]: Parameters<LinkedBots['open']>) => this.#openLinked(from, linked),
        accept: (id: string, message: SentMessage) => this.accept(id, message),
        end: (id: string) => this.#end(id, 'bot'),
        settled: (id: string, ms: number) => this.settled(id, ms),
        messages: (of: FoldedConversation, after: string, size: number) => this.#messages.after(of, after, size),
      }
      return askLinkedBot(parts, held, effect)
    }
    // The person is on the channel of the linking conversation: no agent can be reached from here.
    if (effect.kind === 'agent' && linkOf(held.channel) !== undefined)
      return { kind: 'agent', ms: 0, ok: false, code: 'unavailable' }
    return this.#options.perform(bot, effect, model)
  }

  async accept(conversation: string, given: SentMessage): ReturnType<Conversations['accept']> {
    let message = given
    const held = await this.#log.load(conversation)
    if (held === undefined) return refused('entity.notfound')
    const known = held.received.get(message.id)
    if (known !== undefined) {
      void this.#engine.run(conversation)
      return accepted({ position: known })
    }
    if (held.ended !== undefined) return refused('chat.ended')
    const bot = await this.#options.bot(held.bot)
    if (bot === undefined || bot.runningstatus === 'stopped') return refused('bot.stopped')
    if (message.type === 'menu' && !(await this.#isInMenu(held, bot, message.value ?? '')))
      return refused('validation.failed', { errors: [{ path: 'value', code: 'option' }] })
    const isOffered = (of: FoldedConversation | undefined) =>
      of !== undefined && mayBePressed(of, message, bot.disable_buttons_from_previous_messages)
    // Another node may have offered it a moment ago.
    if (!isOffered(held) && !isOffered(await this.#log.refresh(conversation))) {
      const isLinked = linkOf(held.channel) !== undefined
      const said = isLinked ? undefined : await this.#options.lateOptOut?.(held, message, bot.hierarchylevel)
      if (said === undefined) return refused('chat.stale')
      message = said
    }
    const written = await this.#log.write(conversation, async latest => {
      if (latest === undefined || latest.ended !== undefined || latest.received.has(message.id)) return []
      return [await messageFact(latest, message, this.#words, this.#engine)]
    })
    const position = written?.received.get(message.id)
    if (written === undefined || position === undefined) return refused('chat.ended')
    this.#tell(written)
    void this.#engine.run(conversation)
    return accepted({ position })
  }

  async #isInMenu(held: FoldedConversation, bot: RowOf<'bot'>, command: string): Promise<boolean> {
    if (MENU_COMMANDS.has(command)) return true
    return (await this.#options.settings(bot, held.locale)).tasks.has(command)
  }

  async read(conversation: string, after: string, size: number): Promise<ChatPage | undefined> {
    const held = await this.#log.load(conversation)
    return held && this.#page(held, await this.#messages.after(held, after, size), after)
  }

  async newest(conversation: string, count: number): Promise<ChatPage | undefined> {
    const held = await this.#log.load(conversation)
    const last = held?.messages.at(-1)?.position ?? ''
    return held && this.#page(held, await this.#messages.newest(held, count), last)
  }

  async #page(held: FoldedConversation, messages: ChatPage['messages'], after: string): Promise<ChatPage> {
    const page = pageOf(held, messages, after)
    const place = page.agent === null ? undefined : await this.#ownDesk?.waitingPlace(held)
    return page.agent === null || place === undefined ? page : { ...page, agent: { ...page.agent, ...place } }
  }

  settled(conversation: string, ms: number): Promise<boolean> {
    return untilSettled(this.#log, this.#engine, conversation, ms)
  }

  follow(conversation: string, listener: (news: ConversationNotification) => void): () => void {
    return this.#followers.follow(conversation, listener)
  }

  async owner(conversation: string): ReturnType<Conversations['owner']> {
    const held = await this.#log.load(conversation)
    // A forgotten person is not returned.
    return held === undefined || held.user.id === '' ? undefined : { channel: held.channel, user: held.user }
  }

  async mayHoldFiles(conversation: string): Promise<boolean> {
    const row = this.index.get(conversation)
    if (row !== undefined) return !(await this.#words.isForgotten(row.person))
    if (this.index.isRemoved(conversation)) return false
    // The index may be behind, or be rebuilt.
    for await (const _ of this.#options.store.read(conversationStream(conversation), { limit: 1 })) return true
    return false
  }

  async live(channel: string, user: string): Promise<string | undefined> {
    const person = await this.#words.personOf(channel, user)
    const id = this.#opened.find(channel, person) ?? this.index.live(channel, person)
    const held = id === undefined ? undefined : await this.#log.load(id)
    return held === undefined || held.ended !== undefined ? undefined : held.id
  }

  end(conversation: string, reason: 'person' | 'bot'): ReturnType<Conversations['end']> {
    return this.#end(conversation, reason)
  }

  async inboxAge(): Promise<number> {
    const now = this.#now()
    // Turns that no node runs any more.
    const late = this.index.claimed(now, MAX_LATE)
    const left = await Promise.all(late.map(id => this.#log.load(id).catch(() => undefined)))
    const times = [this.#engine.oldest(), ...left.map(held => held?.inbox[0]?.time)]
    return Math.max(0, ...times.map(time => (time === undefined ? 0 : now - time)))
  }

  recount: OpenedConversations['recount'] = (store, node) =>
    recountNightly({ store, node, index: this.metrics, log: this.#options.store, now: () => this.#now() })

  /** `deskReason`: why a chat at Parley's own desk ends with it. */
  async #end(
    conversation: string,
    reason: 'person' | 'bot' | 'timeout',
    deskReason: string = reason,
  ): ReturnType<Conversations['end']> {
    let linked: readonly string[] = []
    const written = await this.#log.write(conversation, held => {
      if (held === undefined || held.ended !== undefined) return []
      linked = linkedIds(held.state)
      const time = this.#now()
      const ended: Fact = { type: 'ConversationEnded', data: { reason }, cause: `${conversation} ended`, time }
      const { agent } = held
      if (agent?.desk === undefined) return [ended]
      const data = { n: agent.n, reason: deskReason, open: true, quiet: true }
      return [{ type: 'AgentLeft', data, cause: `${conversation} left ${agent.n}`, time }, ended]
    })
    if (written === undefined) return refused('entity.notfound')
    if (written.state.masked.length > 0) await this.#words.drop(maskedHolder(conversation))
    this.#tell(written)
    for (const id of linked) await this.#end(id, reason)
    return accepted({})
  }

  async forget(conversation: string): ReturnType<Conversations['forget']> {
    const held = await this.#log.load(conversation)
    if (held === undefined) return refused('entity.notfound')
    // Its person is forgotten with the conversation that links it, by those who may see that one.
    if (linkOf(held.channel) !== undefined) return refused('access.forbidden')
    for (const id of [conversation, ...this.index.openOf(held.person)]) await this.#end(id, 'person', 'forgotten')
    await forgetPerson(held, this.#holders())
    return accepted({})
  }

  #holders() {
    const own = { log: this.#log, messages: this.#messages, index: this.index, words: this.#words }
    return { ...own, files: this.#options.files, now: () => this.#now() }
  }

  records = async () =>
    conversationRecords({ store: this.#options.store, index: this.index, metrics: this.metrics, words: this.#words })

  agents = async () => this.#desk
  desk = async () => this.#ownDesk
  turnsWaiting = () => this.#engine.waiting
  fire = (conversation: string) => this.#clock.fire(conversation)
  sweep = () => this.#retention.sweep()
  removeOf = (bot: string) => this.#retention.removeOf(bot)

  personTypes(conversation: string): void {
    if (this.#ownDesk?.index.get(conversation) !== undefined) this.#ownDesk.news.personTypes(conversation)
    else this.#desk.personTypes(conversation)
  }

  async close(): Promise<void> {
    await Promise.all([this.#clock.stop(), this.#desk.stop(), this.#ownDesk?.stop()])
    this.#life.close()
    await this.#engine.stop()
    await this.index.close()
    await this.metrics.close()
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now()
  }

  async #turnWith(held: FoldedConversation): Promise<TurnDependencies | undefined> {
    const bot = await this.#options.bot(held.bot)
    if (bot === undefined) return undefined
    const [release, settings] = await Promise.all([
      this.#options.releases.compiled(held.bot, held.release),
      this.#options.settings(bot, held.locale),
    ])
    const isLinked = linkOf(held.channel) !== undefined
    return {
      release,
      settings: isLinked ? linkedSettings(settings) : settings,
      perform: effect => this.#perform(held, bot, effect, release.nlumodel ?? null),
    }
  }

  #turned(held: FoldedConversation, result: TurnResult, ms: number): void {
    const { botLog, failed, meters } = this.#options
    this.#tell(held)
    meters?.turned(turnResult(result), ms)
    void this.#userData.keep(held).catch(failed)
    for (const entry of turnEntries(held, result)) botLog?.log(entry)
  }

  #tell(held: FoldedConversation): void {
    this.#followers.tell(held)
    if (held.agent !== undefined || held.closing.length > 0) this.#desk.wake(held)
  }

  /** A storage that is away must not stop the following of the log: the sweep removes the files that are left. */
  #forgotten(person: string): Promise<void> {
    const conversations = this.index.ofPerson(person)
    const { files, failed } = this.#options
    this.#removing = this.#removing.then(() => removeFilesOf(conversations, files)).catch(failed)
    return evictPerson(person, this.#holders())
  }

  /** Passes events of other writers to the followers here; events written by this node are already known. */
  async #heard(event: StoredEvent): Promise<void> {
    const isOfPlace = event.stream.startsWith(DESK_PLACE_PREFIX)
    if (isOfPlace || this.index.hasAgents) this.#ownDesk?.heard(event)
    if (isOfPlace) return
    if (event.stream.startsWith(CONVERSATION_DAY_PREFIX)) return this.#log.evict(String(event.data.conversation))
    const { id, part } = conversationPart(event.stream)
    if (event.type === 'PersonForgotten') return this.#forgotten(this.index.get(id)?.person ?? '')
    if (!(this.#log.isBehind(id, part, event.revision) ?? this.#followers.has(id))) return
    const fresh = await this.#log.including(id, part, event.revision)
    if (fresh === undefined) return
    this.#tell(fresh)
    // Runs inputs that this node stored without receiving the confirmation.
    void this.#engine.run(id)
  }
}

export const openConversations = async (options: OpenConversations): Promise<OpenedConversations> => {
  const conversations = new StoredConversations(options)
  await conversations.begin()
  return conversations
}
