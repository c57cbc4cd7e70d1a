import { parse } from 'csv-parse/sync'
import type { FastifyInstance } from 'fastify'
import type { ImportItem, ImportPlan, ImportRecord } from '#commands/process/plan-import.ts'
import type { ProcessReport } from '#commands/process/process-report.ts'
import { fieldColumns, keyColumns, unescapeFormula } from '#domain/csv/cell.ts'
import { itemsOf } from '#domain/field/stored-items.ts'
import { importQuery } from '#schemas/api/entity.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { carriesLevel, type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import { readUtf8 } from '#schemas/json.ts'
import type { Language } from '#schemas/language.ts'
import { accepted, type FieldError, type Refusal, type Result, refused } from '#schemas/refusal.ts'
import { RequestRefused } from '../http/failure.ts'
import { handle } from '../http/handle.ts'
import type { Parts, Session } from '../port.ts'
import { problemOf } from '../problem.ts'
import { runWrite, sessionOf } from './command.ts'

/** Rows that an answer describes one by one. */
const MAX_ITEMS = 1000

/** Import of every entity that declares it. CSV is read here and nowhere else. */
export const addImports = async (app: FastifyInstance, parts: Parts): Promise<void> => {
  await app.register(async files => {
    files.removeAllContentTypeParsers()
    files.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (_request, body, done) => {
      const read = readUtf8(body as Buffer)
      if (read.ok) done(null, read.value)
      else done(new RequestRefused(read.refusal))
    })
    for (const entity of Object.values<EntityDeclaration>(ENTITIES))
      if (entity.import !== undefined) addImport(files, parts, entity)
  })
}

const addImport = (app: FastifyInstance, parts: Parts, entity: EntityDeclaration): void => {
  const { name } = entity
  const parent = parentField(entity)
  handle(
    app,
    'POST /{entity}/import',
    { path: { entity: name }, permission: `update${name}`, schemas: { query: importQuery(parent) } },
    async (request, reply) => {
      if (typeof request.body !== 'string') throw new RequestRefused({ code: 'request.mediatype' })
      const within = parent === undefined ? undefined : request.query[parent]
      const records = recordsOf(entity, request.body, typeof within === 'string' ? within : undefined)
      if (!records.ok) throw new RequestRefused(records.refusal)
      const session = sessionOf(request)
      if (!session.caller.permits(`create${name}`)) throw new RequestRefused({ code: 'access.forbidden' })
      const source = { entity, records: records.value, match: matcherOf(parts, session, entity) }
      const { commands } = parts
      const { language, id: correlation } = request
      if (request.query.dryrun) {
        const starter = { caller: session.caller, seed: correlation, correlation }
        return answerOf(await commands.planImport(starter, source), language)
      }
      let rejected: JsonObject | undefined
      const answer = await runWrite(
        parts,
        request,
        reply,
        async (seed, caller, resumed) => {
          const starter = { caller, seed, correlation }
          const earlier = resumed ? await commands.earlierImport(starter) : undefined
          if (earlier !== undefined) return accepted({ result: doneOf(earlier, language) })
          const plan = await commands.planImport(starter, source)
          const planned = answerOf(plan, language)
          if (planned.refused.length > 0) {
            rejected = planned as unknown as JsonObject
            return refused('import.refused', { params: { count: planned.refused.length } })
          }
          if (plan.rows.length === 0) return accepted({ result: planned as unknown as JsonObject })
          const report = await commands.runImport(starter, name, plan)
          const position = await parts.store.head()
          return accepted({ position, result: report === undefined ? {} : doneOf(report, language) })
        },
        { refusedMembers: () => rejected },
      )
      return answer === undefined ? reply : reply.send(answer)
    },
  )
}

