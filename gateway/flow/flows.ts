import type { Author } from '#commands/author.ts'
import { changeFlow, type FlowChanged } from '#commands/flow/flow-change.ts'
import { createFlowLog, type FlowLog } from '#commands/flow/flow-log.ts'
import type { EventStore } from '#commands/store/port.ts'
import { scriptOf } from '#domain/flow/document.ts'
import { setScript } from '#domain/flow/edit.ts'
import { exportFlow } from '#domain/flow/export-flow.ts'
import { patchBlocks, patchFlow } from '#domain/flow/patch-flow.ts'
import type { ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { FlowKind } from '#realtime/port.ts'
import type { FlowFile } from '#schemas/flow/file.ts'

/** A flow as a file; a handler's carries its script as well. */
export type KindFile = FlowFile & { readonly js?: string }

export interface FlowAt {
  readonly file: KindFile
  readonly revision: number
}

/** Flows over HTTP: read as files, changed in place so that connected editors see one change. */
export interface Flows {
  readonly log: FlowLog
  live(kind: FlowKind, id: string): Promise<FlowAt>
  /** Undefined for a revision that never was. */
  at(kind: FlowKind, id: string, revision: number): Promise<KindFile | undefined>
  replace(id: string, file: KindFile, author: Author): Promise<FlowChanged>
  /** Undefined for a revision that never was. */
  restore(
    kind: FlowKind,
    id: string,
    given: { readonly revision: number; readonly blocks?: readonly string[] },
    author: Author,
  ): Promise<FlowChanged | undefined>
}

const ORIGIN = 'http'

export const openFlows = (store: EventStore, read: ReadModels): Flows => {
  const levelOf = async (flow: string) =>
    (await read.hierarchyOf(SYSTEM_SCOPE, 'dialog', flow)) ??
    (await read.hierarchyOf(SYSTEM_SCOPE, 'handler', flow)) ??
    null
  const log = createFlowLog({ store, keyframe: (flow, atMost) => read.keyframe(flow, atMost), levelOf })

  const fileOf = (kind: FlowKind, doc: Parameters<typeof exportFlow>[0]): KindFile => {
    const file = exportFlow(doc)
    const whole = kind === 'handler' ? { ...file, js: scriptOf(doc).toString() } : file
    doc.destroy()
    return whole
  }

  const at: Flows['at'] = async (kind, id, revision) => {
    const doc = await log.at(id, revision)
    return doc === undefined ? undefined : fileOf(kind, doc)
  }

  return {
    log,
    at,
    async live(kind, id) {
      const { doc, revision } = await log.load(id)
      return { file: fileOf(kind, doc), revision }
    },
    replace: (id, file, author) =>
      changeFlow(
        log,
        id,
        author,
        doc => {
          patchFlow(doc, file, ORIGIN)
          if (file.js !== undefined) setScript(doc, file.js, ORIGIN)
        },
        { kind: 'import' },
      ),
    async restore(kind, id, { revision, blocks }, author) {
      const file = await at(kind, id, revision)
      if (file === undefined) return undefined
      return changeFlow(
        log,
        id,
        author,
        doc => {
          if (blocks !== undefined) return patchBlocks(doc, file, blocks, ORIGIN)
          patchFlow(doc, file, ORIGIN)
          if (file.js !== undefined) setScript(doc, file.js, ORIGIN)
        },
        { kind: 'restore', revision },
      )
    },
  }
}
