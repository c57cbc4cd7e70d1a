import { nextRuns } from '#domain/cron/next-runs.ts'
import { isObject } from '#domain/flow/document/json.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Agents } from '../open-agents.ts'
import { textOf } from '../read.ts'
import type { AgentTalkRecord } from './agent-index.ts'

const MINUTE_MS = 60_000

/** ms that a person waits until the clock may remove them from the queue. */
const forgottenAfter = ({ queue_tracker_config: config }: JsonObject): number =>
  isObject(config) && typeof config.forgotten_after === 'number' ? config.forgotten_after * MINUTE_MS : 0

interface Queues {
  waitedAt(): readonly string[]
  at(channel: string): readonly AgentTalkRecord[]
}

/**
 * Finds persons that the clock of a queue removes (D-3.2.02). Runs missed while no node was up are skipped. Every node
 * checks; a person removed by another node no longer waits.
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

  /** First run of the channel's clock after `from` and until `now`. */
  #lastRun(fields: JsonObject, from: number, now: number): number | undefined {
    const expression = textOf(fields.queue_tracker_clear_by_cron)
    if (fields.queue_tracker_enabled !== true || fields.queue_tracker_clear_enabled !== true || expression === '')
      return undefined
    const runs = nextRuns(expression, from, 'UTC', 1)
    const first = runs.ok ? runs.value[0]?.getTime() : undefined
    return first === undefined || first > now ? undefined : first
  }
}
