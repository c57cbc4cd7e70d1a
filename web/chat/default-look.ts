import { chatLook } from '#domain/chat-look.ts'
import type { ChatLook } from '#schemas/chat-look.ts'

/** Before the bot's own look has come, or where it does not come. */
export const defaultLook = (): ChatLook =>
  chatLook({ bot: {}, look: undefined, themes: [], conversation: undefined, fileAddress: () => '' })
