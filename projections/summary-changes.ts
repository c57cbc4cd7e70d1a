import type { Json } from '#schemas/event.ts'
import type { FlowSummary } from '#schemas/flow/summary.ts'
import type { Change } from './port.ts'

/** Effects of a run of edits on a flow: one change each for added, changed and removed. */
export const summaryChanges = (summary: FlowSummary): Change[] => {
  const { added, changed, removed, links, script } = summary
  const change = (path: string, before: readonly unknown[], after: readonly unknown[]): Change[] =>
    before.length + after.length === 0 ? [] : [{ path, before: listed(before), after: listed(after) }]
  return [
    ...change('blocks.added', [], added),
    ...change('blocks.changed', [], changed),
    ...change('blocks.removed', removed, []),
    ...change('links.added', [], links.added),
    ...change('links.changed', [], links.changed),
    ...change('links.removed', links.removed, []),
    ...(script ? [{ path: 'js', before: null, after: null }] : []),
  ]
}

const listed = (items: readonly unknown[]): Json => (items.length === 0 ? null : (items as Json[]))
