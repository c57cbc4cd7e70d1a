import type { Commands } from '#commands/command-handler.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Audience } from '../audience/audience.ts'
import type { Graph } from '../meta/graph.ts'
import type { RunIndex } from './run-index.ts'
import type { TokenBucket } from './token-bucket.ts'

/** The people of campaigns, and how their numbers are known. */
export interface CampaignAudience extends Audience {
  /** HMAC of a number, with or without its plus. */
  hmac(phone: string): string
}

/** What a run is sent with. */
export interface SendingParts {
  /** The log that runs lie in. */
  readonly store: EventStore
  readonly index: RunIndex
  readonly audience: CampaignAudience
  readonly graph: Graph
  readonly commands: Pick<Commands, 'execute' | 'openFields'>
  /** Under the index key. */
  readonly hmac: (text: string) => string
  readonly bucketOf: (number: string) => TokenBucket
  readonly now: () => number
  readonly failed: (error: unknown) => void
}

/** What a campaign says of its run now. */
export interface CampaignState {
  readonly id: string
  readonly fields: JsonObject
}
