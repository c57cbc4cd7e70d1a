import { fault, type Outcome } from '#domain/expression/engine.ts'
import type { ExpressionJob } from '#domain/expression/run-job.ts'
import type { Json, JsonObject } from '#schemas/event.ts'

type RecordsJob = Extract<ExpressionJob, { readonly kind: 'records' }>

/** Outcome for one record. `values`: results of a rule, none for a record left out. `path`, `keyword`: of a schema. */
export type RecordOutcome =
  | { readonly values: readonly Json[] }
  | { readonly fault: string; readonly name?: string }
  | { readonly path: string; readonly keyword: string }

const ok = (value: readonly RecordOutcome[]): Outcome<unknown> => ({ ok: true, value })

const prepareRule = async ({ source, records, bindings }: RecordsJob) => {
  const { parseAta } = await import('#domain/expression/json-ata.ts')
  return async (): Promise<Outcome<unknown>> => {
    const parsed = parseAta(source)
    if (!parsed.ok) return parsed
    const outcomes: RecordOutcome[] = []
    for (const { line, value } of records) {
      const outcome = await parsed.value.evaluateOver(value, { ...bindings, line })
      if (!outcome.ok) {
        const { code, name } = outcome.fault
        outcomes.push({ fault: code, ...(name === undefined ? {} : { name }) })
      } else if (outcome.value === undefined || outcome.value === null) outcomes.push({ values: [] })
      else outcomes.push({ values: (Array.isArray(outcome.value) ? outcome.value : [outcome.value]) as Json[] })
    }
    return ok(outcomes)
  }
}

const OPTIONS = { strict: false, allErrors: false, validateFormats: true, logger: false } as const

/** The validator of a draft, 2020-12 unless `$schema` names another. @throws if the draft is not supported */
const validatorOf = async (schema: JsonObject | boolean) => {
  const dialect = typeof schema === 'object' ? String(schema.$schema ?? '2020-12') : '2020-12'
  const { default: addFormats } = await import('ajv-formats')
  const make = async () => {
    if (dialect.includes('2020-12')) return new (await import('ajv/dist/2020.js')).Ajv2020(OPTIONS)
    if (dialect.includes('2019-09')) return new (await import('ajv/dist/2019.js')).Ajv2019(OPTIONS)
    return new (await import('ajv')).Ajv(OPTIONS)
  }
  const ajv = await make()
  addFormats.default(ajv)
  return ajv.compile(schema)
}

const prepareSchema = async ({ source, records }: RecordsJob) => {
  const text = JSON.parse(source) as JsonObject | boolean
  return async (): Promise<Outcome<unknown>> => {
    let validate: Awaited<ReturnType<typeof validatorOf>>
    try {
      validate = await validatorOf(text)
    } catch {
      return fault('value', { offset: 0, length: source.length })
    }
    return ok(
      records.map(({ value }): RecordOutcome => {
        if (validate(value)) return { values: [value] }
        const [error] = validate.errors ?? []
        const missing = (error?.params as { readonly missingProperty?: string } | undefined)?.missingProperty
        const path = [error?.instancePath.slice(1) ?? '', missing ?? ''].filter(Boolean).join('/')
        return { path, keyword: error?.keyword ?? '' }
      }),
    )
  }
}

/** A rule or a schema over some records, ready to run. */
export const prepareRecords = (job: RecordsJob) => (job.step === 'rule' ? prepareRule(job) : prepareSchema(job))
