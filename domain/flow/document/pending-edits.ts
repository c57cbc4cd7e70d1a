import * as Y from 'yjs'
import { linksOf, mapAt, nodeOf, nodesOf } from './document.ts'
import type { Content } from './model.ts'
import { fromShared, type SharedMap } from './shared.ts'
import { contentAt, contentEqual, pathOf } from './snapshot.ts'
import type { UnplacedEdit } from './unplaced-edits.ts'

/** Places that one person edited since the last known save. Can be stored as it is. */
export interface PendingPlaces {
  /** A block's id, then the keys down to what was edited. */
  readonly places: readonly (readonly [block: string, ...keys: string[]])[]
  readonly links: readonly string[]
}

interface PendingEdits {
  /** Begins to watch, with what was pending when the document was last left. */
  start(before: PendingPlaces): void
  /** Everything is stored: no edit can be lost any more. */
  clear(): void
  stop(): void
}

interface Listeners {
  /** Origins of local transactions that are no edits of a person. */
  readonly except: ReadonlySet<unknown>
  readonly onPending: (pending: PendingPlaces) => void
  readonly onUnplaced: (edits: readonly UnplacedEdit[]) => void
}

/** A block before another person's edits arrived. */
interface Before {
  readonly map: SharedMap
  readonly node: Content
  readonly places: readonly { readonly place: readonly string[]; readonly chain: readonly unknown[] }[]
  readonly links: readonly (readonly [id: string, link: Content])[]
}

/** The types on the way to a place, the block's map first; undefined if it does not exist. */
const chainOf = (node: SharedMap, place: readonly string[]): readonly unknown[] | undefined => {
  const chain: unknown[] = [node]
  let map: SharedMap = node
  for (const [index, key] of place.entries()) {
    const value = map.get(key)
    const last = index === place.length - 1
    if (value instanceof Y.AbstractType) chain.push(value)
    if (last) return chain
    if (!(value instanceof Y.Map)) return undefined
    map = value
  }
  return chain
}

const contentOf = (node: Content | undefined, place: readonly string[]): Content | undefined =>
  place.reduce<Content | undefined>((held, key) => (held?.kind === 'map' ? held.entries.get(key) : undefined), node)

const plainOf = (link: Content, name: string): unknown => {
  const held = contentOf(link, [name])
  return held?.kind === 'value' ? held.value : undefined
}

/** An edit is lost if a type on its path was replaced, unless the new one has the same content. */
const isLost = (doc: Y.Doc, block: string, before: Before, { place, chain }: Before['places'][number]): boolean => {
  const node = nodeOf(doc, block)
  const now = node === undefined ? undefined : chainOf(node, place)
  if (now !== undefined && chain.every((type, index) => type === now[index])) return false
  return !contentEqual(contentOf(contentAt(doc, 'nodes', block), place), contentOf(before.node, place))
}

const linksAt = (doc: Y.Doc, blocks: ReadonlySet<string>) => {
  const found = new Map<string, (readonly [string, Content])[]>()
  for (const [id, link] of linksOf(doc).entries()) {
    if (!(link instanceof Y.Map)) continue
    const ends = new Set([String(link.get('from')), String(link.get('to'))])
    for (const end of ends) if (blocks.has(end)) found.set(end, [...(found.get(end) ?? []), [id, fromShared(link)]])
  }
  return found
}

/**
 * Watches a document for edits of this person that lose their place through edits of others: the block, list item or
 * text was removed or replaced by a person who did not know of them. Passes them on unchanged.
 */
