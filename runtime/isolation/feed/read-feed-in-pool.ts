import { throwIfDropped } from '../job-result.ts'
import { FEED } from '../jobs.ts'
import type { WorkCaller, WorkPool } from '../work.ts'
import type { FeedInput } from './feed-job.ts'
import type { Feed } from './read-feed.ts'

/** As `readFeed`, in the pool; undefined beyond its limits as well. Rejects only with `WorkDropped`. */
export const readFeedInPool = async (
  { pool, from }: { readonly pool: WorkPool; readonly from: WorkCaller },
  input: FeedInput,
): Promise<Feed | undefined> => {
  const result = throwIfDropped(await pool.run(FEED, input, { from }))
  return result.ok ? result.value : undefined
}
