/** A web chat of a bot, shown over the console. */
export interface ShownChat {
  /** Id of the channel. */
  readonly channel: string
  /** Name of the bot. */
  readonly bot: string
}

/** Address of the page that is the web chat of a channel. */
export const chatAddress = (channel: string): string => `${location.origin}/chat/${channel}`

let current: ShownChat | undefined
const listeners = new Set<() => void>()

const show = (chat: ShownChat | undefined) => {
  current = chat
  for (const listener of listeners) listener()
}

/** The one web chat that is open over the console. */
export const chatWindow = {
  open: (chat: ShownChat) => show({ ...chat }),
  close: () => show(undefined),
  current: () => current,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}
