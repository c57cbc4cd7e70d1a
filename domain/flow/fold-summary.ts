import type { BlockChange, BlockMention, FlowSummary, LinkMention } from '#schemas/flow/summary.ts'

interface Sides<T> {
  readonly added: readonly T[]
  readonly changed: readonly T[]
  readonly removed: readonly T[]
}
type State = 'added' | 'changed' | 'removed'

const next = (before: State | undefined, now: State): State | undefined => {
  if (before === undefined) return now
  if (before === 'added') return now === 'removed' ? undefined : 'added'
  if (before === 'removed') return now === 'removed' ? 'removed' : 'changed'
  return now === 'removed' ? 'removed' : 'changed'
}

/** Joins what happened to each thing, in order: added and then removed leaves nothing. */
const foldSides = <T extends { readonly id: string }>(
  sides: readonly Sides<T>[],
  join: (before: T | undefined, now: T) => T,
): { readonly state: State; readonly item: T }[] => {
  const folded = new Map<string, { state: State; item: T }>()
  for (const side of sides) {
    for (const state of ['removed', 'added', 'changed'] as const) {
      for (const item of side[state]) {
        const before = folded.get(item.id)
        const after = next(before?.state, state)
        if (after === undefined) folded.delete(item.id)
        else folded.set(item.id, { state: after, item: join(before?.item, item) })
      }
    }
  }
  return [...folded.values()]
}

const withFields = (mention: BlockMention | BlockChange): BlockChange => ({
  ...mention,
  fields: 'fields' in mention ? mention.fields : [],
})

const joinBlocks = (before: BlockChange | undefined, now: BlockChange): BlockChange => ({
  ...now,
  fields: [...new Set([...(before?.fields ?? []), ...now.fields])].sort(),
})

const named = ({ id, type, title }: BlockMention): BlockMention => ({ id, type, title })

/** One summary of several edits, oldest first. */
export const foldSummaries = (summaries: readonly FlowSummary[]): FlowSummary => {
  const blocks = foldSides<BlockChange>(
    summaries.map(({ added, changed, removed }) => ({
      added: added.map(withFields),
      changed,
      removed: removed.map(withFields),
    })),
    joinBlocks,
  )
  const links = foldSides<LinkMention>(
    summaries.map(summary => summary.links),
    (_, now) => now,
  )
  const blocksOf = (state: State) => blocks.flatMap(({ state: is, item }) => (is === state ? [item] : []))
  const linksOf = (state: State) => links.flatMap(({ state: is, item }) => (is === state ? [item] : []))
  return {
    added: blocksOf('added').map(named),
    changed: blocksOf('changed'),
    removed: blocksOf('removed').map(named),
    links: { added: linksOf('added'), changed: linksOf('changed'), removed: linksOf('removed') },
    script: summaries.some(summary => summary.script),
  }
}
