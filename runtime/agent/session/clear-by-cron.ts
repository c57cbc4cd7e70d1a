import { nextRuns } from '#domain/cron/next-runs.ts'
import { isObject } from '#domain/flow/document/json.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Agents } from '../open-agents.ts'
import { textOf } from '../read.ts'
import type { AgentTalkRecord } from './agent-index.ts'

const MINUTE_MS = 60_000

/** How long somebody waits until the clock may take them out of the queue, ms. */
const forgottenAfter = ({ queue_tracker_config: config }: JsonObject): number =>
  isObject(config) && typeof config.forgotten_after === 'number' ? config.forgotten_after * MINUTE_MS : 0

interface Queues {
  waitedAt(): readonly string[]
  at(channel: string): readonly AgentTalkRecord[]
}

/**
 * Who is to be taken out of queues by their clock (D-3.2.02). What fell due while no node ran is left out. Every node looks;
 * who was taken out by another one does not wait any more.
 */
export class QueueClock {
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

  async due(): Promise<readonly { readonly talk: AgentTalkRecord; readonly fields: JsonObject }[]> {
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

  /** When the channel's clock was due after one moment and until another. */
  #lastRun(fields: JsonObject, from: number, now: number): number | undefined {
    const expression = textOf(fields.queue_tracker_clear_by_cron)
    if (fields.queue_tracker_enabled !== true || fields.queue_tracker_clear_enabled !== true || expression === '')
      return undefined
    const runs = nextRuns(expression, from, 'UTC', 1)
    const first = runs.ok ? runs.value[0]?.getTime() : undefined
    return first === undefined || first > now ? undefined : first
  }
}
