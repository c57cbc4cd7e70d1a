import * as Y from 'yjs'
import { MAX_TITLE_LENGTH } from '#schemas/flow/block-field-schema.ts'
import { DEEPEST_PROPERTY } from '#schemas/flow/file.ts'
import { jsonFault } from '#schemas/json.ts'
import { FLOW_SCHEMA, LINK_KEYS, metaOf, NODE_KEYS } from './document.ts'
import { valueBefore } from './snapshot.ts'

export interface FlowLimits {
  /** UTF-16 units of an id, a key or a connector. */
  readonly key: number
  readonly title: number
  /** UTF-16 units of a plain value as JSON, and of one piece of text. */
  readonly value: number
  /** Shared types within each other below `properties`. */
  readonly depth: number
  /** Whether the document is a handler's, which has code. */
  readonly script: boolean
}

export const FLOW_LIMITS: FlowLimits = {
  key: 1000,
  title: MAX_TITLE_LENGTH,
  value: 1_000_000,
  depth: 32,
  script: false,
}

/** Role of a shared type; `foreign` is no part of a flow. */
type Role =
  | 'nodes'
  | 'links'
  | 'meta'
  | 'script'
  | 'node'
  | 'link'
  | 'content'
  | 'text'
  | 'rich'
  | 'element'
  | 'run'
  | 'foreign'
interface Place {
  readonly role: Role
  readonly depth: number
}

const FOREIGN: Place = { role: 'foreign', depth: 0 }
const SHARES: { readonly [name: string]: Role } = { nodes: 'nodes', links: 'links', meta: 'meta' }

const roleOfClass = (type: unknown): Role => {
  if (type instanceof Y.XmlText) return 'run'
  if (type instanceof Y.Text) return 'text'
  if (type instanceof Y.XmlHook) return 'foreign'
  if (type instanceof Y.XmlElement) return 'element'
  if (type instanceof Y.XmlFragment) return 'rich'
  return type instanceof Y.Map ? 'content' : 'foreign'
}

const child = (parent: Place, type: unknown): Place => {
  const role = roleOfClass(type)
  const depth = parent.depth + 1
  switch (parent.role) {
    case 'nodes':
      return role === 'content' ? { role: 'node', depth: 0 } : FOREIGN
    case 'links':
      return role === 'content' ? { role: 'link', depth: 0 } : FOREIGN
    case 'node':
      return role === 'content' ? { role, depth } : FOREIGN
    case 'content':
      return role === 'content' || role === 'text' || role === 'rich' ? { role, depth } : FOREIGN
    case 'rich':
    case 'element':
      return role === 'element' || role === 'run' ? { role, depth } : FOREIGN
    default:
      return FOREIGN
  }
}

/** Places of the types that one transaction touched, each found once. */
const placesOf = (doc: Y.Doc, limits: FlowLimits) => {
  const known = new Map<unknown, Place>()
  for (const [name, share] of doc.share) {
    const role = name === 'js' && limits.script ? 'script' : Object.hasOwn(SHARES, name) ? SHARES[name] : undefined
    known.set(share, { role: role ?? 'foreign', depth: 0 })
  }
  const find = (type: Y.AbstractType<unknown>): Place => {
    const held = known.get(type)
    if (held !== undefined) return held
    const parent = type._item?.parent
    const place = parent instanceof Y.AbstractType ? child(find(parent), type) : FOREIGN
    known.set(type, place)
    return place
  }
  return find
}

const isText = (value: unknown, max: number) => typeof value === 'string' && value.length <= max

const isPos = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false
  const { x, y } = value as { x?: unknown; y?: unknown }
  return Number.isFinite(x) && Number.isFinite(y)
}

const isSub = (value: unknown, max: number) => value === null || Number.isFinite(value) || isText(value, max)

/** `above`: shared types of the property around the value, which are objects and lists in a flow file. */
const isStorable = (value: unknown, max: number, above = 0): boolean => {
  if (typeof value === 'string') return value.length <= max
  if (jsonFault(value, DEEPEST_PROPERTY - above) !== null) return false
  return typeof value !== 'object' || JSON.stringify(value).length <= max
}

