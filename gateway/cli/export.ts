import { resolve } from 'node:path'
import { countEvents } from '#commands/store/embedded/event-file.ts'
import { StoreUnavailable } from '#commands/store/port.ts'
import { openServedAudit, type ServedAudit } from '#projections/open-read-models.ts'
import type { AuditQuery } from '#projections/query-results.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { auditExportQuery } from '#schemas/api/query.ts'
import type { Settings } from '#schemas/settings.ts'
import { type CommandInput, type Run, WrongUsage } from './command.ts'
import { type OpenFolder, openFolder } from './open-folder.ts'
import { openProgress, writeLines } from './progress.ts'
import { openCaughtUpReadModels } from './read-models.ts'

/** Lines asked for at a time. */
const PAGE = 1000

type Filter = Omit<AuditQuery, 'page' | 'size'>

/** `parley export`. */
export const exportAudit: Run = async ({ settings, options }) => {
  const { output, ...asked } = options
  const filter = filterOf(asked)
  const read = await openAudit(settings)
  try {
    const written = await writeLines(linesOf(read, filter), output)
    if (typeof output === 'string') process.stdout.write(`${written.toLocaleString('en')} lines\n`)
  } finally {
    await read.close()
  }
  return 0
}

const filterOf = (asked: CommandInput['options']): Filter => {
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
  const read = auditExportQuery.safeParse({ ...given, format: 'jsonl' })
  if (!read.success) throw new WrongUsage(`--${String(read.error.issues[0]?.path[0])} is not understood.`)
  const { format: _, ...filter } = read.data
  return filter as Filter
}

/** Audit shown by a running gateway, or one of several; without one, everything. */
const openAudit = async (settings: Settings): Promise<ServedAudit> => {
  const served = () => openServedAudit(resolve(settings.PARLEY_DATA, 'projections'))
  if (settings.EVENTSTORE_URL !== undefined) return served()
  let open: OpenFolder
  try {
    open = await openFolder(settings)
  } catch (error) {
    if (error instanceof StoreUnavailable) return served()
    throw error
  }
  try {
    const read = await openCaughtUpReadModels(open, settings, countEvents(open.folder))
    return {
      audit: (scope, query) => read.audit(scope, query),
      async close() {
        await read.close()
        await open[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await open[Symbol.asyncDispose]()
    throw error
  }
}

/** From one fixed moment, so that lines written meanwhile shift nothing. */
async function* linesOf(read: ServedAudit, filter: Filter): AsyncGenerator<string> {
  const progress = openProgress('Exporting')
  const fixed = { ...filter, to: filter.to ?? new Date().toISOString() }
  let written = 0
  for (let page = 1; ; page++) {
    const { items, total } = await read.audit(SYSTEM_SCOPE, { ...fixed, page, size: PAGE })
    for (const item of items) yield `${JSON.stringify(item)}\n`
    written += items.length
    progress.at(written, total)
    if (items.length < PAGE) break
  }
  progress.done()
}
