import type { Commands } from '#commands/command-handler.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { entityStream } from '#schemas/events/entity.ts'
import { fieldText, objectOf } from '#schemas/json.ts'
import { giveNotice } from '../../alert/give-notice.ts'
import type { StatusCount } from './run-queries.ts'
import { sumsOf } from './statistics.ts'

const HOUR_MS = 3_600_000
/** Share of the messages of a run whose people may opt out before a notice. */
const OPT_OUT_SHARE = 0.02

type CampaignMessage =
  | 'campaign.paused'
  | 'campaign.waiting'
  | 'campaign.completed'
  | 'campaign.expired'
  | 'campaign.unknown'
  | 'campaign.optouts'

const KINDS: Readonly<Record<CampaignMessage, 'alert' | 'warn' | 'info'>> = {
  'campaign.paused': 'alert',
  'campaign.waiting': 'warn',
  'campaign.completed': 'info',
  'campaign.expired': 'warn',
  'campaign.unknown': 'warn',
  'campaign.optouts': 'warn',
}

/** Reasons of pauses that a person caused, who knows them. */
const BY_PERSON: ReadonlySet<string> = new Set(['person', 'disabled'])

interface NoticeParts {
  /** The console's log, which contains the states of campaigns and the notices. */
  readonly console: EventStore
  readonly commands: Pick<Commands, 'openFields'>
  /** Numbers of a run by state, with all events of the log until now. */
  readonly countsOf: (run: string) => Promise<readonly StatusCount[]>
  /** Opt-outs of people after messages of a campaign, from a moment on (ISO 8601). */
  readonly optOutsOf: (campaign: string, since: string) => Promise<number>
  readonly now: () => number
}

/** A wait of a run. */
interface Wait {
  /** Id of the event that began it. */
  readonly event: string
  readonly since: number
  readonly reason: string
  isNotified: boolean
}

const waitFrom = ({ id, time, data }: Pick<StoredEvent, 'id' | 'time' | 'data'>): Wait => ({
  event: id,
  since: Date.parse(time),
  reason: fieldText(objectOf(data.fields), 'run_reason'),
  isNotified: false,
})

/** Notices about the runs of campaigns: each change once, by one of the nodes that see it. */
export class CampaignNotices {
  readonly #parts: NoticeParts
  /** By campaign. */
  readonly #waits = new Map<string, Wait>()
  /** Runs with a notice about opt-outs. */
  readonly #optedOut = new Set<string>()

  constructor(parts: NoticeParts) {
    this.#parts = parts
  }

  /** Hears an event of a campaign. */
  async hear(campaign: string, event: StoredEvent): Promise<void> {
    const { id, type, data } = event
    const fields = objectOf(data.fields)
    const [status, reason] = [fieldText(fields, 'run_status'), fieldText(fields, 'run_reason')]
    // Changes of other fields say nothing about the run.
    if (status === '') return
    if (type === 'CampaignWaiting') {
      this.#waits.set(campaign, waitFrom(event))
      return
    }
    this.#waits.delete(campaign)
    if (type === 'CampaignHeld' && !BY_PERSON.has(reason))
      return this.#give(campaign, 'campaign.paused', id, { reason, mark: reason })
    if (type === 'CampaignEnded') return this.#ended(campaign, status)
  }

  /** Looks at a campaign that waits, again and again. */
  async look(campaign: string): Promise<void> {
    const wait = this.#waits.get(campaign) ?? (await this.#storedWait(campaign))
    if (wait === undefined) return
    this.#waits.set(campaign, wait)
    if (wait.isNotified || this.#parts.now() - wait.since < HOUR_MS) return
    await this.#give(campaign, 'campaign.waiting', wait.event, { reason: wait.reason, mark: wait.reason })
    wait.isNotified = true
  }

  /** Hears that a person opted out after a message of a campaign. */
  async optedOut(campaign: string): Promise<void> {
    const { commands, countsOf, optOutsOf } = this.#parts
    const fields = (await commands.openFields('campaign', campaign)) ?? {}
    const [run, since] = [fieldText(fields, 'run'), fieldText(fields, 'run_started_at')]
    if (run === '' || this.#optedOut.has(run)) return
    const [count, { handedover }] = [await optOutsOf(campaign, since), sumsOf(await countsOf(run))]
    if (handedover === 0 || count <= handedover * OPT_OUT_SHARE) return
    await this.#give(campaign, 'campaign.optouts', run, { count, sent: handedover, mark: run })
    this.#optedOut.add(run)
  }

  async #ended(campaign: string, status: string): Promise<void> {
    if (status !== 'completed' && status !== 'expired') return
    const run = fieldText((await this.#parts.commands.openFields('campaign', campaign)) ?? {}, 'run')
    const { handedover, total, unknown } = sumsOf(await this.#parts.countsOf(run))
    const numbers = { sent: handedover, total, mark: run }
    await this.#give(campaign, status === 'completed' ? 'campaign.completed' : 'campaign.expired', run, numbers)
    if (unknown > 0) await this.#give(campaign, 'campaign.unknown', run, { count: unknown, mark: run })
  }

  /** The wait of a campaign that began before this node. */
  async #storedWait(campaign: string): Promise<Wait | undefined> {
    const last = { direction: 'backwards', limit: 1 } as const
    for await (const event of this.#parts.console.read(entityStream('campaign', campaign), last))
      if (event.type === 'CampaignWaiting') return waitFrom(event)
    return undefined
  }

  /** `of` names the change: a notice about it is given once. */
  #give(campaign: string, message: CampaignMessage, of: string, params: JsonObject): Promise<void> {
    return giveNotice(this.#parts.console, {
      ...{ entity: 'campaign', id: campaign, message, kind: KINDS[message], params, of },
    })
  }
}
