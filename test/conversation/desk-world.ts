import type { EventStore } from '#commands/store/port.ts'
import { type DialogSketch, say as sketched } from '#domain/conversation/fixture/talk.ts'
import type { TurnSettings } from '#domain/conversation/release.ts'
import type { OpeningState } from '#domain/desk/opening-hours.ts'
import type { AgentLink } from '#runtime/agent/agent-port.ts'
import type { AgentProfile, DeskDirectory, DeskQueue, QueueTerms } from '#runtime/agent/desk/desk-directory.ts'
import type { DeskNotice } from '#runtime/agent/desk/desk-notices.ts'
import { DeskLink } from '#runtime/agent/desk/desk-port.ts'
import type { OwnDesk } from '#runtime/agent/desk/own-desk.ts'
import type { Agents } from '#runtime/agent/open-agents.ts'
import { openParley } from '#runtime/agent/parley/parley.ts'
import type { OpenedConversations } from '#runtime/conversation/conversation-port.ts'
import type { HeartbeatBus } from '#runtime/conversation/index/node-heartbeat.ts'
import { rowOf } from '../fixture/row-of.ts'
import { until } from './handed.ts'
import { begin, type NodeOptions, openWorld, say, type World } from './world.ts'

/** Asks, hands the person over, and says how they came back. */
const DESK_DIALOG: DialogSketch = {
  start: { type: 'start', to: 'ask' },
  ask: { type: 'prompt', properties: { data: { text: 'Oi?' }, promptType: 'text', varname: 'oi' }, to: 'hand' },
  hand: { type: 'connecttoagent', properties: { agentSystem: 'parley', queue: '', transcript: true }, to: 'back' },
  back: sketched('de volta: {{agent.status}}'),
}

const QUEUE = {
  name: 'Pedidos',
  hierarchylevel: 'root',
  enable: true,
  mode: 'leastbusy',
  sticky_days: 0,
  sticky_wait: 30,
  accept_within: 0,
  answer_within: 0,
  absent_after: 5,
  max_waiting: 200,
  max_wait: 0,
  idle_nudge: 0,
  idle_close: 0,
  timezone: 'America/Sao_Paulo',
  week: [],
  country: 'BR',
  state: null,
  holiday_kinds: [],
  specific_dates: [],
  closed_task: null,
  goal_first: 60,
  goal_answer: 120,
  alert_at: 0,
  texts: [],
  show_agent_name: 'first',
  close_reasons: [],
  reason_required: false,
  csat: 'off',
  csat_text: null,
  csat_comment: null,
  return_targets: [],
  priority_rules: [],
} as const

/** Queues and users of a test; tests change them. */
export class MemoryDirectory implements DeskDirectory {
  readonly users = new Map<string, { capacity: number; mayAnswer: boolean }>()
  hours: OpeningState = { isOpen: true }
  readonly #listeners = new Set<() => void>()
  #queues: DeskQueue[] = []

  setQueue(id: string, members: readonly string[], fields: Partial<DeskQueue> = {}): void {
    const listed = members.map((user, place) => ({ id: `m${place}`, user, priority: 1 }))
    const row = rowOf('deskqueue', id, { ...QUEUE, members: listed, ...fields } as never)
    this.#queues = [...this.#queues.filter(queue => queue.id !== id), row]
    this.change()
  }

  setUser(user: string, fields: Partial<{ capacity: number; mayAnswer: boolean }> = {}): void {
    this.users.set(user, { capacity: 4, mayAnswer: true, ...this.users.get(user), ...fields })
    this.change()
  }

