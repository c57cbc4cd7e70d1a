import type { EntityState } from '#domain/behaviour.ts'
import { type EntityDeclaration, foldName } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import { type Keys, openField } from '../keys/secret.ts'

/** A unique name that a thing bears, and the stream that holds it. */
interface Name {
  readonly stream: string
  readonly field: string
  readonly value: string
}

/** The stream that holds a name; `scope` is the id it is unique within, null for everywhere. */
export const nameStream = async (
  keys: Keys,
  entity: string,
  field: string,
  scope: Json,
  value: string,
): Promise<string> => `name-${entity}-${await keys.index.hmac(JSON.stringify([entity, field, scope, foldName(value)]))}`

/** The unique names a thing bears as it stands: none unless it is live. */
export const namesOf = async (keys: Keys, entity: EntityDeclaration, state: EntityState): Promise<Name[]> => {
  if (state.status !== 'live') return []
  const names: Name[] = []
  for (const { field, within } of entity.unique) {
    const value = await openField(keys, entity, state.id, field, state.fields[field] ?? null)
    if (typeof value !== 'string' || foldName(value) === '') continue
    const scope = within === 'everywhere' ? null : within === 'level' ? state.level : (state.fields[within] ?? null)
    names.push({ stream: await nameStream(keys, entity.name, field, scope, value), field, value })
  }
  return names.sort((a, b) => (a.stream < b.stream ? -1 : 1))
}
