import type { JsonObject } from '#schemas/event.ts'
import type { FoldedConversation } from '../../conversation/engine/folded-conversation.ts'
import type { AgentChats } from '../../port.ts'
import type { AgentEvent } from '../port.ts'
import { AgentDrive, type DriveParts } from './agent-drive.ts'
import type { AgentIndex, AgentTalkRecord } from './agent-index.ts'
import { AgentRecord } from './agent-record.ts'
import { QueueClock } from './clear-by-cron.ts'

const TICK_MS = 500
/** Ticks between two looks for chats that other nodes left. */
const SWEEP_TICKS = 5
const MAX_FOUND = 200
/** What the system tells at once may come before the index of this node has the request. */
const KEY_WAIT_MS = 2_000
/** A server tells of other people's chats as well; their keys look otherwise. */
const KEY = /^[0-9a-f]{32}$/u
const KEY_LOOK_MS = 50
const MAX_LISTED = 1_000

interface DeskParts extends Omit<DriveParts, 'isGone'> {
  readonly index: AgentIndex
  /** Nodes that fell silent. */
  readonly silent: () => readonly string[]
  /** The store is this process's alone: what others left is its own. */
  readonly isAlone: boolean
}

interface Driven {
  readonly drive: AgentDrive
  readonly conversation: string
  running: Promise<void> | undefined
  isAgain: boolean
}

/** The chats with agents that this node drives, and those that others left. */
export class AgentDesk implements AgentChats {
  readonly #parts: DeskParts
  readonly #drive: DriveParts
  readonly #driven = new Map<string, Driven>()
  readonly #clock: QueueClock
  readonly #timer: NodeJS.Timeout
  #ticks = 0
  #isStopped = false

  constructor(parts: DeskParts) {
    this.#parts = parts
    const { isAlone, node, silent } = parts
    this.#drive = { ...parts, isGone: other => other !== node && (isAlone || silent().includes(other)) }
    this.#clock = new QueueClock(
      parts.agents,
      { waitedAt: () => parts.index.waitedAt(), at: id => this.list(id) },
      parts.now,
    )
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref()
  }

  /** Something happened in a conversation. */
  wake({ id, agent, closing }: FoldedConversation): void {
    for (const talk of agent === undefined ? closing : [agent, ...closing]) this.#run(id, talk.n)
  }

  /** What a system told of the chat with this key; false: there is none. */
  async hear(channel: string, key: string, events: readonly AgentEvent[], fields: JsonObject): Promise<boolean> {
    const until = performance.now() + KEY_WAIT_MS
    let found = this.#parts.index.byKey(channel, key)
    while (found === undefined && KEY.test(key) && performance.now() < until) {
      await new Promise(resolve => setTimeout(resolve, KEY_LOOK_MS))
      found = this.#parts.index.byKey(channel, key)
    }
    if (found === undefined) return false
    await this.#record(found).hear({ events }, fields)
    return true
  }

  /** Who waits at a channel, or talks to its agents; who waits longest first. */
  list(channel: string): readonly AgentTalkRecord[] {
    return this.#parts.index.at(channel, MAX_LISTED)
  }

  /** Takes somebody who waits out of the queue; false: they do not wait any more. */
  async clear({ conversation, n }: AgentTalkRecord, fields: JsonObject): Promise<boolean> {
    const held = await this.#parts.log.load(conversation)
    if (held?.agent?.n !== n || held.agent.connected !== undefined) return false
    await this.#record({ conversation, n }).leave('cleared', fields)
    return true
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    for (const { drive } of this.#driven.values()) drive.stop()
    await Promise.race([
      Promise.all([...this.#driven.values()].map(({ running }) => running)),
      new Promise(resolve => setTimeout(resolve, TICK_MS).unref()),
    ])
  }

  #tick(): void {
    for (const [key, { conversation }] of this.#driven) this.#run(conversation, Number(key.split(' ')[1]))
    this.#ticks += 1
    if (this.#ticks % SWEEP_TICKS !== 1) return
    const { index, now, silent, isAlone, node, failed } = this.#parts
    const left = isAlone ? index.ofOthers(node) : index.free(now(), silent(), MAX_FOUND)
    for (const id of left) void this.#take(id).catch(failed)
    void this.#clearDue().catch(failed)
  }

  async #clearDue(): Promise<void> {
    for (const { talk, fields } of await this.#clock.due()) await this.clear(talk, fields)
  }

  async #take(id: string): Promise<void> {
    const held = await this.#parts.log.refresh(id)
    if (held !== undefined) this.wake(held)
  }

  #record({ conversation, n }: { readonly conversation: string; readonly n: number }): AgentRecord {
    return new AgentRecord(this.#drive, conversation, n)
  }

  #of(conversation: string, n: number): Driven {
    const key = `${conversation} ${n}`
    const driven = this.#driven.get(key) ?? {
      drive: new AgentDrive(this.#drive, conversation, n),
      conversation,
      running: undefined,
      isAgain: false,
    }
    this.#driven.set(key, driven)
    return driven
  }

  #run(conversation: string, n: number): void {
    if (this.#isStopped) return
    const driven = this.#of(conversation, n)
    if (driven.running !== undefined) {
      driven.isAgain = true
      return
    }
    driven.running = this.#steps(driven)
      .catch(this.#parts.failed)
      .finally(() => {
        driven.running = undefined
      })
  }

  async #steps(driven: Driven): Promise<void> {
    do {
      driven.isAgain = false
      if (await driven.drive.step()) continue
      driven.drive.stop()
      for (const [key, other] of this.#driven) if (other === driven) this.#driven.delete(key)
      return
    } while (driven.isAgain && !this.#isStopped)
  }
}
