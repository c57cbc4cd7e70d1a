import { hash } from 'node:crypto'
import type { EventStore } from '#commands/store/port.ts'
import type { AnswerOf, EffectOf, LinkedMessage } from '#domain/conversation/effect.ts'
import type { BotMessage } from '#domain/conversation/message.ts'
import type { TurnSettings } from '#domain/conversation/release.ts'
import type { ConversationState } from '#domain/conversation/state.ts'
import type { RowOf } from '#projections/port.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import type { ChatMessage, SentMessage } from '../../port.ts'
import { isStarted } from '../../release/releases.ts'
import { type FoldedConversation, LINK_TYPE, linkChannel, linkOf } from './folded-conversation.ts'

/** Bots that may be linked in a row. */
export const MAX_LINKS = 3
/** Longest turn of a linked bot, ms. */
const TURN_MS = 60_000
const MAX_MESSAGES = 50

/** Id of the linked conversation of a visit: the same on every node, and when the turn is run again. */
const linkedId = ({ bot, visit }: { readonly bot: string; readonly visit: string }): string => {
  const digest = hash('sha256', `${bot} ${visit}`, 'hex')
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/u, '$1-$2-$3-$4-$5')
}

export interface LinkedChannel {
  readonly enable: true
  readonly type: typeof LINK_TYPE
  readonly bot: string
  readonly store_message: boolean
}

/** Channel of a linked conversation, which is stored as long as the one that its bot is linked from. */
export const linkedChannel = async (
  store: Pick<EventStore, 'read'>,
  { conversation, bot }: { readonly conversation: string; readonly bot: string },
): Promise<LinkedChannel> => {
  let isStored = true
  for await (const { data } of store.read(conversationStream(conversation), { limit: 1 }))
    isStored = data.unstored !== true
  return { enable: true, type: LINK_TYPE, bot, store_message: isStored }
}

/** Ids of the linked conversations that a conversation waits for. */
export const linkedIds = ({ frames }: Pick<ConversationState, 'frames'>): readonly string[] =>
  frames.flatMap(({ wait }) => (wait?.linked === undefined ? [] : [linkedId(wait.linked)]))

const DAY_MS = 86_400_000

/** Only the bot in the conversation sends reminders; an abandoned linked bot ends automatically. */
export const linkedSettings = (settings: TurnSettings): TurnSettings => ({
  ...settings,
  userTimeout: 0,
  endTimeout: DAY_MS,
})

/** Messages of a linked bot for the person; those for other addresses are not handed on. */
export const linkedMessages = (said: readonly BotMessage[]): readonly LinkedMessage[] =>
  said
    .filter(({ destination }) => destination === undefined)
    .map(({ id, content, actions, asks }) => ({ id, content, actions, ...(asks === undefined ? {} : { asks }) }))

/** Whether a bot may be linked from another one: it runs, at the level of that one or below. */
export const mayLink = async (
  from: RowOf<'bot'>,
  to: RowOf<'bot'> | undefined,
  levelsAbove: (level: string) => Promise<readonly string[]>,
): Promise<boolean> => isStarted(to) && (await levelsAbove(to.hierarchylevel ?? '')).includes(from.hierarchylevel ?? '')

export interface LinkedBots {
  readonly bot: (id: string) => Promise<RowOf<'bot'> | undefined>
  readonly levelsAbove: (level: string) => Promise<readonly string[]>
  readonly load: (conversation: string) => Promise<FoldedConversation | undefined>
  /** Opens the linked conversation of `from` on a channel, unless it is open. `begins`: the bot speaks first. */
  readonly open: (
    from: FoldedConversation,
    linked: { readonly channel: string; readonly id: string; readonly begins: boolean },
  ) => Promise<Result<object>>
  readonly accept: (conversation: string, message: SentMessage) => Promise<Result<{ readonly position: string }>>
  readonly end: (conversation: string) => Promise<unknown>
  readonly settled: (conversation: string, ms: number) => Promise<boolean>
  /** At most `size` messages after a position, the oldest first. */
  readonly messages: (held: FoldedConversation, after: string, size: number) => Promise<readonly ChatMessage[]>
}

