import type * as Y from 'yjs'
import type { Content } from '../document/content.ts'
import { linksOf, nodesOf } from '../document/document.ts'
import { type Change, changesBetween, contentAt, type Place } from '../document/snapshot.ts'
import { pathOf } from '../document/transaction-before.ts'

/** Content of nodes and links before an edit, stored beside the document; read only if it may be needed. */
interface Shadow {
  /** Reads what is not up to date, at most so many of them; answers whether there is more. */
  read(most?: number): boolean
  /** Marks content of a transaction as outdated. */
  outdate(transaction: Y.Transaction): void
  /** Changes of a transaction since the last full read. */
  renew(transaction: Y.Transaction): readonly Change[]
}

type Part = readonly [share: Place[0], id: string]

const partsOf = (doc: Y.Doc): readonly Part[] => [
  ...[...nodesOf(doc).keys()].map(id => ['nodes', id] as const),
  ...[...linksOf(doc).keys()].map(id => ['links', id] as const),
]

const touchedBy = (transaction: Y.Transaction): readonly Part[] =>
  [...transaction.changed].flatMap(([type, keys]) => {
    const [share, id] = pathOf(type as Y.AbstractType<unknown>)
    if (share !== 'nodes' && share !== 'links') return []
    const ids = id === undefined ? [...keys].filter(key => key !== null) : [id]
    return ids.map(each => [share, each] as const)
  })

const keyed = (parts: readonly Part[]) => new Map(parts.map(part => [part.join(' '), part]))

export const createShadow = (doc: Y.Doc): Shadow => {
  const held = { nodes: new Map<string, Content>(), links: new Map<string, Content>() }
  const stale = keyed(partsOf(doc))
  const hold = (share: Place[0], id: string): Content | undefined => {
    const content = contentAt(doc, share, id)
    if (content === undefined) held[share].delete(id)
    else held[share].set(id, content)
    return content
  }
  return {
    read: (most = stale.size) => {
      for (const [key, [share, id]] of [...stale].slice(0, most)) {
        hold(share, id)
        stale.delete(key)
      }
      return stale.size > 0
    },
    outdate: transaction => {
      for (const [key, part] of keyed(touchedBy(transaction))) stale.set(key, part)
    },
    renew: transaction =>
      [...keyed(touchedBy(transaction)).values()].flatMap(([share, id]) => {
        const before = held[share].get(id)
        return changesBetween([share, id], before, hold(share, id))
      }),
  }
}
