import { accepted, type Result } from '#schemas/refusal.ts'
import type { ChannelUser, Conversations, SentMessage } from '../../port.ts'

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
export const createContinue = ({ conversations }: { readonly conversations: Conversations }) => {
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