export const followPending = (doc: Y.Doc, { except, onPending, onUnplaced }: Listeners): PendingEdits => {
  const places = new Map<string, Map<string, readonly string[]>>()
  const drawn = new Set<string>()
  let before: ReadonlyMap<string, Before> | undefined

  const tell = () =>
    onPending({
      places: [...places].flatMap(([block, own]) => [...own.values()].map(keys => [block, ...keys] as const)),
      links: [...drawn],
    })
  const note = (block: string, place: readonly string[]): boolean => {
    const own = places.get(block) ?? new Map<string, readonly string[]>()
    const key = place.join('\n')
    if (own.has(key)) return false
    places.set(block, own.set(key, place))
    return true
  }
  const noteRoot = (share: string, keys: ReadonlySet<string | null>): boolean => {
    let news = false
    for (const id of keys) {
      if (id === null) continue
      if (share === 'nodes') news = (!nodesOf(doc).has(id) && places.delete(id)) || news
      else if (!linksOf(doc).has(id)) news = drawn.delete(id) || news
      else if (!drawn.has(id)) {
        drawn.add(id)
        news = true
      }
    }
    return news
  }
  const noteOwn = (transaction: Y.Transaction) => {
    let news = false
    for (const [type, keys] of transaction.changed) {
      const [share, id, ...rest] = pathOf(type as Y.AbstractType<unknown>)
      if (share !== 'nodes' && share !== 'links') continue
      if (id === undefined) news = noteRoot(share, keys) || news
      else if (share === 'links') news = noteRoot(share, new Set([id])) || news
      else if (type instanceof Y.Map)
        for (const key of keys) news = note(id, key === null ? rest : [...rest, key]) || news
      else news = note(id, rest) || news
    }
    if (news) tell()
  }

  const look = () => {
    const blocks = new Set(places.keys())
    for (const id of drawn) {
      const link = mapAt(linksOf(doc), id)
      for (const end of [link?.get('from'), link?.get('to')]) if (typeof end === 'string') blocks.add(end)
    }
    const links = linksAt(doc, blocks)
    const seen = new Map<string, Before>()
    for (const block of blocks) {
      const map = nodeOf(doc, block)
      const node = contentAt(doc, 'nodes', block)
      if (map === undefined || node === undefined) continue
      const own = [...(places.get(block)?.values() ?? [])].flatMap(place => {
        const chain = chainOf(map, place)
        return chain === undefined ? [] : [{ place, chain }]
      })
      seen.set(block, { map, node, places: own, links: links.get(block) ?? [] })
    }
    return seen
  }

  const unplacedOf = (block: string, seen: Before): UnplacedEdit | undefined => {
    const map = nodeOf(doc, block)
    const lost = seen.places.filter(own => isLost(doc, block, seen, own))
    const mine = seen.links.filter(([id]) => drawn.has(id))
    const loose = map === undefined ? mine : mine.filter(([id]) => !linksOf(doc).has(id) && map !== seen.map)
    if (lost.length === 0 && loose.length === 0) return undefined
    const items = new Set(lost.flatMap(({ place }) => place))
    const went = ([id, link]: readonly [string, Content]) =>
      map === undefined || (!linksOf(doc).has(id) && items.has(String(plainOf(link, 'fromConnector'))))
    return {
      block,
      node: seen.node,
      links: seen.links.filter(link => loose.includes(link) || went(link)),
      places: lost.map(({ place }) => place),
      drawn: loose.map(([id]) => id),
    }
  }

  const onBefore = (transaction: Y.Transaction) => {
    before = transaction.local || (places.size === 0 && drawn.size === 0) ? undefined : look()
  }
  const onAfter = (transaction: Y.Transaction) => {
    if (transaction.local) {
      if (!except.has(transaction.origin)) noteOwn(transaction)
      return
    }
    const unplaced = [...(before ?? [])].flatMap(([block, seen]) => unplacedOf(block, seen) ?? [])
    before = undefined
    if (unplaced.length === 0) return
    for (const { block, places: lost, drawn: loose } of unplaced) {
      for (const place of lost) places.get(block)?.delete(place.join('\n'))
      if (places.get(block)?.size === 0) places.delete(block)
      for (const id of loose) drawn.delete(id)
    }
    onUnplaced(unplaced)
    tell()
  }

  return {
    start: known => {
      for (const [block, ...keys] of known.places) note(block, keys)
      for (const id of known.links) drawn.add(id)
      doc.on('beforeTransaction', onBefore)
      doc.on('afterTransaction', onAfter)
    },
    clear: () => {
      if (places.size === 0 && drawn.size === 0) return
      places.clear()
      drawn.clear()
      tell()
    },
    stop: () => {
      doc.off('beforeTransaction', onBefore)
      doc.off('afterTransaction', onAfter)
    },
  }
}
