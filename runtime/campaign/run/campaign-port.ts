import type { Commands } from '#commands/command-handler.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { SenderSource, TemplateSenders } from '../../channel/template/open-senders.ts'
import type { HolidaysOf } from '../../isolation/pooled-work.ts'
import type { Audience, PersonDigests, SuppressionScope } from '../audience/audience.ts'
import type { OptOutLists, OptOuts } from '../optout/opt-outs.ts'
import type { RunIndex } from './run-index.ts'
import type { RunSelections } from './selection.ts'
import type { TokenBucket } from './send-rate.ts'

/** The audience of campaigns, with the HMAC of numbers. */
export interface CampaignAudience extends Audience {
  /** HMAC by which rows name a number in E.164, with or without its plus. */
  hmac(phone: string): string
  /** Places of opted-out people in the given list. */
  suppressedAmong(scope: SuppressionScope, people: readonly PersonDigests[]): ReadonlySet<number>
}

/** Dependencies of sending. */
export interface SendingParts {
  /** The log that contains the runs. */
  readonly store: EventStore
  readonly index: RunIndex
  readonly audience: CampaignAudience
  readonly optOuts: Pick<OptOuts, 'hear' | 'prefer'>
  /** Opt-out lists that hold for a campaign. */
  readonly lists: Pick<OptOutLists, 'ofCampaign'>
  /** Level of an account or a channel; null where there is none. */
  readonly levelOf: (source: SenderSource) => Promise<string | null>
  readonly senders: TemplateSenders
  readonly commands: Pick<Commands, 'execute' | 'openFields'>
  /** Absent: campaigns are sent to their own contacts alone. */
  readonly selections?: RunSelections
  /** HMAC under the index key. */
  readonly hmac: (text: string) => string
  /** Default: on this thread. */
  readonly holidays?: HolidaysOf
  readonly bucketOf: (number: string) => TokenBucket
  readonly now: () => number
  readonly failed: (error: unknown) => void
}

/** Current state of a campaign. */
export interface CampaignState {
  readonly id: string
  readonly fields: JsonObject
}
