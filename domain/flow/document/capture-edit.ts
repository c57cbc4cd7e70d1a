import * as Y from 'yjs'
import type { FlowSummary } from '#schemas/flow/summary.ts'
import { summarize } from '../diff/summarize.ts'

interface CapturedEdit {
  readonly update: Uint8Array
  readonly summary: FlowSummary
}

/** Runs an edit of one transaction and answers what it wrote; null when it wrote nothing. */
export const captureEdit = (doc: Y.Doc, edit: () => void): CapturedEdit | null => {
  const updates: Uint8Array[] = []
  let summary: FlowSummary | undefined
  const onUpdate = (update: Uint8Array) => updates.push(update)
  const onTransaction = (transaction: Y.Transaction) => {
    if (transaction.changed.size > 0) summary ??= summarize(transaction)
  }
  doc.on('update', onUpdate)
  doc.on('afterTransaction', onTransaction)
  try {
    edit()
  } finally {
    doc.off('update', onUpdate)
    doc.off('afterTransaction', onTransaction)
  }
  if (summary === undefined || updates.length === 0) return null
  return { update: Y.mergeUpdates(updates), summary }
}
