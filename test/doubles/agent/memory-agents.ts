import type { AgentChat, AgentEvent, AgentMessage, AgentSystem } from '#runtime/agent/agent-port.ts'
import type { Agents } from '#runtime/agent/open-agents.ts'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, type RefusalCode, refused } from '#schemas/refusal.ts'
import { rowOf } from '../../fixture/row-of.ts'

interface Recognizing {
  /** A message that is sent again is taken for the same one. */
  readonly recognizes?: boolean
  /** Hears by polling. */
  readonly polls?: boolean
  readonly fields?: JsonObject
}

/** An agent system in the memory of a test, that several nodes share. */
export class MemoryAgents {
  readonly opened: AgentChat[] = []
  readonly said: AgentMessage[] = []
  readonly closed: string[] = []
  asked = 0
  isThere = true
  polls = 0
  /** Faults of the next calls, in turn. */
  readonly faults: RefusalCode[] = []
  /** Before an opened chat is answered. */
  beforeOpened: () => Promise<void> = async () => undefined
  /** Before a message arrives. */
  beforeSaid: (message: AgentMessage) => Promise<void> = async () => undefined
  /** Before a message is answered. */
  beforeAnswer: () => Promise<void> = async () => undefined
  #news: AgentEvent[] = []
  readonly #is: Recognizing

  constructor(is: Recognizing = {}) {
    this.#is = is
  }

  /** Events of the next poll. */
  tell(...events: AgentEvent[]): void {
    this.#news.push(...events)
  }

  /** As a node has it. */
  node(): Agents & { readonly isDead: { now: boolean } } {
    const isDead = { now: false }
    const system = this.#system(isDead)
    const row = rowOf('agentchannel', 'desk', { bot: 'bot' })
    return {
      isDead,
      channelOf: async () => 'desk',
      open: async () => ({ row, fields: { type: 'memory', ...this.#is.fields }, system }),
      check: async () => [],
    }
  }

  #system(isDead: { readonly now: boolean }): AgentSystem {
    /** A node that was killed calls nobody. */
    const alive = () => (isDead.now ? new Promise<never>(() => undefined) : undefined)
    const fault = () => {
      const code = this.faults.shift()
      return code === undefined ? undefined : refused(code)
    }
    const { recognizes = true, polls = false } = this.#is
    return {
      available: async () => {
        await alive()
        this.asked += 1
        return fault() ?? accepted(this.isThere)
      },
      open: async chat => {
        await alive()
        const failed = fault()
        if (failed !== undefined) return failed
        if (!this.opened.some(({ key }) => key === chat.key)) this.opened.push(chat)
        await this.beforeOpened()
        return accepted({ link: { key: chat.key, step: 0 } })
      },
      say: async (_link, message, { isAgain }) => {
        await this.beforeSaid(message)
        await alive()
        const failed = fault()
        if (failed !== undefined) return failed
        const isKnown = isAgain && (!recognizes || this.said.some(({ id }) => id === message.id))
        if (!isKnown) this.said.push(message)
        await this.beforeAnswer()
        await alive()
        return accepted({})
      },
      close: async ({ key }) => {
        await alive()
        const failed = fault()
        if (failed !== undefined) return failed
        this.closed.push(String(key))
        return accepted({})
      },
      ...(polls
        ? {
            pollPause: 20,
            poll: async link => {
              await alive()
              this.polls += 1
              const events = this.#news
              this.#news = []
              return accepted({
                events,
                ...(events.length === 0 ? {} : { link: { ...link, step: Number(link.step) + 1 } }),
              })
            },
          }
        : {}),
      check: async () => [],
    }
  }
}
