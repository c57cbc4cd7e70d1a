import type { Frames } from './listener.ts'

/** Frames of `parley.chat.v1`. */
export const CHAT_FRAMES: Frames = {
  messages: messages => messages.map(message => ({ t: 'message', position: message.position, message })),
  state: ({ watermark, state, wait, agent }) => ({ t: 'state', position: watermark, state, wait, agent }),
  typing: position => ({ t: 'typing', position }),
  ended: (position, reason) => ({ t: 'ended', position, reason }),
  ping: position => ({ t: 'ping', position }),
}
