import type { ChatFrame, ChatStanding } from './wire.ts'

/** State of a conversation, from a frame or a page. */
export const standingOf = ({ state = 'idle', wait = null, agent = null }: Omit<ChatFrame, 't'>): ChatStanding => ({
  state,
  wait,
  agent,
})
