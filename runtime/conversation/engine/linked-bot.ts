import type { AnswerOf, EffectOf, LinkedMessage } from '#domain/conversation/effect.ts'
import type { Row } from '#projections/port.ts'
import type { Result } from '#schemas/refusal.ts'
import type { ChatMessage, SentMessage } from '../../port.ts'
import { isStarted } from '../../release/running-content.ts'
import type { FoldedConversation } from './folded-conversation.ts'

/** Bots that may be linked in a row (RUNTIME 50). */
export const MAX_LINKS = 3
/** Longest turn of a linked bot, ms. */
const TURN_MS = 60_000
const MAX_MESSAGES = 50

/** Type of the channel of a linked conversation. No provider has it. */
export const LINK_TYPE = 'bot'

/** The channel on which a conversation talks to another bot. */
export const linkChannel = (conversation: string, bot: string): string => `link.${conversation}.${bot}`

/** The conversation that talks to this one, and the bot of this one; undefined for a channel of people. */
export const linkOf = (channel: string): { readonly conversation: string; readonly bot: string } | undefined => {
  const [, conversation, bot] = /^link\.([^.]+)\.([^.]+)$/u.exec(channel) ?? []
  return conversation === undefined || bot === undefined ? undefined : { conversation, bot }
}

/** Whether a bot may be linked from another one: it runs, at the level of that one or below. */
export const mayLink = async (
  from: Row,
  to: Row | undefined,
  levelsAbove: (level: string) => Promise<readonly string[]>,
): Promise<boolean> =>
  isStarted(to) && (await levelsAbove(String(to.hierarchylevel))).includes(String(from.hierarchylevel))

interface LinkedBots {
  readonly bot: (id: string) => Promise<Row | undefined>
  readonly levelsAbove: (level: string) => Promise<readonly string[]>
  readonly load: (conversation: string) => Promise<FoldedConversation | undefined>
  /** Stores a message in the live conversation of a linking conversation's person on `channel`, or begins one with it. */
  readonly send: (
    from: FoldedConversation,
    channel: string,
    message: SentMessage,
  ) => Promise<Result<{ readonly conversation: string; readonly position: string }>>
  readonly settled: (conversation: string, ms: number) => Promise<boolean>
  /** At most `size` messages after a position, the oldest first. */
  readonly messages: (held: FoldedConversation, after: string, size: number) => Promise<readonly ChatMessage[]>
}

const plainMessage = ({ text }: ChatMessage): LinkedMessage => ({
  content: { type: 'text', text: typeof text === 'string' ? text : '' },
  actions: [],
})

/**
 * Hands a text to another bot, in a conversation of its own that is linked to this one, and answers with what that bot
 * said in its turn (RUNTIME 50). The effect's key is the id of the message: asked again, it is not said again.
 */
export const askLinkedBot = async (
  parts: LinkedBots,
  from: FoldedConversation,
  { bot: id, text, key }: Pick<EffectOf<'bot'>, 'bot' | 'text' | 'key'>,
): Promise<AnswerOf<'bot'>> => {
  const began = performance.now()
  const failed = (code: string): AnswerOf<'bot'> => ({
    kind: 'bot',
    ms: Math.round(performance.now() - began),
    ok: false,
    code,
  })
  const [own, other] = await Promise.all([parts.bot(from.bot), parts.bot(id)])
  if (own === undefined || !(await mayLink(own, other, parts.levelsAbove))) return failed('unavailable')
  if ((await linksOf(parts, from)) >= MAX_LINKS) return failed('depth')
  const sent = await parts.send(from, linkChannel(from.id, id), { id: key, type: 'text', text })
  if (!sent.ok) return failed(sent.refusal.code)
  const { conversation, position } = sent.value
  if (!(await parts.settled(conversation, TURN_MS))) return failed('timeout')
  const held = await parts.load(conversation)
  if (held === undefined) return failed('unavailable')
  const answers = await parts.messages(held, position, MAX_MESSAGES)
  const next = answers.findIndex(message => message.from === 'user')
  const said = (next === -1 ? answers : answers.slice(0, next))
    .filter(message => message.from === 'bot')
    .map(message => held.said.get(Number(message.id)) ?? plainMessage(message))
  return {
    kind: 'bot',
    ms: Math.round(performance.now() - began),
    ok: true,
    texts: [],
    messages: said.map(({ content, actions, asks }) => ({ content, actions, ...(asks === undefined ? {} : { asks }) })),
    waits: held.ended === undefined && held.state.status === 'waiting',
  }
}

/** How many conversations are linked to reach this one. */
const linksOf = async ({ load }: Pick<LinkedBots, 'load'>, held: FoldedConversation): Promise<number> => {
  let count = 0
  for (let at: FoldedConversation | undefined = held; at !== undefined && count < MAX_LINKS; count += 1) {
    const link = linkOf(at.channel)
    if (link === undefined) return count
    at = await load(link.conversation)
  }
  return count
}
