import * as Y from 'yjs'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { BlockChange, BlockMention, FlowSummary, LinkMention } from '#schemas/flow/summary.ts'
import { isObject, own, record, textOf } from '#schemas/json.ts'
import { fieldAt } from '../document/location.ts'
import { unescapeKey } from '../document/shape.ts'
import { pathOf, valueBefore } from '../document/snapshot.ts'

/** The dotted name for display: a list's name covers changes in its items. */
const propertyName = (type: string, keys: readonly string[]): string | undefined => {
  const names: string[] = []
  for (const key of keys) {
    const name = unescapeKey(key, false)
    if (name === undefined) return names.length === 0 ? undefined : names.join('.')
    names.push(name)
    const field = fieldAt(type, names)
    if (field === undefined || field.kind !== 'group') break
  }
  const name = names.join('.')
  return ['type', 'title', 'pos'].includes(name) ? `properties.${name}` : name
}

/**
 * The field that a place in a block belongs to: `title`, `pos`, or a property's dotted name. `keys` lead down from the
 * block's map; undefined for what no person knows.
 */
export const fieldName = (type: string, keys: readonly string[]): string | undefined => {
  const [first, ...names] = keys
  if (first !== 'properties') return first
  return names.length === 0 ? 'properties' : propertyName(type, names)
}

/** The type of a block's map, '' where it has none. */
const typeOf = (node: unknown): string => {
  const type = node instanceof Y.Map ? node.get('type') : undefined
  return typeof type === 'string' ? type : ''
}

type Look = (map: Y.Map<unknown>, key: string) => unknown

const mention = (id: string, node: unknown, look: Look): BlockMention =>
  node instanceof Y.Map
    ? { id, type: textOf(look(node, 'type')), title: textOf(look(node, 'title')) }
    : { id, type: '', title: '' }

const linkMention = (id: string, link: unknown, look: Look): LinkMention =>
  link instanceof Y.Map
    ? { id, from: textOf(look(link, 'from')), to: textOf(look(link, 'to')) }
    : { id, from: '', to: '' }

class Changes {
  readonly nodes = { added: [] as BlockMention[], removed: [] as BlockMention[] }
  readonly links = { added: [] as LinkMention[], changed: [] as LinkMention[], removed: [] as LinkMention[] }
  readonly fields = new Map<string, Set<string>>()
  script = false

  field(id: string, name: string | undefined) {
    if (name === undefined) return
    const names = this.fields.get(id) ?? new Set()
    this.fields.set(id, names.add(name))
  }
}

const rootChanges = (
  changes: Changes,
  share: string,
  root: Y.Map<unknown>,
  keys: ReadonlySet<string | null>,
  before: Look,
): void => {
  const now: Look = (map, key) => map.get(key)
  for (const id of keys) {
    if (id === null) continue
    const old = before(root, id)
    const current = root.get(id)
    if (share === 'links') {
      if (old === undefined && current !== undefined) changes.links.added.push(linkMention(id, current, now))
      else if (current === undefined && old !== undefined) changes.links.removed.push(linkMention(id, old, before))
      else if (current !== undefined) changes.links.changed.push(linkMention(id, current, now))
    } else if (old === undefined && current !== undefined) changes.nodes.added.push(mention(id, current, now))
    else if (current === undefined && old !== undefined) changes.nodes.removed.push(mention(id, old, before))
    else if (current !== undefined) changes.field(id, 'properties')
  }
}

const changedBlocks = (changes: Changes, nodes: Y.Map<unknown>): BlockChange[] => {
  const gone = new Set([...changes.nodes.added, ...changes.nodes.removed].map(node => node.id))
  return [...changes.fields].flatMap(([id, fields]) => {
    const node = nodes.get(id)
    if (gone.has(id) || node === undefined) return []
    const names = [...fields].filter(name => name !== 'outputs' || fields.size === 1)
    return [{ ...mention(id, node, (map, key) => map.get(key)), fields: names.sort() }]
  })
}

const changedLinks = (changes: Changes): LinkMention[] => {
  const other = new Set([...changes.links.added, ...changes.links.removed].map(link => link.id))
  const first = new Map<string, LinkMention>()
  for (const link of changes.links.changed) {
    if (!other.has(link.id) && !first.has(link.id)) first.set(link.id, link)
  }
  return [...first.values()]
}

/** Summary of a transaction, ready to display. Call it while its observers run (`afterTransaction`). */
export const summarize = (transaction: Y.Transaction): FlowSummary => {
  const { doc } = transaction
  const nodes = doc.getMap('nodes')
  const links = doc.getMap('links')
  const before: Look = (map, key) => valueBefore(map, key, transaction)
  const changes = new Changes()
  for (const [type, keys] of transaction.changed) {
    const [share, id, ...rest] = pathOf(type as Y.AbstractType<unknown>)
    if (share === 'js') changes.script = true
    if (share !== 'nodes' && share !== 'links') continue
    if (id === undefined) rootChanges(changes, share, share === 'nodes' ? nodes : links, keys, before)
    else if (share === 'links') changes.links.changed.push(linkMention(id, links.get(id), (map, key) => map.get(key)))
    else {
      const node = nodes.get(id)
      for (const key of type instanceof Y.Map ? keys : [null]) {
        changes.field(id, fieldName(typeOf(node), key === null ? rest : [...rest, key]))
      }
    }
  }
  return {
    ...changes.nodes,
    changed: changedBlocks(changes, nodes),
    links: { added: changes.links.added, changed: changedLinks(changes), removed: changes.links.removed },
    script: changes.script,
  }
}

const valueAt = (value: Json | undefined, names: readonly string[]): Json | undefined =>
  names.reduce<Json | undefined>((held, name) => (isObject(held) ? own(held, name) : undefined), value)

const assign = (target: JsonObject, [name, ...rest]: readonly string[], value: Json | undefined): JsonObject => {
  if (name === undefined) return target
  const held = own(target, name)
  const inner = rest.length === 0 ? value : assign(isObject(held) ? held : {}, rest, value)
  const others = Object.entries(target).filter(([other]) => other !== name)
  return record(inner === undefined ? others : [...others, [name, inner]])
}

/**
 * An operator with chosen fields from another version of it; fields missing there are removed. A field is named as in a
 * difference: `title`, `pos`, `properties.…`, dotted.
 */
export const withFields = (operator: JsonObject, wanted: JsonObject, fields: readonly string[]): JsonObject =>
  fields.reduce((next, field) => {
    if (field === 'pos') return assign(assign(next, ['left'], own(wanted, 'left')), ['top'], own(wanted, 'top'))
    const names = field.split('.')
    return assign(next, names, valueAt(wanted, names))
  }, operator)

interface CapturedEdit {
  readonly update: Uint8Array
  readonly summary: FlowSummary
}

/** Runs an edit of one transaction and answers what it wrote; null when it wrote nothing. */
export const captureEdit = (doc: Y.Doc, edit: () => void): CapturedEdit | null => {
  const updates: Uint8Array[] = []
  let summary: FlowSummary | undefined
  const onUpdate = (update: Uint8Array) => updates.push(update)
  const onTransaction = (transaction: Y.Transaction) => {
    if (transaction.changed.size > 0) summary ??= summarize(transaction)
  }
  doc.on('update', onUpdate)
  doc.on('afterTransaction', onTransaction)
  try {
    edit()
  } finally {
    doc.off('update', onUpdate)
    doc.off('afterTransaction', onTransaction)
  }
  if (summary === undefined || updates.length === 0) return null
  return { update: Y.mergeUpdates(updates), summary }
}
