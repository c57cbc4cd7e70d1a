import type { EntityState } from '#domain/behaviour.ts'
import { parentIn } from '#domain/entity-tree.ts'
import { type EntityDeclaration, parentField, uniqueFields } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import { foldName } from '#schemas/fold-name.ts'
import { type Keys, openField } from '../keys/secret.ts'

/** A unique name that a thing bears, and the stream that holds it. `field` is empty where it is the only one of its parent. */
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

/** The id that a name is unique within; undefined where the rule is for things of another place. */
const scopeOf = (
  entity: EntityDeclaration,
  { level, fields }: Extract<EntityState, { status: 'live' }>,
  within: string,
): Json | undefined => {
  if (within === 'everywhere') return null
  // A thing that may be in a parent or in a level has a rule for each.
  if (within === 'level') return parentIn(entity, fields) === undefined ? level : undefined
  return fields[within] ?? (entity.withoutParent === undefined ? null : undefined)
}

/** The unique names a thing bears as it stands: none unless it is live. */
export const namesOf = async (keys: Keys, entity: EntityDeclaration, state: EntityState): Promise<Name[]> => {
  if (state.status !== 'live') return []
  const names: Name[] = []
  if (entity.cardinality === 'optional') {
    const parent = parentField(entity)
    const scope = parent === undefined ? state.level : (state.fields[parent] ?? null)
    names.push({ stream: await nameStream(keys, entity.name, '', scope, ''), field: '', value: '' })
  }
  for (const unique of entity.unique) {
    const { within } = unique
    const fields = uniqueFields(unique)
    const values = await Promise.all(
      fields.map(field => openField(keys, entity, state.id, field, state.fields[field] ?? null)),
    )
    const field = fields.at(-1) ?? ''
    const last = values.at(-1)
    // Numbers are unique together: 1.4.2 of a release.
    const value = values.every(one => typeof one === 'number') ? values.join('.') : last
    if (typeof value !== 'string' || foldName(value) === '') continue
    const scope = scopeOf(entity, state, within)
    if (scope === undefined) continue
    const each = values.map(one => (typeof one === 'string' ? foldName(one) : one))
    const joined = values.length === 1 ? value : JSON.stringify(each)
    names.push({ stream: await nameStream(keys, entity.name, fields.join('+'), scope, joined), field, value })
  }
  return names.sort((a, b) => (a.stream < b.stream ? -1 : 1))
}
