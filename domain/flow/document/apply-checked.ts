import * as Y from 'yjs'
import { type FlowSummary, NO_CHANGES } from '#schemas/flow/summary.ts'
import { summarize } from '../diff/summarize.ts'
import { openFlow } from './document.ts'
import { runWithStepLimit, STEPS_PER_STRUCT, UPDATE_STEPS } from './integration-cost.ts'
import { type FlowLimits, violationOf } from './violation.ts'

/** Clocks of one Yjs client that an update brought: `from` up to, not including, `to`. */
interface ClientRange {
  readonly client: number
  readonly from: number
  readonly to: number
}

type Applied =
  | {
      readonly ok: true
      /** Ids of the nodes and links that it touched. */
      readonly touched: readonly string[]
      readonly summary: FlowSummary
      readonly ranges: readonly ClientRange[]
      /** False where everything in it was known already. */
      readonly changed: boolean
      /** The document keeps structs that wait for missing ones, from this or earlier updates. */
      readonly pending: boolean
      /** Steps of integration beyond those that its structs may take (integration-cost.ts). */
      readonly steps: number
    }
  | { readonly ok: false; readonly reason: string }

const touchedBy = (summary: FlowSummary): readonly string[] => {
  const { added, changed, removed, links } = summary
  return [...added, ...changed, ...removed, ...links.added, ...links.changed, ...links.removed].map(part => part.id)
}

const rangesOf = (transaction: Y.Transaction): readonly ClientRange[] =>
  [...transaction.afterState].flatMap(([client, to]) => {
    const from = transaction.beforeState.get(client) ?? 0
    return to > from ? [{ client, from, to }] : []
  })

/** Whether the document waits for structs that have not come. */
const isPending = (doc: Y.Doc): boolean => doc.store.pendingStructs !== null || doc.store.pendingDs !== null

/**
 * Applies a client's update to a live document and checks what it touched, and only that. When refused, the document
 * holds the refused content: reload it from the log before anyone sees it. `doc.on('update')` may fire for it.
 */
export const applyChecked = (
  doc: Y.Doc,
  update: Uint8Array,
  limits: FlowLimits,
  origin: unknown,
  allowed = UPDATE_STEPS,
): Applied => {
  openFlow(doc)
  let applied: Applied | undefined
  let steps = 0
  const observe = (transaction: Y.Transaction) => {
    // Yjs would remove redundant marks with edits that nobody sent, in time that grows with the square of the deletions.
    transaction._needFormattingCleanup = false
    if (applied !== undefined) return
    const reason = violationOf(transaction, limits)
    if (reason !== null) {
      applied = { ok: false, reason }
      return
    }
    const ranges = rangesOf(transaction)
    const changed = ranges.length > 0 || transaction.deleteSet.clients.size > 0
    const summary = changed ? summarize(transaction) : NO_CHANGES
    applied = { ok: true, touched: touchedBy(summary), summary, ranges, changed, pending: false, steps: 0 }
  }
  doc.on('afterTransaction', observe)
  try {
    steps = runWithStepLimit(allowed, STEPS_PER_STRUCT, () => Y.applyUpdate(doc, update, origin))
  } catch (error) {
    return {
      ok: false,
      reason: `the update cannot be applied: ${error instanceof Error ? error.message : 'unreadable'}`,
    }
  } finally {
    doc.off('afterTransaction', observe)
  }
  if (applied === undefined) return { ok: false, reason: 'malformed update' }
  return applied.ok ? { ...applied, pending: isPending(doc), steps } : applied
}
