import { withCurrentPlans } from '../process/current-plan.ts'
import { bypassCacheOnce } from './bypass-cache.ts'
import type { Attempt, RegisteredCommand } from './command-context.ts'
import { idempotent } from './idempotent.ts'

/**
 * A command that appends to other streams than its target's. None of its appends finds out that a cached target is
 * stale: the target is read from the store, and a process that the command begins checks it again.
 */
export const acrossStreams = (permission: string, attempt: Attempt): RegisteredCommand => ({
  permission,
  attempt: idempotent((context, run) => attempt(withCurrentPlans(bypassCacheOnce(context), run), run)),
})