  change(): void {
    for (const listener of this.#listeners) listener()
  }

  queues = async () => this.#queues
  queue = async (id: string) => this.#queues.find(queue => queue.id === id)
  answers = async () => []
  botLevels = async () => new Map([['bot', 'root']])

  async profile(user: string): Promise<AgentProfile> {
    const capacity = this.users.get(user)?.capacity ?? 4
    return { user, name: user, username: user, avatar: '', capacity, isOnPhone: false }
  }

  agentsAt = () => new Set([...this.users].flatMap(([user, { mayAnswer }]) => (mayAnswer ? [user] : [])))
  pauseReasons = async () => []
  supervisorsAt = () => ['chefe']
  levelsAbove = async () => ['root']
  opening = async () => this.hours
  goal = async (_queue: DeskQueue, since: number, seconds: number) => since + seconds * 1000
  /** Kept with each chat that is queued. */
  kept: QueueTerms = { goal: 60 }
  terms = async () => this.kept
  find = async (id: string) => (this.users.has(id) ? id : undefined)
  readonly signedOut = new Set<string>()
  hasSession = (user: string) => !this.signedOut.has(user)

  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

export interface DeskNode {
  readonly on: OpenedConversations
  readonly desk: OwnDesk
}

export interface DeskWorld {
  readonly world: World
  readonly directory: MemoryDirectory
  readonly notices: DeskNotice[]
  node(options?: {
    readonly name?: string
    readonly store?: EventStore
    readonly dies?: boolean
    readonly hints?: HeartbeatBus
    readonly isAlone?: boolean
    readonly past?: NodeOptions['past']
    /** Begins with the read models of this node, and not with empty ones. */
    readonly like?: DeskNode | undefined
  }): Promise<DeskNode>
  /** Number of checks of the times of chats, on all nodes. */
  looks(): number
  /** A user is available and present on these nodes. */
  come(user: string, ...nodes: readonly DeskNode[]): Promise<void>
  /** Opens a conversation of a person, which the bot hands to the desk. Returns its id. */
  waits(node: DeskNode, person: string): Promise<string>
  close(): Promise<void>
}

/** Conversations with Parley's own desk over one store. */
export const openDeskWorld = async (
  openStore?: (folder: string) => Promise<EventStore>,
  settings: Partial<TurnSettings> = {},
): Promise<DeskWorld> => {
  const world = await openWorld(DESK_DIALOG, { agentEnabled: true, ...settings }, undefined, openStore)
  const directory = new MemoryDirectory()
  const notices: DeskNotice[] = []
  const present: (() => void)[] = []
  const timers: NodeJS.Timeout[] = []
  let looks = 0
  return {
    looks: () => looks,
    world,
    directory,
    notices,
    async node(options = {}) {
      const link = new DeskLink()
      const row = rowOf('agentchannel', 'desk', { bot: 'bot', type: 'parley' })
      const system = openParley({ type: 'parley' }, link, 'bot')
      const due = async (chat: AgentLink) => {
        looks += 1
        return (await system.due?.(chat)) ?? 0
      }
      const agents: Agents = {
        channelOf: async () => 'desk',
        open: async () => ({ row, fields: { type: 'parley' }, system: { ...system, due } }),
        check: async () => [],
      }
      const on = await world.node({
        ...options,
        like: options.like?.on,
        agents,
        desk: {
          directory,
          connect: desk => link.connect(desk),
          channelOf: async () => 'desk',
          notify: notice => void notices.push(notice),
        },
      })
      const desk = await on.desk()
      if (desk === undefined) throw new Error('no desk')
      return { on, desk }
    },
    async come(user, ...nodes) {
      const [first] = nodes
      directory.setUser(user)
      const see = () => {
        for (const { desk } of nodes) desk.presence.seen(user, false)
      }
      see()
      present.push(see)
      if (timers.length === 0) timers.push(setInterval(() => present.map(each => each()), 500))
      await first?.desk.places.setState(user, { state: 'available' }, 'self')
      await until(() => {
        for (const { desk } of nodes)
          if (desk.index.place(user)?.state !== 'available') throw new Error('not available')
      })
    },
    async waits({ on }, user) {
      const conversation = await begin(on, user)
      await say(on, conversation, 'oi')
      return conversation
    },
    async close() {
      timers.forEach(clearInterval)
      await world.close()
    },
  }
}
