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
  }
}
export interface Going extends Touched {
  readonly kind: 'added' | 'changed' | 'removed'
  readonly authors: Moment['authors']
}

const KINDS = ['added', 'changed', 'removed'] as const

const merged = (before: Going | undefined, kind: Going['kind']): Going['kind'] | undefined => {
  if (before === undefined) return kind
  if (kind === 'removed') return before.kind === 'added' ? undefined : 'removed'
  return before.kind === 'added' ? 'added' : before.kind === 'removed' ? 'changed' : kind
}

const together = (a: Moment['authors'], b: Moment['authors']) => [
  ...new Map([...a, ...b].map(each => [each.id, each])).values(),
]

/** Merges moments into one line per block with all its authors; omits blocks added and removed again. */
export const pendingBlockChanges = (moments: readonly Moment[]): readonly Going[] => {
  const going = new Map<string, Going>()
  for (const { summary, authors } of moments) {
    for (const kind of KINDS) {
      for (const touched of summary[kind]) {
        const before = going.get(touched.id)
        const now = merged(before, kind)
        if (now === undefined) going.delete(touched.id)
        else going.set(touched.id, { ...touched, kind: now, authors: together(before?.authors ?? [], authors) })
      }
    }
  }
  return [...going.values()]
}
