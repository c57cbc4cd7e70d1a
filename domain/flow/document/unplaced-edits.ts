import type * as Y from 'yjs'
import type { FlowFile } from '#schemas/flow/file.ts'
import { exportFlow } from '../file/export-flow.ts'
import { createFlow, linksOf, mapAt, nodeOf, nodesOf } from './document.ts'
import type { Content, FlowModel } from './model.ts'
import { readFlow } from './read-flow.ts'
import { patchEntry, type SharedMap, toShared } from './shared.ts'
import { contentAt, contentEqual } from './snapshot.ts'

/**
 * Edits of one block that had no place after the document was synchronized: another person removed or rebuilt the block
 * or the edited part. Can be stored as it is.
 */
export interface UnplacedEdit {
  readonly block: string
  /** The whole block as its author saw it. */
  readonly node: Content
  /** Links at the block that went with what was removed, and those that its author drew, by id. */
  readonly links: readonly (readonly [id: string, link: Content])[]
  /** Edited places: keys down from the block's map. */
  readonly places: readonly (readonly string[])[]
  /** Those of the links that its author drew. */
  readonly drawn: readonly string[]
}

const entryOf = (content: Content | undefined, key: string): Content | undefined =>
  content?.kind === 'map' ? content.entries.get(key) : undefined

const outputsOf = (node: Content) => entryOf(entryOf(node, 'properties'), 'outputs')

/** Writes the edit of one place; restores missing parents as a whole. */
const putPlace = (node: SharedMap, place: readonly string[], seen: Content): void => {
  let map = node
  let held: Content | undefined = seen
  for (const [index, key] of place.entries()) {
    held = entryOf(held, key)
    const next = mapAt(map, key)
    if (held === undefined) {
      map.delete(key)
      return
    }
    if (next === undefined || index === place.length - 1) {
      const comesBack = !map.has(key)
      patchEntry(map, key, held)
      if (comesBack) putOutputs(node, key, seen)
      return
    }
    map = next
  }
}

/** A list's item that comes back brings its outputs along: its own, and those of the items in it. */
const putOutputs = (node: SharedMap, item: string, seen: Content): void => {
  const held = outputsOf(seen)
  const outputs = mapAt(mapAt(node, 'properties'), 'outputs')
  if (held?.kind !== 'map' || outputs === undefined) return
  for (const [connector, output] of held.entries)
    if (connector.split('.').includes(item) && !outputs.has(connector)) outputs.set(connector, toShared(output))
}

const endOf = (link: Content, end: 'from' | 'to'): string => {
  const value = entryOf(link, end)
  return value?.kind === 'value' && typeof value.value === 'string' ? value.value : ''
}

/**
 * Puts edits back: removed blocks return as their author saw them, blocks that exist get what was edited alone. A link
 * that merely went along comes back where its output is still free; one that the author drew takes its output.
 */
export const restoreUnplacedEdits = (doc: Y.Doc, edits: readonly UnplacedEdit[], origin: unknown): void => {
  doc.transact(() => {
    for (const { block, node, places } of edits) {
      const present = nodeOf(doc, block)
      if (present === undefined) nodesOf(doc).set(block, toShared(node))
      else for (const place of places) putPlace(present, place, node)
    }
    const links = linksOf(doc)
    for (const [id, link, drawn] of edits.flatMap(edit =>
      edit.links.map(([id, link]) => [id, link, edit.drawn.includes(id)] as const),
    )) {
      const held = mapAt(links, id)
      const joins = nodesOf(doc).has(endOf(link, 'from')) && nodesOf(doc).has(endOf(link, 'to'))
      if (joins && (held === undefined || (drawn && held.get('to') !== endOf(link, 'to'))))
        links.set(id, toShared(link))
    }
  }, origin)
}

const contentOf = (node: Content | undefined, place: readonly string[]): Content | undefined =>
  place.reduce<Content | undefined>((held, key) => (held === undefined ? undefined : entryOf(held, key)), node)

/** Whether the flow has the content of an edit by now, from any author. */
export const isPlaced = (doc: Y.Doc, { block, node, places, links, drawn }: UnplacedEdit): boolean => {
  const held = contentAt(doc, 'nodes', block)
  if (held === undefined) return false
  const says = (place: readonly string[]) => {
    const [now, own] = [contentOf(held, place), contentOf(node, place)]
    return now === undefined || own === undefined ? now === own : contentEqual(now, own)
  }
  const leads = ([id, link]: UnplacedEdit['links'][number]) => mapAt(linksOf(doc), id)?.get('to') === endOf(link, 'to')
  return places.every(says) && links.filter(([id]) => drawn.includes(id)).every(leads)
}

/** The blocks of these edits as their author saw them, with the links among them: as a file, and to be shown. */
export const showUnplaced = (
  edits: readonly UnplacedEdit[],
): { readonly file: FlowFile; readonly model: FlowModel } => {
  const doc = createFlow()
  restoreUnplacedEdits(doc, edits, 'unplaced')
  const shown = { file: exportFlow(doc), model: readFlow(doc) }
  doc.destroy()
  return shown
}
