import type { Faults } from './fault.ts'
import type { ServerLog } from './server-log.ts'

export interface DoubleParts {
  readonly faults: Faults
  /** The log changes when the double restarts. */
  log(): ServerLog
  /** Whether the node of the double that got the call is the leader. */
  isLeader(): boolean
  /** Port of the leader. */
  leaderPort(): number
}
