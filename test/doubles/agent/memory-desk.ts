import type { AgentChat, AgentEvent, AgentLink, AgentMessage } from '#runtime/agent/agent-port.ts'
import { type Desk, DeskLink, joinedEvent, saidEvent } from '#runtime/agent/desk/desk-port.ts'
import { accepted, refused } from '#schemas/refusal.ts'

const AGENT = { name: 'Camila', avatar: '' }

/** Parley's own desk in the memory of a test, with one queue. */
export class MemoryDesk implements Desk {
  readonly link = new DeskLink()
  readonly listeners = new Set<(events: readonly AgentEvent[]) => void>()
  readonly #said: AgentMessage[] = []
  readonly #open = new Map<string, AgentChat>()
  isClosed = false

  constructor() {
    this.link.connect(this)
  }

  /** No node has the desk any more. */
  goDown(): void {
    this.link.connect(undefined)
  }

  async open(chat: AgentChat) {
    if (chat.queue !== 'sac') return refused('agent.nobody', { params: { why: 'noagents', text: '', task: '' } })
    this.#open.set(chat.key, chat)
    return accepted({ key: chat.key })
  }

  async said({ key }: AgentLink, message: AgentMessage) {
    if (!this.#open.has(String(key))) return refused('agent.gone')
    if (!this.#said.some(({ id }) => id === message.id)) this.#said.push(message)
    return accepted(null)
  }

  async close({ key }: AgentLink) {
    this.isClosed = this.#open.delete(String(key)) || this.isClosed
    return accepted(null)
  }

  openIn = () => this.#open.size

  due = async () => 0
  isReadyAt = async () => true

  check = async () => [{ part: 'queue', result: accepted('sac') } as const]

  /** Messages of the person, with the addresses of their files. */
  texts(): readonly string[] {
    return this.#said.map(({ text, files }) => [text, ...files.map(({ url }) => url)].join('\n'))
  }

  join(): void {
    this.#tell(joinedEvent('slot-1', AGENT))
  }

  write(text: string): void {
    this.#tell(saidEvent(AGENT, { id: `said ${text}`, text }))
  }

  leave(): void {
    this.#tell({ kind: 'closed', id: 'closed' })
  }

  #tell(event: AgentEvent): void {
    for (const listener of this.listeners) listener([event])
  }
}
