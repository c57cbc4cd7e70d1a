import type { DeskChat } from './desk-query.ts'

/** Changes between two readings of the caller's chats. */
interface DeskNews {
  /** Chats that the caller got, other than those they took. */
  readonly chats: readonly DeskChat[]
  /** Chats in which the person wrote. */
  readonly messages: readonly DeskChat[]
}

const wordOf = ({ last }: DeskChat): string => (last?.from === 'user' ? last.time : '')

/** `taken`: ids of chats that the caller took in this window. */
export const newsOf = (
  before: readonly DeskChat[],
  after: readonly DeskChat[],
  taken: ReadonlySet<string>,
): DeskNews => {
  const known = new Map(before.map(chat => [chat.conversation, chat]))
  return {
    chats: after.filter(({ conversation }) => !known.has(conversation) && !taken.has(conversation)),
    messages: after.filter(chat => {
      const earlier = known.get(chat.conversation)
      return earlier !== undefined && wordOf(chat) > wordOf(earlier)
    }),
  }
}

type SoundChoice = 'off' | 'unfocused' | 'always'

/** Whether a sound plays. `isSeen`: the chat is open in the focused tab. */
export const isHeard = (choice: SoundChoice, isSeen: boolean): boolean =>
  choice === 'always' || (choice === 'unfocused' && !isSeen)
