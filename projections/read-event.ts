import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import { ORIGIN_PREFIX } from '#schemas/events/session.ts'
import { FORGOTTEN, isObject } from './column-value.ts'
import type { Table } from './table.ts'

/** Decrypts a personal value of a user; undefined when that user was forgotten. `context` is the place it was made for. */
export type DecryptPersonal = (
  user: string,
  sealed: JsonObject,
  context: string,
) => Promise<Json | undefined> | Json | undefined

const isPersonal = (value: Json | undefined): value is JsonObject => isObject(value) && '$personal' in value

/** An event with its personal values in clear, as far as their key still exists. */
export const openPersonal = async (
  event: StoredEvent,
  tables: ReadonlyMap<string, Table>,
  decrypt: DecryptPersonal,
): Promise<StoredEvent> => {
  const dash = event.stream.indexOf('-')
  const id = event.stream.slice(dash + 1)
  const { fields, user } = event.data
  const owner = tables.has(event.stream.slice(0, dash)) ? id : event.stream.startsWith(ORIGIN_PREFIX) ? user : undefined
  if (typeof owner !== 'string' || !isObject(fields)) return event
  const opened: Record<string, Json> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (!isPersonal(value)) continue
    opened[name] = (await decrypt(owner, value, `${event.stream}.${name}`)) ?? { [FORGOTTEN]: true }
  }
  return { ...event, data: { ...event.data, fields: { ...fields, ...opened } } }
}

/** Whether it must be opened before it is folded: most events need not wait for that. */
export const hasPersonal = (event: StoredEvent): boolean => {
  const { fields } = event.data
  return isObject(fields) && Object.values(fields).some(isPersonal)
}
