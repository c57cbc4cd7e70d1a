import { randomUUID } from 'node:crypto'
import type { NodeKeys } from '#commands/keys/node-keys.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Effect, EffectAnswer } from '#domain/conversation/effect.ts'
import type { TurnSettings } from '#domain/conversation/release.ts'
import type { Row } from '#projections/port.ts'
import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import { CONVERSATION_PREFIX, conversationStream } from '#schemas/events/conversation.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { BotLog } from '../bot-log.ts'
import type { ChatPage, ConversationNews, Conversations, Releases, SentMessage } from '../port.ts'
import { startClock } from './clock.ts'
import { ConversationEngine, type TurnWith } from './engine.ts'
import type { Held } from './held.ts'
import { ConversationIndex } from './index-file.ts'
import { ConversationLog, type Fact } from './log.ts'
import { pressedAction } from './turn-input.ts'
import { openUserData } from './user-data.ts'
import { maskedHolder, openWords } from './words.ts'

export interface OpenConversations {
  readonly store: EventStore
  readonly keys: Pick<NodeKeys, 'personal' | 'index'>
  /** File of the index, which can be made again. */
  readonly file: string
  /** The store is this process's alone: turns that were broken off are its own. */
  readonly isAlone: boolean
  readonly releases: Releases
  readonly bot: (id: string) => Promise<Row | undefined>
  readonly channel: (id: string) => Promise<Row | undefined>
  readonly settings: (bot: Row, locale: string) => Promise<TurnSettings>
  readonly perform: (bot: Row, effect: Effect) => Promise<EffectAnswer>
  readonly botLog?: Pick<BotLog, 'log'>
  readonly failed: (error: unknown) => void
  readonly now?: () => number
  /** Of this process; a test gives two of them one store. */
  readonly node?: string
}

export interface OpenedConversations extends Conversations {
  readonly index: ConversationIndex
  /** As this node reads it; undefined where there is none. */
  load(conversation: string): Promise<Held | undefined>
  close(): Promise<void>
}

const stateOf = (held: Held): ChatPage['state'] => {
  if (held.ended !== undefined) return 'ended'
  return held.inbox.length > 0 || held.state.status === 'active' ? 'active' : held.state.status
}

const pageOf = (held: Held, messages: ChatPage['messages'], after: string): ChatPage => ({
  messages,
  watermark: messages.at(-1)?.position ?? after,
  state: stateOf(held),
  wait:
    ((held.state.status === 'waiting'
      ? held.messages.findLast(({ wait }) => wait !== undefined)?.wait
      : null) as JsonObject | null) ?? null,
})

/** A press on a message that is not the last one with buttons (RUNTIME 53). */
const isStale = (held: Held, bot: Row, { type, of }: SentMessage): boolean => {
  if (type !== 'choice' || bot.disable_buttons_from_previous_messages !== true) return false
  const last = held.messages.findLast(
    ({ from, actions }) => from === 'bot' && Array.isArray(actions) && actions.length > 0,
  )
  return last?.id !== of
}

