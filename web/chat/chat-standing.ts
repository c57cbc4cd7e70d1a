import type { ChatFrame, ChatStanding } from './wire.ts'

/** Where a conversation stands, as a frame or a page says it. */
export const standingOf = ({ state = 'idle', wait = null, agent = null }: Omit<ChatFrame, 't'>): ChatStanding => ({
  state,
  wait,
  agent,
})
