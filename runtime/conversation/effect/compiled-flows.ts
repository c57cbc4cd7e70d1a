import { buildFlowDocument } from '#commands/flow/flow-document.ts'
import type { FlowLog } from '#commands/flow/flow-log.ts'
import { type CompiledFlow, compileFlow, type Release, type ReleasedHandler } from '#domain/conversation/release.ts'
import { scriptOf } from '#domain/flow/document/document.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { PartSource } from '../../simulation/lazy-release.ts'

type FlowRow = RowOf<'dialog' | 'handler'>

/** State of the flows to run: as drawn now, or as last published. */
type FlowSource = 'live' | 'published'

/** Limit of compiled flows in memory. */
const MAX_CACHED = 500

/** Compiled flows and scripts by flow and revision; evicts the least recently used ones. */
class RevisionCache<T> {
  readonly #held = new Map<string, T>()

  async get(flow: string, revision: number, make: () => Promise<T>): Promise<T> {
    const key = `${flow} ${revision}`
    const held = this.#held.get(key) ?? (await make())
    this.#held.delete(key)
    this.#held.set(key, held)
    const [oldest] = this.#held.keys()
    if (this.#held.size > MAX_CACHED && oldest !== undefined) this.#held.delete(oldest)
    return held
  }
}

/** Revision of a flow for a source; undefined for a flow that is not published. */
const wantedRevision = async (log: FlowLog, row: FlowRow, source: FlowSource): Promise<number | undefined> => {
  if (source === 'live') return log.revision(row.id)
  return row.published ? (row.publishedrevision ?? undefined) : undefined
}

/** The dialogs and handlers of a bot, ready to be run. */
interface CompiledFlows {
  /** The parts of a bot, each compiled on first use. */
  partsOf(bot: string, source: FlowSource): PartSource
  /** Dialogs by id and handlers, at exactly these revisions. */
  at(dialogs: Readonly<Record<string, number>>, handlers: readonly Omit<ReleasedHandler, 'source'>[]): Promise<Release>
}

export const openCompiledFlows = (log: FlowLog, read: ReadModels): CompiledFlows => {
  const flows = new RevisionCache<CompiledFlow>()
  const scripts = new RevisionCache<string>()

  const withDocument = async <T>(flow: string, revision: number, make: (doc: Parameters<typeof readFlow>[0]) => T) => {
    const state = await log.storedAt(flow, revision)
    const { doc } = await buildFlowDocument(state ?? [])
    try {
      return make(doc)
    } finally {
      doc.destroy()
    }
  }
  const flowAt = (id: string, revision: number): Promise<CompiledFlow> =>
    flows.get(id, revision, () => withDocument(id, revision, doc => compileFlow(id, revision, readFlow(doc))))
  const scriptAt = (id: string, revision: number): Promise<string> =>
    scripts.get(id, revision, () => withDocument(id, revision, doc => scriptOf(doc).toString()))
  const compiled = async (row: FlowRow, source: FlowSource): Promise<readonly CompiledFlow[]> => {
    const revision = await wantedRevision(log, row, source)
    return revision === undefined ? [] : [await flowAt(row.id, revision)]
  }
  const script = async (row: RowOf<'handler'>, source: FlowSource): Promise<readonly ReleasedHandler[]> => {
    const revision = await wantedRevision(log, row, source)
    if (revision === undefined) return []
    const code = await scriptAt(row.id, revision)
    return [{ id: row.id, name: row.name, revision, source: code, slow: row.slow }]
  }
  return {
    async at(dialogs, handlers) {
      const [ready, sources] = await Promise.all([
        Promise.all(Object.entries(dialogs).map(([id, revision]) => flowAt(id, revision))),
        Promise.all(
          handlers.map(async handler => ({ ...handler, source: await scriptAt(handler.id, handler.revision) })),
        ),
      ])
      return {
        dialogs: new Map(ready.map(flow => [flow.dialog, flow])),
        handlers: new Map(sources.map(handler => [handler.id, handler])),
      }
    },
    partsOf: (bot, source) => {
      const own = async <R extends FlowRow>(row: R | undefined): Promise<R | undefined> => {
        const task = row && (await read.detail(SYSTEM_SCOPE, 'dialogtask', row.dialogtask))
        return task?.bot === bot ? row : undefined
      }
      return {
        async dialog(id) {
          const row = await own(await read.detail(SYSTEM_SCOPE, 'dialog', id))
          return row === undefined ? undefined : (await compiled(row, source))[0]
        },
        async handler(id) {
          const row = await own(await read.detail(SYSTEM_SCOPE, 'handler', id))
          return row === undefined ? undefined : (await script(row, source))[0]
        },
      }
    },
  }
}
