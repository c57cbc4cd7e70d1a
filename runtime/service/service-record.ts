import { randomUUID } from 'node:crypto'
import { derivedId, draft } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Json } from '#schemas/event.ts'
import { entityStream } from '#schemas/events/entity.ts'
import { appendIfFirst, endOf } from '../log/stream-aggregate.ts'

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
