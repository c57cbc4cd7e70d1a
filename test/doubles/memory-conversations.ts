import { randomUUID } from 'node:crypto'
import type { ChatMessage, ChatPage, ConversationNotification, Conversations, SentMessage } from '#runtime/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, refused } from '#schemas/refusal.ts'

/** Reply of a scripted bot in one turn. */
interface Reply {
  readonly say?: readonly JsonObject[]
  readonly wait?: JsonObject
  readonly ends?: boolean
  /** ms that the turn takes. */
  readonly ms?: number
}

/** The bot of a test: undefined is the beginning of a conversation without a word. */
export type Script = (said: SentMessage | undefined) => Reply

interface Held {
  readonly channel: string
  readonly user: { readonly id: string; readonly name?: string }
  readonly begun: { readonly payload: string | undefined; readonly locale: string | undefined }
  readonly messages: ChatMessage[]
  readonly ids: Map<string, string>
  readonly listeners: Set<(news: ConversationNotification) => void>
  state: ChatPage['state']
  wait: JsonObject | null
  turn: Promise<void>
}

export interface MemoryConversations extends Conversations {
  /** Bots of these channels are stopped. */
  readonly stopped: Set<string>
  readonly held: ReadonlyMap<string, Held>
  /** Sends bot messages outside a turn. */
  say(conversation: string, ...messages: readonly JsonObject[]): void
}

const positionOf = (count: number): string => String(count).padStart(8, '0')

/** Conversations in memory, held by a script instead of flows. Test code only. */
export const memoryConversations = (script: Script): MemoryConversations => {
  const held = new Map<string, Held>()
  const stopped = new Set<string>()

  const tell = ({ listeners }: Held, news: ConversationNotification) => {
    for (const listener of listeners) listener(news)
  }
  const add = (of: Held, from: ChatMessage['from'], id: string, content: JsonObject) => {
    const position = positionOf(of.messages.length + 1)
    const message = { type: 'text', actions: [], ...content, id, position, time: new Date().toISOString(), from }
    of.messages.push(message)
    return position
  }
  const setState = (of: Held, state: ChatPage['state']) => {
    of.state = state
    tell(of, { kind: 'state', state })
  }
  const runTurn = async (of: Held, said: SentMessage | undefined) => {
    setState(of, 'active')
    const reply = script(said)
    await new Promise(resolve => setTimeout(resolve, reply.ms ?? 0))
    for (const content of reply.say ?? []) add(of, 'bot', `b${of.messages.length + 1}`, content)
    of.wait = reply.wait ?? null
    tell(of, { kind: 'messages' })
    setState(of, reply.ends === true ? 'ended' : of.wait === null ? 'idle' : 'waiting')
    if (reply.ends === true) tell(of, { kind: 'ended', reason: 'flow' })
  }
  const begin = (of: Held, said: SentMessage | undefined) => {
    of.turn = of.turn.then(() => runTurn(of, said))
  }
  const pageOf = (of: Held, messages: readonly ChatMessage[]): ChatPage => ({
    messages,
    watermark: messages.at(-1)?.position ?? positionOf(of.messages.length),
    agent: null,
    state: of.state,
    wait: of.wait,
  })
  /** A press on a message before the last one with buttons. */
  const isStale = (of: Held, { type, of: pressed }: SentMessage) => {
    const last = of.messages.findLast(({ actions }) => Array.isArray(actions) && actions.length > 0)
    return type === 'choice' && last?.id !== pressed
  }

  return {
    held,
    stopped,
    say(conversation, ...messages) {
      const of = held.get(conversation)
      if (of === undefined) throw new Error('no such conversation')
      for (const content of messages) add(of, 'bot', `b${of.messages.length + 1}`, content)
      tell(of, { kind: 'messages' })
    },
    async open({ channel, user, begins, payload, locale }) {
      if (stopped.has(channel)) return refused('bot.stopped')
      const conversation = randomUUID()
      const of: Held = {
        channel,
        user,
        begun: { payload, locale },
        messages: [],
        ids: new Map(),
        listeners: new Set(),
        state: 'idle',
        wait: null,
        turn: Promise.resolve(),
      }
      held.set(conversation, of)
      if (begins) begin(of, undefined)
      return accepted({ conversation })
    },
    async openFor(asked, id) {
      const [conversation, newest] =
        [...held].findLast(([, of]) => of.channel === asked.channel && of.user.id === asked.user.id) ?? []
      const position = newest?.ids.get(id)
      if (conversation !== undefined && position !== undefined) return accepted({ conversation, position })
      return conversation !== undefined && newest?.state !== 'ended'
        ? accepted({ conversation })
        : this.open({ ...asked, begins: false })
    },
    async accept(conversation, message) {
      const of = held.get(conversation)
      if (of === undefined) return refused('entity.notfound')
      const known = of.ids.get(message.id)
      if (known !== undefined) return accepted({ position: known })
      if (stopped.has(of.channel)) return refused('bot.stopped')
      if (of.state === 'ended') return refused('chat.ended')
      if (isStale(of, message)) return refused('chat.stale')
      const { id, ...content } = message
      const position = add(of, 'user', id, content as JsonObject)
      of.ids.set(id, position)
      tell(of, { kind: 'messages' })
      begin(of, message)
      return accepted({ position })
    },
    async read(conversation, after, size) {
      const of = held.get(conversation)
      return of && pageOf(of, of.messages.filter(({ position }) => position > after).slice(0, size))
    },
    async newest(conversation, count) {
      const of = held.get(conversation)
      return of && pageOf(of, count === 0 ? [] : of.messages.slice(-count))
    },
    async settled(conversation, ms) {
      const of = held.get(conversation)
      const late = new Promise<false>(resolve => setTimeout(() => resolve(false), ms).unref())
      return Promise.race([of?.turn.then(() => true) ?? true, late])
    },
    follow(conversation, listener) {
      const listeners = held.get(conversation)?.listeners
      listeners?.add(listener)
      return () => listeners?.delete(listener)
    },
    async owner(conversation) {
      const of = held.get(conversation)
      return of && { channel: of.channel, user: of.user }
    },
    async live(channel, user) {
      const found = [...held].findLast(
        ([, of]) => of.channel === channel && of.user.id === user && of.state !== 'ended',
      )
      return found?.[0]
    },
    async end(conversation, reason) {
      const of = held.get(conversation)
      if (of === undefined) return refused('entity.notfound')
      if (of.state !== 'ended') {
        setState(of, 'ended')
        tell(of, { kind: 'ended', reason })
      }
      return accepted({})
    },
    records: async () => undefined,
    agents: async () => undefined,
    async forget(conversation) {
      const of = held.get(conversation)
      if (of === undefined) return refused('entity.notfound')
      held.delete(conversation)
      tell(of, { kind: 'messages' })
      return accepted({})
    },
  }
}
