import type * as Y from 'yjs'
import { setScript } from '#domain/flow/document/edit.ts'
import { patchFlow } from '#domain/flow/document/patch-flow.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { FlowFile } from '#schemas/flow/file.ts'

/** Makes a document say what a file and, for a handler, its code say. */
export const patchWhole = (doc: Y.Doc, file: FlowFile, script: string | undefined, origin: string): void =>
  doc.transact(() => {
    patchFlow(doc, file, origin)
    if (script !== undefined) setScript(doc, script, origin)
  }, origin)

export const entityHasScript = ({ flow }: EntityDeclaration): boolean => flow?.script === true
