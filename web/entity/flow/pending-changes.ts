import type { LinkMention } from '#schemas/flow/summary.ts'
import { MARK_KINDS, type MarkKind } from './read-revisions.ts'

interface Touched {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly fields?: readonly string[]
}

export interface Moment {
  readonly revision: number
  readonly time: string
  readonly authors: readonly { readonly id: string; readonly username: string | null }[]
  readonly summary: {
    readonly added: readonly Touched[]
    readonly changed: readonly Touched[]
    readonly removed: readonly Touched[]
    readonly links?: { readonly [K in MarkKind]: readonly LinkMention[] } | undefined
    /** A handler's code changed. */
    readonly script?: boolean | undefined
  }
}

/** A block to publish, or the code of a handler. */
export interface Going extends Touched {
  readonly kind: MarkKind
  readonly authors: Moment['authors']
  /** Links that leave the block and changed. Those to new and removed blocks are left out: these are listed themselves. */
  readonly links: readonly (LinkMention & { readonly kind: MarkKind })[]
}

/** Id of the entry for a handler's code, which belongs to no block. */
export const CODE = ''

const merged = (before: MarkKind | undefined, kind: MarkKind): MarkKind | undefined => {
  if (before === undefined) return kind
  if (kind === 'removed') return before === 'added' ? undefined : 'removed'
  return before === 'added' ? 'added' : before === 'removed' ? 'changed' : kind
}

const together = (a: Moment['authors'], b: Moment['authors']) => [
  ...new Map([...a, ...b].map(each => [each.id, each])).values(),
]

/** Entries by block. `linked`: blocks of which nothing but links changed. */
interface Pending {
  readonly going: Map<string, Going>
  readonly linked: Set<string>
}

const takeBlocks = ({ going, linked }: Pending, { summary, authors }: Moment): void => {
  for (const kind of MARK_KINDS) {
    for (const touched of summary[kind]) {
      const before = going.get(touched.id)
      const now = merged(before?.kind, kind)
      linked.delete(touched.id)
      if (now === undefined) going.delete(touched.id)
      else {
        const people = together(before?.authors ?? [], authors)
        going.set(touched.id, {
          ...touched,
          kind: now,
          authors: people,
          links: now === 'removed' ? [] : (before?.links ?? []),
        })
      }
    }
  }
}

const takeLinks = ({ going, linked }: Pending, { summary, authors }: Moment): void => {
  const gone = new Set(summary.removed.map(({ id }) => id))
  for (const kind of MARK_KINDS) {
    for (const link of summary.links?.[kind] ?? []) {
      const block = going.get(link.from)
      if (gone.has(link.from) || block?.kind === 'removed') continue
      const others = block?.links.filter(({ id }) => id !== link.id) ?? []
      const now = merged(block?.links.find(({ id }) => id === link.id)?.kind, kind)
      const people = together(block?.authors ?? [], authors)
      if (block === undefined) linked.add(link.from)
      going.set(link.from, {
        ...(block ?? { id: link.from, type: '', title: '', kind: 'changed' }),
        authors: people,
        links: now === undefined ? others : [...others, { ...link, kind: now }],
      })
    }
  }
}

/**
 * Merges moments into one line per block with all its authors; omits blocks added and removed again. A block of which
 * links alone changed has no type and title.
 */
export const pendingBlockChanges = (moments: readonly Moment[]): readonly Going[] => {
  const pending: Pending = { going: new Map(), linked: new Set() }
  const { going, linked } = pending
  for (const moment of moments) {
    takeBlocks(pending, moment)
    takeLinks(pending, moment)
    if (moment.summary.script === true) {
      const authors = together(going.get(CODE)?.authors ?? [], moment.authors)
      going.set(CODE, { id: CODE, type: '', title: '', kind: 'changed', authors, links: [] })
    }
  }
  const isListed = (id: string) => ['added', 'removed'].includes(going.get(id)?.kind ?? '')
  return [...going.values()].flatMap(block => {
    const links = block.links.filter(({ to }) => !isListed(to))
    return linked.has(block.id) && links.length === 0 ? [] : [{ ...block, links }]
  })
}
