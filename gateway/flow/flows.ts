import type { FlowLog } from '#commands/flow/flow-log.ts'
import { scriptOf } from '#domain/flow/document.ts'
import { exportFlow } from '#domain/flow/export-flow.ts'
import type { FlowKind } from '#realtime/port.ts'
import type { FlowFile } from '#schemas/flow/file.ts'

/** A flow as a file; a handler's carries its script as well. */
export type KindFile = FlowFile & { readonly js?: string }

/** Flows read as files, now and at any revision. */
export interface Flows {
  readonly log: FlowLog
  live(kind: FlowKind, id: string): Promise<{ readonly file: KindFile; readonly revision: number }>
  /** Undefined for a revision that never was. */
  at(kind: FlowKind, id: string, revision: number): Promise<KindFile | undefined>
}

export const openFlows = (log: FlowLog): Flows => {
  const fileOf = (kind: FlowKind, doc: Parameters<typeof exportFlow>[0]): KindFile => {
    const file = exportFlow(doc)
    const whole = kind === 'handler' ? { ...file, js: scriptOf(doc).toString() } : file
    doc.destroy()
    return whole
  }

  return {
    log,
    async at(kind, id, revision) {
      const doc = await log.at(id, revision)
      return doc === undefined ? undefined : fileOf(kind, doc)
    },
    async live(kind, id) {
      const { doc, revision } = await log.load(id)
      return { file: fileOf(kind, doc), revision }
    },
  }
}
