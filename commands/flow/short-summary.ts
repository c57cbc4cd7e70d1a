import type { FlowSummary } from '#schemas/flow/summary.ts'

/** Characters of a summary that go into one event. */
const MAX_LENGTH = 300_000
const TITLE = 200
const FIRST_LIMIT = 4000

/** A summary that fits into an event: long titles are cut, and of very many things only the first are named. */
export const shortSummary = (summary: FlowSummary): FlowSummary => {
  for (let limit = FIRST_LIMIT; ; limit = Math.floor(limit / 2)) {
    const short = limited(summary, limit)
    if (limit === 0 || JSON.stringify(short).length <= MAX_LENGTH) return short
  }
}

const limited = ({ added, changed, removed, links, script }: FlowSummary, limit: number): FlowSummary => {
  const first = <T>(list: readonly T[]) => list.slice(0, limit)
  const mention = <T extends { title: string }>(block: T): T => ({ ...block, title: block.title.slice(0, TITLE) })
  return {
    added: first(added).map(mention),
    changed: first(changed).map(mention),
    removed: first(removed).map(mention),
    links: { added: first(links.added), changed: first(links.changed), removed: first(links.removed) },
    script,
  }
}
