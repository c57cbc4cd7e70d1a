import { moveState } from '#domain/conversation/state.ts'
import type { RowOf } from '#projections/port.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import type { ChannelUser, Conversations, Releases, SentMessage } from '../../port.ts'
import type { Fact } from './conversation-facts.ts'
import type { FoldedConversation } from './folded-conversation.ts'

interface Continued {
  readonly conversation: string
  readonly position: string
}

interface Sender {
  /** Id of the channel. */
  readonly channel: string
  readonly user: ChannelUser
  readonly locale?: string | undefined
  /** Payload of the button or link that produced the first message. */
  readonly payload?: string | undefined
  /** Id of the message. */
  readonly message: string
}

/**
 * Stores a message in the live conversation of a person, or opens a conversation with it. Calls `message` once the
 * conversation is known, and again if that one ended meanwhile.
 */
export const createConversationContinuation = ({ conversations }: { readonly conversations: Conversations }) => {
  const go = async (
    sender: Sender,
    message: (conversation: string) => SentMessage | Promise<SentMessage>,
    mayOpenAgain = true,
  ): Promise<Result<Continued>> => {
    const { channel, user, locale, payload, message: id } = sender
    const live = await conversations.live(channel, user.id)
    const asked = {
      channel,
      user,
      ...(locale === undefined ? {} : { locale }),
      ...(payload === undefined ? {} : { payload }),
    }
    const opened = live === undefined ? await conversations.openFor(asked, id) : accepted({ conversation: live })
    if (!opened.ok) return opened
    const { conversation, position } = { position: undefined, ...opened.value }
    // The message arrived before, in a conversation that has ended since.
    if (position !== undefined) return accepted({ conversation, position })
    const stored = await conversations.accept(conversation, await message(conversation))
    if (stored.ok) return accepted({ conversation, position: stored.value.position })
    // It ended meanwhile: the message begins the next one.
    return stored.refusal.code === 'chat.ended' && mayOpenAgain ? go(sender, message, false) : stored
  }
  return go
}

/** ms within which the release of a restart exists. */
const SETTLE_MS = 5_000
/** Limit of restarts in memory. */
const MAX_KNOWN = 1_000

/**
 * Checks whether a bot was restarted with a newer release than a conversation runs, and computes what the move keeps
 * (RUNTIME 4).
 */
export const openMoves = (
  releases: Releases,
  botOf: (id: string) => Promise<RowOf<'bot'> | undefined>,
  now: () => number,
): ((held: FoldedConversation) => Promise<Fact['data'] | undefined>) => {
  /** Number of the release that a bot was restarted with, by bot and moment. */
  const restarted = new Map<string, number>()
  const restartedWith = async (bot: string, at: number): Promise<number> => {
    const key = `${bot} ${at}`
    const known = restarted.get(key)
    if (known !== undefined) return known
    const number = await releases.at(bot, at + SETTLE_MS)
    if (restarted.size >= MAX_KNOWN) restarted.clear()
    if (now() > at + SETTLE_MS) restarted.set(key, number)
    return number
  }
  return async held => {
    const at = Date.parse(String((await botOf(held.bot))?.restarted_at))
    if (!(held.since < at) || held.release >= (await restartedWith(held.bot, at))) return undefined
    const newest = await releases.newest(held.bot)
    if (newest === undefined) return undefined
    const [from, to] = await Promise.all([
      releases.compiled(held.bot, held.release),
      releases.compiled(held.bot, newest.number),
    ])
    const { state, isLost } = moveState(held.state, from, to)
    return { from: held.release, release: newest.number, frames: state.frames.map(({ id }) => id), lost: isLost }
  }
}
