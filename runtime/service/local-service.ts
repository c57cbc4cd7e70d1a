import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
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
  readonly hasNlu?: (bot: RowOf<'bot'>) => Promise<boolean>
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

/** Parts of a started bot: its runtime, natural language if enabled, and its enabled channels (RUNTIME 94). */
export const localServices = async (bot: RowOf<'bot'>, parts: LocalParts): Promise<readonly LocalService[]> => {
  if (!isStarted(bot)) return []
  const channels = await allRows(parts.read, SYSTEM_SCOPE, 'channel', { bot: bot.id })
  const runtime = await runtimeStatus(bot.id, parts)
  const nlu = bot.nluenabled ? ([(await parts.hasNlu?.(bot)) === true ? 'ready' : 'nlu'] as const) : []
  return [
    { systemid: 'runtime', name: 'runtime', status: runtime },
    ...nlu.map(status => ({ systemid: 'nlu', name: 'nlu', status })),
    ...channels
      .filter(({ enable }) => enable)
      .map(({ id, type, name }) => ({ systemid: `${type}:${id}`, name: name || type, status: runtime })),
  ]
}
