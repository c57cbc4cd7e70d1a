import { folded } from '#schemas/fold-text.ts'

interface TreeItem {
  readonly id: string
  readonly name: string
  readonly parent: string | null
}

export interface TreeRow<T extends TreeItem> {
  readonly item: T
  readonly depth: number
  readonly children: number
  readonly open: boolean
}

/**
 * The rows of a tree from its top, children by name without case. `wanted` keeps what contains it and what lies above;
 * then everything kept is open.
 */
export const treeRows = <T extends TreeItem>(
  items: readonly T[],
  closed: ReadonlySet<string>,
  wanted = '',
): readonly TreeRow<T>[] => {
  const ids = new Set(items.map(item => item.id))
  const childrenOf = new Map<string | null, T[]>()
  for (const item of items) {
    const parent = item.parent !== null && ids.has(item.parent) ? item.parent : null
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), item])
  }
  for (const children of childrenOf.values()) children.sort((a, b) => folded(a.name).localeCompare(folded(b.name)))
  const kept = (item: T): boolean =>
    folded(item.name).includes(folded(wanted)) || (childrenOf.get(item.id) ?? []).some(kept)
  const rows: TreeRow<T>[] = []
  const walk = (parent: string | null, depth: number) => {
    for (const item of childrenOf.get(parent) ?? []) {
      if (wanted !== '' && !kept(item)) continue
      const open = wanted !== '' || !closed.has(item.id)
      rows.push({ item, depth, children: childrenOf.get(item.id)?.length ?? 0, open })
      if (open) walk(item.id, depth + 1)
    }
  }
  walk(null, 0)
  return rows
}

/** A thing and everything below it. */
export const subtreeOf = (items: readonly Omit<TreeItem, 'name'>[], top: string): ReadonlySet<string> => {
  const found = new Set([top])
  // Items that are added while the set is walked are walked too.
  for (const id of found) for (const item of items) if (item.parent === id) found.add(item.id)
  return found
}