const plainMessage = ({ id, text }: ChatMessage): LinkedMessage => ({
  id: Number(id),
  content: { type: 'text', text: typeof text === 'string' ? text : '' },
  actions: [],
})

/** Whether a visit begins without a word: the bot opens the conversation. */
export const isWordless = ({ input, text, key, visit }: EffectOf<'bot'>): boolean =>
  key === visit && input.kind === 'text' && text.trim() === ''

const sentMessage = ({ key: id, input, of, text }: EffectOf<'bot'>): SentMessage => {
  switch (input.kind) {
    case 'choice':
      return of === null ? { id, type: 'text', text } : { id, type: 'choice', of: String(of), value: input.action.id }
    case 'location':
      return { id, type: 'location', data: input.location }
    case 'attachment':
      return { id, type: 'attachment', attachments: input.attachments, ...(text === '' ? {} : { text }) }
    case 'order':
    case 'submit':
      return { id, type: input.kind, data: input.data }
    default:
      return { id, type: 'text', text }
  }
}

/**
 * Hands what a person says to another bot, in a conversation that is linked to this one, and answers with the turn of
 * that bot. The effect's key is the id of the message: asked again, it is not said again.
 */
export const askLinkedBot = async (
  parts: LinkedBots,
  from: FoldedConversation,
  effect: EffectOf<'bot'>,
): Promise<AnswerOf<'bot'>> => {
  const began = performance.now()
  const failed = (code: string): AnswerOf<'bot'> => ({
    kind: 'bot',
    ms: Math.round(performance.now() - began),
    ok: false,
    code,
  })
  const [own, other] = await Promise.all([parts.bot(from.bot), parts.bot(effect.bot)])
  if (own === undefined || !(await mayLink(own, other, parts.levelsAbove))) return failed('unavailable')
  if ((await linksOf(parts, from)) >= MAX_LINKS) return failed('depth')
  const conversation = linkedId(effect)
  const begins = isWordless(effect)
  const opened = await parts.open(from, { channel: linkChannel(from.id, effect.bot), id: conversation, begins })
  if (!opened.ok) return failed(opened.refusal.code)
  const sent = begins ? accepted({ position: '' }) : await parts.accept(conversation, sentMessage(effect))
  if (!sent.ok) return failed(sent.refusal.code)
  if (!(await parts.settled(conversation, TURN_MS))) return failed('timeout')
  const held = await parts.load(conversation)
  if (held === undefined) return failed('unavailable')
  const answers = await parts.messages(held, sent.value.position, MAX_MESSAGES)
  const next = answers.findIndex(message => message.from === 'user')
  const said = (next === -1 ? answers : answers.slice(0, next)).filter(message => message.from === 'bot')
  const messages = said.flatMap(message => {
    const known = held.said.get(Number(message.id))
    return known === undefined ? [plainMessage(message)] : linkedMessages([known])
  })
  const wait = held.ended === undefined && held.state.status === 'waiting' ? held.state.frames.at(-1)?.wait : undefined
  if (wait === undefined && held.ended === undefined) await parts.end(conversation)
  const ms = Math.round(performance.now() - began)
  return { kind: 'bot', ms, ok: true, texts: [], messages, waits: wait !== undefined, masked: wait?.masked === true }
}

/** Number of linked conversations that lead to this one. */
const linksOf = async ({ load }: Pick<LinkedBots, 'load'>, held: FoldedConversation): Promise<number> => {
  let count = 0
  for (let at: FoldedConversation | undefined = held; at !== undefined && count < MAX_LINKS; count += 1) {
    const link = linkOf(at.channel)
    if (link === undefined) return count
    at = await load(link.conversation)
  }
  return count
}