const recordsOf = (
  entity: EntityDeclaration,
  text: string,
  parent: string | undefined,
): Result<readonly ImportRecord[]> => {
  let lines: readonly (readonly string[])[]
  try {
    lines = parse(text, { bom: true, skip_empty_lines: true, relax_column_count: true })
  } catch {
    return refused('validation.failed', { errors: [{ path: '', code: 'format' }] })
  }
  const [header = [], ...records] = lines
  const errors = headerErrors(entity, header)
  for (const [index, record] of records.entries())
    if (record.length !== header.length) errors.push({ path: String(index + 1), code: 'format' })
  if (errors.length > 0) return refused('validation.failed', { errors: errors.slice(0, 20) })
  const field = parentField(entity)
  return accepted(
    records.map(record => {
      const cells = Object.fromEntries(header.map((name, at) => [name, unescapeFormula(record[at] ?? '')]))
      const isIn = field !== undefined && parent !== undefined && (cells.id ?? '') === '' && (cells[field] ?? '') === ''
      return isIn ? { ...cells, [field]: parent } : cells
    }),
  )
}

const headerErrors = (entity: EntityDeclaration, header: readonly string[]): FieldError[] => {
  const known = new Set([...keyColumns(entity), ...fieldColumns(entity)])
  if (header.length === 0) return [{ path: '', code: 'required' }]
  return header.flatMap((name, at): FieldError[] => {
    if (!known.has(name)) return [{ path: name, code: 'unknown' }]
    return header.indexOf(name) === at ? [] : [{ path: name, code: 'duplicate' }]
  })
}

/** Finds the entity of a record without an id: the same key in the same parent, or exactly in the same level. */
const matcherOf =
  ({ read }: Parts, { scope, caller }: Session, entity: EntityDeclaration) =>
  async (record: ImportRecord): Promise<readonly string[]> => {
    const parent = parentField(entity)
    const names = [...(entity.import?.key ?? []), ...(parent === undefined ? [] : [parent])]
    const filter = Object.fromEntries(
      names.map(name => [name, (record[name] ?? '') === '' ? null : (record[name] ?? null)]),
    )
    const level = (record.hierarchylevel ?? '') === '' ? caller.level : (record.hierarchylevel ?? '')
    const within = carriesLevel(entity) ? { hierarchylevel: level } : {}
    const { items } = await read.selection(scope, entity.name, { filter, ...within }, 1000)
    if (!carriesLevel(entity)) return items.map(({ id }) => id)
    const rows = await read.rows(
      scope,
      entity.name,
      items.map(({ id }) => id),
    )
    return rows.filter(row => row.hierarchylevel === level).map(({ id }) => id)
  }

const answerOf = ({ items }: ImportPlan, language: Language) => {
  const count = (outcome: ImportItem['outcome']) => items.filter(item => item.outcome === outcome).length
  return {
    rows: items.length,
    created: count('created'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    refused: items.flatMap(({ row, refusal }) =>
      refusal === undefined ? [] : [{ row, errors: errorsOf(refusal, language) }],
    ),
    items: items.slice(0, MAX_ITEMS).map(({ refusal: _refusal, ...item }) => item),
  }
}

const errorsOf = (refusal: Refusal, language: Language) => {
  const { code, detail, errors } = problemOf(refusal, language)
  if (errors === undefined || errors.length === 0) return [{ path: '', code, message: detail }]
  return errors.flatMap(({ path, code, message, items, yours }) => {
    const ids = items === undefined || !Array.isArray(yours) ? [] : items.map(({ id }) => id)
    const positions = ids.map(id => itemsOf(yours).findIndex(item => item.id === id))
    // An item that the file leaves out has no position in it.
    const paths = positions.map(position => (position < 0 ? path : `${path}.${position}`))
    return (paths.length === 0 ? [path] : [...new Set(paths)]).map(at => ({ path: at, code, message }))
  })
}

const doneOf = ({ total, unchanged, written, refused: late, id }: ProcessReport, language: Language): JsonObject => {
  const created = written.filter(([, , action]) => action === 'create').length
  return {
    rows: total + unchanged,
    created,
    changed: written.length - created,
    unchanged,
    refused: late.map(({ row = 0, refusal }) => ({ row, errors: errorsOf(refusal, language) })),
    process: id,
  }
}
