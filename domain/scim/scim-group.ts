import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { membersOf, ScimFault, type ScimOperation, type ScimPath, textOrNull } from './syntax.ts'

/** Values of a group that a request sets. Absent: it stays. */
export interface GroupChange {
  readonly name?: string
  readonly externalid?: string | null
  /** People to add, and to take away: `all` but those that are added. */
  readonly join: ReadonlySet<string>
  readonly leave: ReadonlySet<string> | 'all'
}

const READONLY = new Set(['id', 'meta', 'schemas'])

interface Draft {
  name?: string
  externalid?: string | null
  join: Set<string>
  leave: Set<string> | 'all'
}

const idsOf = (value: Json | undefined): string[] => {
  const listed = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
  return listed.map(one => {
    const id = isObject(one) ? membersOf(one).value : one
    if (typeof id !== 'string' || id === '') throw new ScimFault('invalidValue', 'A member is {value: id}')
    return id
  })
}

const join = (draft: Draft, ids: readonly string[]): void => {
  for (const id of ids) {
    draft.join.add(id)
    if (draft.leave !== 'all') draft.leave.delete(id)
  }
}

const leave = (draft: Draft, ids: readonly string[]): void => {
  for (const id of ids) {
    draft.join.delete(id)
    if (draft.leave !== 'all') draft.leave.add(id)
  }
}

/** The people of `members[value eq "…"]`, or of the value. Undefined: all. */
const namedIn = ({ filter }: ScimPath, value: Json | undefined): string[] | undefined => {
  if (filter !== undefined) {
    if (filter.attribute !== 'value' || typeof filter.value !== 'string')
      throw new ScimFault('invalidFilter', 'A member is members[value eq "id"]')
    return [filter.value]
  }
  return value === undefined || value === null ? undefined : idsOf(value)
}

const setMembers = (draft: Draft, { op, path, value }: ScimOperation): void => {
  if (path.sub !== undefined) throw new ScimFault('invalidPath', 'Of a member only the whole can be changed')
  if (op === 'remove') {
    const named = namedIn(path, value)
    if (named !== undefined) leave(draft, named)
    else {
      draft.join.clear()
      draft.leave = 'all'
    }
    return
  }
  if (op === 'replace') {
    draft.join.clear()
    draft.leave = 'all'
  }
  join(draft, idsOf(value))
}

const apply = (draft: Draft, operation: ScimOperation): void => {
  const { op, path, isExplicit } = operation
  const value = op === 'remove' ? undefined : operation.value
  if (isExplicit && READONLY.has(path.attribute))
    throw new ScimFault('mutability', `${path.attribute} can not be changed`)
  if (path.attribute === 'members') setMembers(draft, operation)
  if (path.attribute === 'externalid') draft.externalid = textOrNull(value, 'externalId')
  if (path.attribute === 'displayname') {
    const name = textOrNull(value, 'displayName')
    if (name === null) throw new ScimFault('invalidValue', 'displayName is required')
    draft.name = name
  }
}

/**
 * The change that all operations of a PATCH make.
 * @throws ScimFault
 */
export const patchGroup = (operations: readonly ScimOperation[]): GroupChange => {
  const draft: Draft = { join: new Set(), leave: new Set() }
  for (const operation of operations) apply(draft, operation)
  return draft
}

/**
 * The change that a whole group makes: its members replace all others.
 * @throws ScimFault
 */
export const readGroup = (body: Json | undefined): GroupChange & { readonly name: string } => {
  if (!isObject(body)) throw new ScimFault('invalidSyntax', 'The body is a Group')
  const members: JsonObject = membersOf(body)
  const draft: Draft = { join: new Set(), leave: 'all' }
  for (const attribute of ['displayname', 'externalid', 'members']) {
    const value = members[attribute]
    if (value !== undefined) apply(draft, { op: 'add', path: { attribute }, value, isExplicit: false })
  }
  const { name } = draft
  if (name === undefined) throw new ScimFault('invalidValue', 'displayName is required')
  return { ...draft, name }
}
