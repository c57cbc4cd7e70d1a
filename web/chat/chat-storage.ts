import type { Outgoing } from './chat-protocol.ts'

/** State that survives a reload: the conversation and unsent messages. */
interface StoredChat {
  readonly conversation: string
  readonly token: string
  readonly expires: string
  readonly outbox: readonly StoredMessage[]
}

/** `shown` is what the person sees of it. */
export interface StoredMessage {
  readonly message: Outgoing
  readonly shown: string
}

const isStored = (value: unknown): value is StoredChat =>
  typeof value === 'object' && value !== null && 'token' in value && 'conversation' in value && 'outbox' in value

/** Whether the person has said something to this bot, now or on an earlier visit, where people are remembered. */
const createMet = (key: string) => {
  let isKept = true
  return {
    keep(remember: boolean): void {
      isKept = remember
      try {
        if (!remember) localStorage.removeItem(key)
      } catch {}
    },
    get is(): boolean {
      try {
        return localStorage.getItem(key) === '1'
      } catch {
        return false
      }
    },
    mark(): void {
      try {
        if (isKept) localStorage.setItem(key, '1')
      } catch {}
    },
  }
}

/** Storage of one channel. A browser that keeps nothing (private mode, blocked) forgets with the page. */
export const createChatStorage = (channel: string) => {
  const key = `parley.chat.${channel}`
  let memory: StoredChat | undefined
  let place: Storage | undefined
  const use = (remember: boolean): void => {
    try {
      place = remember ? localStorage : sessionStorage
    } catch {
      place = undefined
    }
  }
  use(true)
  return {
    key,
    /** Sets whether another tab or a later visit can resume the conversation. */
    remember(remember: boolean): void {
      const held = this.read()
      use(remember)
      this.met.keep(remember)
      if (!remember) {
        try {
          localStorage.removeItem(key)
        } catch {}
      }
      if (held !== undefined) this.write(held)
    },
    read(): StoredChat | undefined {
      for (const each of [place, globalThis.sessionStorage]) {
        try {
          const value: unknown = JSON.parse(each?.getItem(key) ?? 'null')
          if (isStored(value)) return value
        } catch {}
      }
      return memory
    },
    met: createMet(`${key}.met`),
    /** Whether the window was open when this tab was left. */
    get wasOpen(): boolean {
      try {
        return sessionStorage.getItem(`${key}.open`) === '1'
      } catch {
        return false
      }
    },
    setOpen(isOpen: boolean): void {
      try {
        sessionStorage.setItem(`${key}.open`, isOpen ? '1' : '')
      } catch {}
    },
    write(value: StoredChat | undefined): void {
      memory = value
      try {
        if (value === undefined) {
          place?.removeItem(key)
          sessionStorage.removeItem(key)
        } else place?.setItem(key, JSON.stringify(value))
      } catch {}
    },
  }
}

export type ChatStorage = ReturnType<typeof createChatStorage>