/** Conversations over their log: every accepted message is answered by exactly one turn (RUNTIME 67). */
export const openConversations = async (options: OpenConversations): Promise<OpenedConversations> => {
  const { store, failed, now = Date.now } = options
  const node = options.node ?? randomUUID()
  const words = openWords(options.keys)
  const log = new ConversationLog(store, words)
  const index = new ConversationIndex(options.file)
  const userData = openUserData(store, words)
  const followers = new Map<string, Set<(news: ConversationNews) => void>>()
  const opened = new Map<string, string>()

  const tell = (held: Held): void => {
    const listeners = followers.get(held.id)
    if (listeners === undefined) return
    for (const listener of listeners) {
      listener({ kind: 'messages' })
      listener({ kind: 'state', state: stateOf(held) })
      if (held.ended !== undefined) listener({ kind: 'ended', reason: held.ended })
    }
  }
  const turnWith = async (held: Held): Promise<TurnWith | undefined> => {
    const bot = await options.bot(held.bot)
    if (bot === undefined) return undefined
    const [release, settings] = await Promise.all([
      options.releases.compiled(held.bot, held.release),
      options.settings(bot, held.locale),
    ])
    return { release, settings, perform: effect => options.perform(bot, effect) }
  }
  const engine = new ConversationEngine({
    node,
    log,
    words,
    turnWith,
    failed,
    now,
    turned(held, result) {
      index.setDue(held.id, held.due)
      tell(held)
      void userData.keep(held).catch(failed)
      for (const { code } of result.problems) {
        options.botLog?.log({ level: 'warn', code, bot: held.bot, release: held.release, conversation: held.id })
      }
    },
  })
  const isStopped = async (bot: string) => {
    const status = (await options.bot(bot))?.runningstatus
    return status === undefined || status === 'stopped'
  }
  const clock = startClock({ node, engine, log, index, isStopped, failed })

  /** What others wrote is shown to those who follow here; what this node wrote is known already. */
  const heard = async (event: StoredEvent): Promise<void> => {
    index.apply(store.id, event)
    const id = event.stream.slice(CONVERSATION_PREFIX.length)
    const held = log.known(id)
    const isNews = held === undefined ? followers.has(id) : held.tail.revision < event.revision
    if (!isNews) return
    const fresh = await log.refresh(id)
    if (fresh === undefined) return
    index.setDue(id, fresh.due)
    tell(fresh)
  }
  const caughtUp = Promise.withResolvers<void>()
  const subscription = store.subscribe(
    index.position(store.id),
    {
      event: event => heard(event),
      caughtUp: () => caughtUp.resolve(),
      ended: error => caughtUp.reject(error ?? new Error('the log of conversations cannot be read')),
    },
    { streamPrefixes: [CONVERSATION_PREFIX] },
  )
  await caughtUp.promise
  if (options.isAlone) void clock.takeOverAll()

  /** A message as it is stored; the claim goes with it when nobody has it (RUNTIME 63). */
  const messageFact = async (held: Held, message: SentMessage): Promise<Fact> => {
    const wait = held.state.frames.at(-1)?.wait
    const masked = wait?.masked === true && message.type !== 'menu'
    const holder = masked ? maskedHolder(held.id) : held.person
    const { id, ...said } = message
    return {
      type: 'MessageReceived',
      id: `${held.id} message ${id}`,
      time: now(),
      data: {
        message: id,
        said: await words.seal(holder, said as unknown as Json, conversationStream(held.id)),
        ...(masked ? { masked } : {}),
        ...(engine.isFree(held) ? { claim: { ...engine.claim() } } : {}),
      },
    }
  }

  const endConversation: Conversations['end'] = async (conversation, reason) => {
    const written = await log.write(conversation, held => {
      if (held === undefined || held.ended !== undefined) return []
      return [{ type: 'ConversationEnded', data: { reason }, id: `${conversation} ended`, time: now() }]
    })
    if (written === undefined) return refused('entity.notfound')
    tell(written)
    return accepted({})
  }

  return {
    index,
    load: id => log.load(id),
    async open({ channel, user, locale, payload, begins }) {
      const row = await options.channel(channel)
      const bot = row === undefined || row.enable !== true ? undefined : await options.bot(String(row.bot))
      if (row === undefined || bot === undefined) return refused('chat.disabled')
      const release = bot.runningstatus === 'stopped' ? undefined : await options.releases.newest(bot.id)
      if (release === undefined) return refused('bot.stopped')
      const id = randomUUID()
      const stream = conversationStream(id)
      const person = await words.personOf(channel, user.id)
      const known = await userData.read(bot.id, person)
      const held = await log.write(id, async () => [
        {
          type: 'ConversationStarted',
          id: `${id} started`,
          time: now(),
          data: {
            bot: bot.id,
            channel,
            channeltype: String(row.type),
            release: release.number,
            locale: locale ?? String(bot.defaultlocale ?? 'pt'),
            person,
            user: await words.seal(person, user as unknown as Json, stream),
            ...(known === undefined ? {} : { userdata: await words.seal(person, known, stream) }),
            ...(payload === undefined ? {} : { payload: await words.seal(person, payload, stream) }),
            begins,
            ...(begins ? { claim: { ...engine.claim() } } : {}),
          },
        },
      ])
      opened.set(`${channel} ${person}`, id)
      if (opened.size > 10_000) opened.delete(opened.keys().next().value ?? '')
      if (held !== undefined && begins) void engine.run(id)
      return accepted({ conversation: id })
    },
    async accept(conversation, message) {
      const held = await log.load(conversation)
      if (held === undefined) return refused('entity.notfound')
      const known = held.received.get(message.id)
      if (known !== undefined) return accepted({ position: known })
      if (held.ended !== undefined) return refused('chat.ended')
      const bot = await options.bot(held.bot)
      if (bot === undefined || bot.runningstatus === 'stopped') return refused('bot.stopped')
      if (isStale(held, bot, message)) return refused('chat.stale')
      if (message.type === 'choice' && pressedAction(held, message) === undefined) return refused('chat.stale')
      let isEnded = false
      const written = await log.write(conversation, async latest => {
        isEnded = latest?.ended !== undefined
        if (latest === undefined || isEnded || latest.received.has(message.id)) return []
        return [await messageFact(latest, message)]
      })
      if (written === undefined) return refused('entity.notfound')
      if (isEnded) return refused('chat.ended')
      tell(written)
      void engine.run(conversation)
      return accepted({ position: written.received.get(message.id) ?? '' })
    },
    async read(conversation, after, size) {
      const held = await log.load(conversation)
      return held && pageOf(held, held.messages.filter(({ position }) => position > after).slice(0, size), after)
    },
    async newest(conversation, count) {
      const held = await log.load(conversation)
      const last = held?.messages.at(-1)?.position ?? ''
      return held && pageOf(held, count === 0 ? [] : held.messages.slice(-count), last)
    },
    async settled(conversation, ms) {
      const ends = now() + ms
      for (let held = await log.load(conversation); held !== undefined && stateOf(held) === 'active'; ) {
        if (now() >= ends) return false
        if (engine.isRunning(conversation)) {
          await Promise.race([engine.run(conversation), new Promise(done => setTimeout(done, ends - now()).unref())])
        } else await new Promise(done => setTimeout(done, 20))
        held = await log.load(conversation)
      }
      return true
    },
    follow(conversation, listener) {
      const listeners = followers.get(conversation) ?? new Set()
      followers.set(conversation, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && followers.get(conversation) === listeners) followers.delete(conversation)
      }
    },
    async owner(conversation) {
      const held = await log.load(conversation)
      return held && { channel: held.channel, user: held.user }
    },
    async live(channel, user) {
      const person = await words.personOf(channel, user)
      const id = opened.get(`${channel} ${person}`) ?? index.live(channel, person)
      const held = id === undefined ? undefined : await log.load(id)
      return held === undefined || held.ended !== undefined ? undefined : held.id
    },
    end: endConversation,
    async forget(conversation) {
      const held = await log.load(conversation)
      if (held === undefined) return refused('entity.notfound')
      if (held.ended === undefined) await endConversation(conversation, 'person')
      await Promise.all([words.drop(held.person), words.drop(maskedHolder(conversation))])
      await log.lose(conversation)
      return accepted({})
    },
    async close() {
      await clock.stop()
      await engine.stop()
      await subscription.stop()
      index.close()
    },
  }
}
