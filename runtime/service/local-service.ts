import { allRows } from '#projections/all-rows.ts'
import type { ReadModels, Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { SERVICE_STATUSES } from '#schemas/entities/botservice.ts'
import { isStarted } from '../release/running-content.ts'

type ServiceStatus = (typeof SERVICE_STATUSES)[number]

/** A part of a bot on this node. */
export interface LocalService {
  readonly systemid: string
  readonly name: string
  /** `ready`, or why it does not work. */
  readonly status: ServiceStatus
}

interface LocalParts {
  readonly read: ReadModels
  /** Undefined: the store takes writes. */
  readonly refusesWrites: () => string | undefined
  /** Opens the log of conversations where there is one; rejects where it cannot be read. */
  readonly openLog: () => Promise<unknown>
  /** Loads what a bot runs; rejects where it cannot be read. */
  readonly loadRelease: (bot: string) => Promise<unknown>
  /** What was stored of the bot a while ago is not shown here. */
  readonly isBehind: () => Promise<boolean>
  /** Whether natural language answers for a bot; without it, it does for none. */
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

/** The parts that a started bot has: its runtime, natural language where it is on, and its enabled channels (RUNTIME 94). */
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
