import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, own } from '#schemas/json.ts'

/** An option or button of a block, and the output for it. */
export interface Choice {
  /** The item's id; in a list of cards `{card}.{button}`, because two cards may have buttons of one id. */
  readonly output: string
  /** As it is written in the block; '' for a fixed answer. */
  readonly title: string
  /** Title of the card that its button is on; '' outside of a list of cards. */
  readonly card: string
  /** Its answer; '' means its title. */
  readonly value: string
  /** Its places in the lists, from 1, as `1` or `2.1`: the id of its action in messages. '' for a fixed answer. */
  readonly place: string
  /** Keys from the block's properties down to the item; undefined for a fixed answer. */
  readonly path?: readonly string[]
}

export interface ConnectorModel {
  readonly id: string
  /** Label from the file or the person; '' uses the declaration's label. */
  readonly label: string
  /** It belongs to this item of the block's list. */
  readonly item: boolean
  /** Several links may leave it. */
  readonly multiple: boolean
  /** The option or button that a person leaves by it with. */
  readonly choice?: Choice
}

/** One block as the canvas, the form, the lint and the runtime read it; immutable. */
export interface NodeModel {
  readonly id: string
  /** The type as it is written; '' where the document has none. */
  readonly type: string
  /** Whether there is a declaration; a block without one is shown as a marker. */
  readonly known: boolean
  readonly title: string
  readonly x: number
  readonly y: number
  /** The properties in their flow-file form, with the declaration's defaults for missing ones. */
  readonly properties: JsonObject
  readonly inputs: readonly ConnectorModel[]
  /** Items' outputs in the items' order, those of choices, then fixed ones, then others the file names. */
  readonly outputs: readonly ConnectorModel[]
  /** Declared outputs that this block does not show yet; linking from one shows it. */
  readonly moreOutputs: readonly string[]
  /** Properties that no declaration knows, beside inputs and outputs. */
  readonly unknown: readonly string[]
  /** Declared properties whose shape cannot be read. */
  readonly unreadable: readonly string[]
}

export interface LinkModel {
  readonly id: string
  readonly from: string
  readonly fromConnector: string
  readonly fromSubConnector: string | number | null | undefined
  readonly to: string
  readonly toConnector: string
  readonly toSubConnector: string | number | null | undefined
  readonly color: string | undefined
}

export interface FlowModel {
  readonly schema: number
  readonly nodes: ReadonlyMap<string, NodeModel>
  /** Dangling links are left out. */
  readonly links: ReadonlyMap<string, LinkModel>
}

export type { Json, JsonObject }

/**
 * Content at one place of the document, apart from Yjs: a plain value, a Y.Text, a Y.XmlFragment (as its plain-string
 * form), a Y.Map, or a Y.Map of items with `order`. A flow file is encoded into it, a document is read as it.
 */
export type Content =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'rich'; readonly value: string }
  | { readonly kind: 'map'; readonly entries: Entries }
  | { readonly kind: 'list'; readonly items: readonly Item[] }

export type Entries = ReadonlyMap<string, Content>
export interface Item {
  readonly id: string
  readonly entries: Entries
}

/** Sorts items by their fractional key, then by id, so that every replica shows the same order. */
export const byOrder = (a: { id: string; order: string }, b: { id: string; order: string }): number => {
  if (a.order !== b.order) return a.order < b.order ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/** Key of an item's Y.Map that holds its fractional position. */
export const ORDER = 'order'
/** Sorts behind every key that fractional indexing makes: an item without a usable order comes last. */
const LAST = '\uffff'

const orderOf = (entries: Entries): string => {
  const order = entries.get(ORDER)
  return order?.kind === 'value' && typeof order.value === 'string' ? order.value : LAST
}

/** The items of a list in order, from either form; other entries are left out. */
export const itemsOf = (content: Content): readonly Item[] => {
  if (content.kind === 'list') return content.items
  if (content.kind !== 'map') return []
  const items: { id: string; order: string; entries: Entries }[] = []
  for (const [id, item] of content.entries) {
    if (item.kind === 'map') items.push({ id, order: orderOf(item.entries), entries: item.entries })
  }
  return items.sort(byOrder)
}

/** Value at a dotted name, from a block's properties down; undefined if missing. */
export const valueNamed = (values: JsonObject, name: string): Json | undefined =>
  name.split('.').reduce<Json | undefined>((held, key) => (isObject(held) ? own(held, key) : undefined), values)
