import type { FlowLog } from '#commands/flow/flow-log.ts'
import type { FlowKind, Rooms } from '#realtime/port.ts'
import type { OwnDesk } from '#runtime/agent/desk/own-desk.ts'
import type { Alerts } from '#runtime/alert/alerts.ts'
import type { Audiences } from '#runtime/campaign/audience/compose-audience.ts'
import type { SentCampaigns } from '#runtime/campaign/run/compose-campaigns.ts'
import type { Exchange } from '#runtime/channel/exchange/open-exchange.ts'
import type { PublicEvents } from '#runtime/event/public-events.ts'
import type { Conversations } from '#runtime/port.ts'
import type { Sample } from '#runtime/sample/open-sample.ts'
import type { BotServices } from '#runtime/service/bot-services.ts'
import type { RunningNlu } from '#runtime/service/running-nlu.ts'
import type { Webhooks } from '#runtime/webhook/webhooks.ts'
import type { Sessions } from './http/guard.ts'
import type { Authentication, Parts } from './port.ts'

/** Flows read as files, now and at any revision. Answers are JSON, ready to be sent. */
export interface Flows {
  readonly log: FlowLog
  live(kind: FlowKind, id: string): Promise<{ readonly file: string; readonly revision: number }>
  /** Undefined for a revision that never was. */
  at(kind: FlowKind, id: string, revision: number): Promise<string | undefined>
  /** Difference between two revisions; undefined when one of them never existed. */
  difference(id: string, from: number, to: number): Promise<string | undefined>
}

export const openFlows = (log: FlowLog): Flows => ({
  log,
  async live(kind, id) {
    const { state, revision } = await log.stored(id)
    return { file: await log.work.perform({ do: 'file', state, hasScript: kind === 'handler' }), revision }
  },
  async at(kind, id, revision) {
    const state = await log.storedAt(id, revision)
    return state === undefined ? undefined : log.work.perform({ do: 'file', state, hasScript: kind === 'handler' })
  },
  async difference(id, from, to) {
    const [before, after] = await Promise.all([log.storedAt(id, from), log.storedAt(id, to)])
    if (before === undefined || after === undefined) return undefined
    return log.work.perform({ do: 'difference', before, after })
  },
})

/** Dependencies of the HTTP server. */
export interface ServerParts {
  readonly parts: Parts
  readonly authentication: Authentication
  readonly sessions: Sessions
  readonly rooms: Rooms
  readonly flows: Flows
  /** Without them no chat is served. */
  readonly conversations?: Conversations & {
    exchange?(): Promise<Exchange>
    openedExchange?(): Exchange | undefined
    desk?(): Promise<OwnDesk | undefined>
  }
  /** Events for programs outside. */
  readonly events?: PublicEvents
  readonly webhooks?: Webhooks
  /** Alerts to the addresses of levels. */
  readonly sample?: Sample
  /** Alerts to the addresses of levels. */
  readonly alerts?: Pick<Alerts, 'levelFor' | 'ofLevel' | 'test'>
  /** The contacts of campaigns. */
  readonly audiences?: Audiences
  readonly campaigns?: SentCampaigns
  /** State of the parts of bots, on all nodes. */
  readonly services?: BotServices
  /** Whether bots follow what they understand with, on all nodes. */
  readonly running?: RunningNlu
}
