import { nextRuns } from '#domain/cron/next-runs.ts'
import type { JsonObject } from '#schemas/event.ts'
import { isObject, trimmedText } from '#schemas/json.ts'
import type { FoldedConversation } from '../../conversation/engine/folded-conversation.ts'
import type { AgentChats, AgentSessionEntry } from '../../port.ts'
import type { AgentEvent } from '../agent-port.ts'
import type { Agents } from '../open-agents.ts'
import type { AgentIndex } from './agent-events.ts'
import type { AgentSession } from './agent-session.ts'
import { AgentSessionLog } from './agent-session-log.ts'
import { type AgentLoopDependencies, AgentSessionLoop } from './agent-session-loop.ts'

const MINUTE_MS = 60_000

/** ms that a person waits until the clock may remove them from the queue. */
const forgottenAfter = ({ queue_tracker_config: config }: JsonObject): number =>
  isObject(config) && typeof config.forgotten_after === 'number' ? config.forgotten_after * MINUTE_MS : 0

interface Queues {
  waitedAt(): readonly string[]
  at(channel: string): readonly AgentSessionEntry[]
}

/**
 * Finds persons that the clock of a queue removes (D-3.2.02). Runs missed while no node was up are skipped. Every node
 * checks; a person removed by another node no longer waits.
 */
class QueueClock {
  readonly #agents: Pick<Agents, 'open'>
  readonly #queues: Queues
  readonly #now: () => number
  #checked: number

  constructor(agents: Pick<Agents, 'open'>, queues: Queues, now: () => number) {
    this.#agents = agents
    this.#queues = queues
    this.#now = now
    this.#checked = now()
  }

  async due(): Promise<readonly { readonly talk: AgentSessionEntry; readonly fields: JsonObject }[]> {
    const from = this.#checked
    const now = this.#now()
    this.#checked = now
    const found = this.#queues.waitedAt().map(async channel => {
      const fields = (await this.#agents.open(channel))?.fields
      const at = fields === undefined ? undefined : this.#lastRun(fields, from, now)
      if (fields === undefined || at === undefined) return []
      const before = at - forgottenAfter(fields)
      return this.#queues
        .at(channel)
        .filter(({ waiting }) => waiting !== null && waiting <= before)
        .map(talk => ({ talk, fields }))
    })
    return (await Promise.all(found)).flat()
  }

  /** First run of the channel's clock after `from` and until `now`. */
  #lastRun(fields: JsonObject, from: number, now: number): number | undefined {
    const expression = trimmedText(fields.queue_tracker_clear_by_cron)
    if (fields.queue_tracker_enabled !== true || fields.queue_tracker_clear_enabled !== true || expression === '')
      return undefined
    const runs = nextRuns(expression, from, 'UTC', 1)
    const first = runs.ok ? runs.value[0]?.getTime() : undefined
    return first === undefined || first > now ? undefined : first
  }
}

const TICK_MS = 500
/** Ticks between two searches for chats that other nodes left. */
const SWEEP_TICKS = 5
const MAX_FOUND = 200
/** An early event of the system may arrive before this node has indexed the request. */
const KEY_WAIT_MS = 2_000
/** A server also sends events of other chats; their keys have another form. */
const KEY = /^[0-9a-f]{32}$/u
const KEY_LOOK_MS = 50
const MAX_LISTED = 1_000

interface DeskParts extends Omit<AgentLoopDependencies, 'isGone'> {
  readonly index: AgentIndex
  /** Nodes whose heartbeats stopped. */
  readonly silent: () => readonly string[]
  /** Only this process uses the store: chats that others left are its own. */
  readonly isAlone: boolean
  /** Chats are looked at only after events. */
  readonly driven?: object | undefined
}

interface Driven {
  readonly drive: AgentSessionLoop
  readonly conversation: string
  running: Promise<void> | undefined
  isAgain: boolean
  /** When it is looked at without an event, ms since 1970. */
  next: number
}

/** Drives the chats with agents of this node, and takes over those that other nodes left. */
export class AgentSessionManager implements AgentChats {
  readonly #parts: DeskParts
  readonly #drive: AgentLoopDependencies
  readonly #driven = new Map<string, Driven>()
  readonly #clock: QueueClock
  readonly #timer: NodeJS.Timeout | undefined
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
    this.#timer = parts.driven === undefined ? setInterval(() => this.#tick(), TICK_MS).unref() : undefined
  }

  /** Runs the chats of a conversation after an event in it. */
  wake({ id, agent, closing }: FoldedConversation): void {
    for (const talk of agent === undefined ? closing : [agent, ...closing]) this.#run(id, talk.n)
  }

  /** Applies events of a system to the chat with this key; false: unknown chat. */
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

  /** Hands on that the person writes, if this node drives the chat. */
  personTypes(conversation: string): void {
    for (const { drive, conversation: of } of this.#driven.values())
      if (of === conversation) void drive.personTypes().catch(this.#parts.failed)
  }

  /** Persons who wait at a channel or talk to its agents; the longest wait first. */
  list(channel: string): readonly AgentSessionEntry[] {
    return this.#parts.index.at(channel, MAX_LISTED)
  }

  /** Removes a waiting person from the queue; false: they no longer wait. */
  async clear({ conversation, n }: AgentSessionEntry, fields: JsonObject): Promise<boolean> {
    const isDue = ({ connected }: AgentSession) => connected === undefined
    return this.#record({ conversation, n }).leave('cleared', fields, { isDue })
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
    const time = this.#parts.now()
    for (const [key, { conversation, next }] of this.#driven)
      if (next <= time) this.#run(conversation, Number(key.split(' ')[1]))
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

  #record({ conversation, n }: { readonly conversation: string; readonly n: number }): AgentSessionLog {
    return new AgentSessionLog(this.#drive, conversation, n)
  }

  #of(conversation: string, n: number): Driven {
    const key = `${conversation} ${n}`
    const driven = this.#driven.get(key) ?? {
      drive: new AgentSessionLoop(this.#drive, conversation, n),
      conversation,
      running: undefined,
      isAgain: false,
      next: 0,
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
      const next = await driven.drive.step()
      if (next !== undefined) {
        driven.next = next
        continue
      }
      driven.drive.stop()
      for (const [key, other] of this.#driven) if (other === driven) this.#driven.delete(key)
      return
    } while (driven.isAgain && !this.#isStopped)
  }
}
