import { allRows } from '#projections/all-rows.ts'
import type { ReadModels, Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { SERVICE_STATUSES } from '#schemas/entities/botservice.ts'
import { isStarted } from '../release/releases.ts'

type ServiceStatus = (typeof SERVICE_STATUSES)[number]

/** A part of a bot on this node. */
export interface LocalService {
  readonly systemid: string
  readonly name: string
  /** `ready`, or the reason why it does not work. */
  readonly status: ServiceStatus
}

interface LocalParts {
  readonly read: ReadModels
  /** Undefined: the store accepts writes. */
  readonly refusesWrites: () => string | undefined
  /** Opens the log of conversations if there is one; rejects if it cannot be read. */
  readonly openLog: () => Promise<unknown>
  /** Loads the release of a bot; rejects if it cannot be read. */
  readonly loadRelease: (bot: string) => Promise<unknown>
  /** True if this node does not show older changes of the bot yet. */
  readonly isBehind: () => Promise<boolean>
  /** Whether a bot has natural language; absent: no bot has. */
  readonly hasNlu?: (bot: Row) => Promise<boolean>
}

const worked = (attempt: Promise<unknown>): Promise<boolean> =>
  attempt.then(
    () => true,
    () => false,
  )

const runtimeStatus = async (bot: string, parts: LocalParts): Promise<ServiceStatus> => {
  if (parts.refusesWrites() !== undefined) return 'store'
  if (!(await worked(parts.openLog()))) return 'log'
  if (await parts.isBehind()) return 'behind'
  return (await worked(parts.loadRelease(bot))) ? 'ready' : 'release'
}

const channelSystemId = (channel: Row): string => `${String(channel.type)}:${channel.id}`

/** Parts of a started bot: its runtime, natural language if enabled, and its enabled channels (RUNTIME 94). */
export const localServices = async (bot: Row, parts: LocalParts): Promise<readonly LocalService[]> => {
  if (!isStarted(bot)) return []
  const channels = await allRows(parts.read, SYSTEM_SCOPE, 'channel', { bot: bot.id })
  const runtime = await runtimeStatus(bot.id, parts)
  const nlu = bot.nluenabled === true ? ([(await parts.hasNlu?.(bot)) === true ? 'ready' : 'nlu'] as const) : []
  return [
    { systemid: 'runtime', name: 'runtime', status: runtime },
    ...nlu.map(status => ({ systemid: 'nlu', name: 'nlu', status })),
    ...channels
      .filter(({ enable }) => enable === true)
      .map(channel => ({
        systemid: channelSystemId(channel),
        name: typeof channel.name === 'string' && channel.name !== '' ? channel.name : String(channel.type),
        status: runtime,
      })),
  ]
}
