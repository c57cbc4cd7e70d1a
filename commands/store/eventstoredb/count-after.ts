import { BACKWARDS, END, type KurrentDBClient } from '@kurrent/kurrentdb-client'
import { known, unavailable } from './failure.ts'
import { Patience } from './patience.ts'
import { patiently } from './patiently.ts'
import { fromPosition } from './position.ts'
import { notTheServers } from './read-log.ts'
import { toLogEvent } from './record.ts'

/** Events counted one by one; those before are taken to be as large as these. */
const COUNTED = 500
/** Readers of metrics do not wait for a frozen server. */
const DEADLINE = 1_000

/** Number of this program's events after a position. @throws StoreUnavailable */
export const countAfter = async (client: KurrentDBClient, position: string): Promise<number> => {
  const commits: bigint[] = []
  let read = 0
  try {
    const filter = notTheServers()
    const options = {
      direction: BACKWARDS,
      fromPosition: END,
      maxCount: COUNTED,
      filter,
      requiresLeader: true,
    } as const
    for await (const resolved of patiently(client.readAll(options), new Patience(DEADLINE))) {
      read += 1
      const event = toLogEvent(resolved)
      if (event === undefined || resolved.event?.position === undefined) continue
      if (event.position <= position) return commits.length
      commits.push(resolved.event.position.commit)
    }
  } catch (error) {
    throw known(error, 'the log') ?? unavailable(error)
  }
  if (read < COUNTED) return commits.length
  return commits.length + before(commits, fromPosition(position)?.commit ?? 0n)
}

/** About how many there are between a position and the oldest that was counted. */
const before = (commits: readonly bigint[], position: bigint): number => {
  const [newest, oldest] = [commits.at(0), commits.at(-1)]
  if (newest === undefined || oldest === undefined || newest === oldest) return 0
  const size = Number(newest - oldest) / (commits.length - 1)
  return Math.round(Number(oldest - position) / size)
}
