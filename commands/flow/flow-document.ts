import * as Y from 'yjs'
import { withFields } from '#domain/flow/diff/summarize.ts'
import { openFlow } from '#domain/flow/document/document.ts'
import { setScript } from '#domain/flow/document/edit.ts'
import { keepMarks, meteredLoad } from '#domain/flow/document/integration-cost.ts'
import { patchBlocks, patchFlow } from '#domain/flow/document/patch-flow.ts'
import { exportFlow } from '#domain/flow/file/export-flow.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { FlowFile, FlowOperator } from '#schemas/flow/file.ts'
import { own, record } from '#schemas/json.ts'
import { TimeSlicer } from '../time-slicer.ts'

/** Makes a document say what a file and, for a handler, its code say. */
export const patchDocument = (doc: Y.Doc, file: FlowFile, script: string | undefined, origin: string): void =>
  doc.transact(() => {
    patchFlow(doc, file, origin)
    if (script !== undefined) setScript(doc, script, origin)
  }, origin)

export const entityHasScript = ({ flow }: EntityDeclaration): boolean => flow?.script === true

interface RestoreSelection {
  readonly hasScript: boolean
  readonly blocks?: readonly string[] | undefined
  readonly fields?: readonly string[] | undefined
}

interface Past {
  readonly file: FlowFile
  readonly script: string
}

/** Brings a document, blocks of it with their links, or fields of those blocks, back to a past one, in place. */
export const restoreDocument = (
  doc: Y.Doc,
  { hasScript, blocks, fields }: RestoreSelection,
  { file, script }: Past,
): void => {
  if (blocks !== undefined && fields !== undefined) patchFields(doc, file, blocks, fields)
  else if (blocks !== undefined) patchBlocks(doc, file, blocks, 'restore')
  else patchDocument(doc, file, hasScript ? script : undefined, 'restore')
}

/** The blocks as they are now, with these fields as the file has them. */
const patchFields = (doc: Y.Doc, file: FlowFile, blocks: readonly string[], fields: readonly string[]): void => {
  const now = exportFlow(doc)
  const operators = blocks.flatMap((id): [string, FlowOperator][] => {
    const held = own(now.operators, id)
    const wanted = own(file.operators, id)
    if (held === undefined || wanted === undefined) return []
    return [[id, withFields(held as JsonObject, wanted as JsonObject, fields) as FlowOperator]]
  })
  const chosen = operators.map(([id]) => id)
  patchBlocks(doc, { ...now, operators: record(operators) }, chosen, 'restore')
}

/** A state as a document, made update by update so that others have their turn in between. Rejects with `TooCostly`. */
export const buildFlowDocument = async (
  state: readonly Uint8Array[],
): Promise<{ readonly doc: Y.Doc; readonly steps: number }> => {
  const doc = openFlow(new Y.Doc())
  keepMarks(doc)
  const slicer = new TimeSlicer()
  let taken = 0
  for (const update of state) {
    taken += meteredLoad(() => Y.applyUpdate(doc, update), taken)
    await slicer.pause()
  }
  return { doc, steps: taken }
}
