import { randomUUID } from 'node:crypto'
import { derivedId, draft } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { SERVICE_STATUSES } from '#schemas/entities/botservice.ts'
import type { Json } from '#schemas/event.ts'
import { entityStream } from '#schemas/events/entity.ts'
import { appendIfFirst, endOf } from '../log/stream-aggregate.ts'
import { isStarted } from '../release/releases.ts'

/** Fields of the record of a service. */
export interface ServiceFields {
  readonly [field: string]: Json
  readonly name: string
  readonly systemid: string
  readonly state: string
  readonly status: string
  readonly buildversion: string | null
}

/** Every node derives the same id for the same part of the same bot. */
const serviceId = (bot: string, systemid: string): string => derivedId(bot, `service ${systemid}`)

const typeOf = (row: RowOf<'botservice'> | undefined, isListed: boolean): string => {
  if (row === undefined) return 'BotServiceCreated'
  return isListed ? 'BotServiceChanged' : 'BotServiceRestored'
}

/** Writes the states of services as events of the entity `botservice`: only when they change, and never twice. */
export class ServiceRecord {
  readonly #store: EventStore
  readonly #read: ReadModels

  constructor(store: EventStore, read: ReadModels) {
    this.#store = store
    this.#read = read
  }

  /** True when an event was written. Writes of other nodes in the meantime are seen at the next look. */
  async put(bot: RowOf<'bot'>, fields: ServiceFields): Promise<boolean> {
    const id = serviceId(bot.id, fields.systemid)
    const listed = await this.#read.detail(SYSTEM_SCOPE, 'botservice', id)
    const row = listed ?? (await this.#read.detail(SYSTEM_SCOPE, 'botservice', id, { removed: true }))
    const known: Readonly<Record<string, Json>> = row ?? {}
    const changed = Object.entries(fields).filter(([name, value]) => (known[name] ?? null) !== value)
    if (changed.length === 0 && listed !== undefined) return false
    const type = typeOf(row, listed !== undefined)
    const data = type === 'BotServiceChanged' ? Object.fromEntries(changed) : { bot: bot.id, ...fields }
    return this.#append(bot, id, row?.revision ?? 0, type, data)
  }

  /** Removes the record of a service whose channel was removed. */
  async remove(bot: RowOf<'bot'>, { id, revision }: RowOf<'botservice'>): Promise<boolean> {
    return this.#append(bot, id, revision, 'BotServiceRemoved', {})
  }

  async #append(
    { hierarchylevel }: RowOf<'bot'>,
    id: string,
    revision: number,
    type: string,
    fields: Readonly<Record<string, Json>>,
  ): Promise<boolean> {
    const stream = entityStream('botservice', id)
    const end = await endOf(this.#store, stream)
    if (end.revision !== revision) return false
    const seed = randomUUID()
    const author = { seed, actor: null, time: new Date().toISOString(), correlation: seed, causation: null }
    const drafts = [draft(author, type, type, hierarchylevel, { fields })]
    return (await appendIfFirst(this.#store, stream, end, drafts)) !== undefined
  }
}

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
