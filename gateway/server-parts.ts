import type { Rooms } from '#realtime/port.ts'
import type { OwnDesk } from '#runtime/agent/desk/own-desk.ts'
import type { Audiences } from '#runtime/campaign/audience/compose-audience.ts'
import type { SentCampaigns } from '#runtime/campaign/run/compose-campaigns.ts'
import type { Exchange } from '#runtime/channel/exchange/open-exchange.ts'
import type { Conversations } from '#runtime/port.ts'
import type { BotServices } from '#runtime/service/bot-services.ts'
import type { RunningNlu } from '#runtime/service/running-nlu.ts'
import type { Flows } from './flow/flows.ts'
import type { Authentication, Parts } from './port.ts'
import type { Sessions } from './session.ts'

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
  /** The contacts of campaigns. */
  readonly audiences?: Audiences
  readonly campaigns?: SentCampaigns
  /** State of the parts of bots, on all nodes. */
  readonly services?: BotServices
  /** Whether bots follow what they understand with, on all nodes. */
  readonly running?: RunningNlu
}