/** Fault of a plain value at a key, or null. */
const valueFault = ({ role, depth }: Place, key: string, value: unknown, limits: FlowLimits): string | null => {
  const fault = (fine: boolean) => (fine ? null : `${role}.${key} has a wrong or oversize value`)
  switch (role) {
    case 'node':
      if (key === 'type') return fault(isText(value, limits.key))
      if (key === 'title') return fault(isText(value, limits.title))
      return fault(key === 'pos' && isPos(value))
    case 'link':
      if (key === 'fromSubConnector' || key === 'toSubConnector') return fault(isSub(value, limits.key))
      return fault(isText(value, limits.key))
    case 'meta':
      return fault(value === FLOW_SCHEMA)
    case 'content':
    case 'element':
      return fault(isStorable(value, limits.value, Math.max(0, depth - 1)))
    default:
      return `a plain value in ${role}`
  }
}

const keyFault = (role: Role, key: string, limits: FlowLimits): string | null => {
  const keys: readonly string[] | undefined =
    role === 'node' ? NODE_KEYS : role === 'link' ? LINK_KEYS : role === 'meta' ? ['schema'] : undefined
  if (keys !== undefined && !keys.includes(key)) return `a ${role} has no key ${JSON.stringify(key.slice(0, 100))}`
  return key.length > limits.key ? `a key in ${role} is too long` : null
}

const entryFault = (place: Place, key: string, item: Y.Item, find: Find, limits: FlowLimits): string | null => {
  const { role } = place
  if (role === 'text' || role === 'run' || role === 'rich' || role === 'script') return `${role} has no keys`
  const wrong = keyFault(role, key, limits)
  if (wrong !== null) return wrong
  if (role === 'link' && key !== 'color' && item.origin !== null) return `link.${key} is set in place of another`
  const { content } = item
  if (content instanceof Y.ContentType) {
    const inner = find(content.type as Y.AbstractType<unknown>)
    if (role === 'node' && key !== 'properties') return `node.${key} is not a plain value`
    if (inner.role === 'foreign') return `a shared type that does not belong at ${role}.${key.slice(0, 100)}`
    return inner.depth > limits.depth ? 'shared types too deep within each other' : null
  }
  if (content instanceof Y.ContentAny || content instanceof Y.ContentJSON) {
    return valueFault(place, key, content.getContent().at(-1), limits)
  }
  return `binary or embedded content in ${role}`
}

const pieceFault = (place: Place, item: Y.Item, find: Find, limits: FlowLimits): string | null => {
  const { role } = place
  const { content } = item
  if (content instanceof Y.ContentString) {
    if (role !== 'text' && role !== 'run' && role !== 'script') return `text in ${role}`
    return content.str.length > limits.value ? 'a text is too long' : null
  }
  if (content instanceof Y.ContentFormat && role === 'run') {
    return isStorable(content.value, limits.value) ? null : 'a mark is too large'
  }
  if (content instanceof Y.ContentType && (role === 'rich' || role === 'element')) {
    const inner = find(content.type as Y.AbstractType<unknown>)
    if (inner.role === 'foreign') return `a shared type that does not belong in ${role}`
    return inner.depth > limits.depth ? 'shared types too deep within each other' : null
  }
  return `content that does not belong in ${role}`
}

type Find = (type: Y.AbstractType<unknown>) => Place

const itemFault = (item: Y.Item, find: Find, limits: FlowLimits): string | null => {
  if (item.deleted || !(item.parent instanceof Y.AbstractType)) return null
  const place = find(item.parent as Y.AbstractType<unknown>)
  if (place.role === 'foreign') return 'a share or type that a flow does not have'
  return item.parentSub === null
    ? pieceFault(place, item, find, limits)
    : entryFault(place, item.parentSub, item, find, limits)
}

/** The server alone changes the document's shape. */
const schemaFaultOf = (transaction: Y.Transaction): string | null => {
  const meta = metaOf(transaction.doc)
  const before = valueBefore(meta, 'schema', transaction)
  return before !== undefined && meta.get('schema') !== before ? 'meta.schema is changed or removed' : null
}

/**
 * Content of a transaction that no honest client can send, or null. Checks only the new content; a missing position, a
 * dangling link and an unknown type are fine. Call it while the transaction's observers run.
 */
export const violationOf = (transaction: Y.Transaction, limits: FlowLimits): string | null => {
  const { doc } = transaction
  const find = placesOf(doc, limits)
  const schemaFault = schemaFaultOf(transaction)
  if (schemaFault !== null) return schemaFault
  for (const [client, after] of transaction.afterState) {
    const before = transaction.beforeState.get(client) ?? 0
    const structs = after === before ? undefined : doc.store.clients.get(client)
    if (structs === undefined) continue
    for (let index = Y.findIndexSS(structs, before); index < structs.length; index += 1) {
      const struct = structs[index]
      const fault = struct instanceof Y.Item ? itemFault(struct, find, limits) : null
      if (fault !== null) return fault
    }
  }
  return null
}
