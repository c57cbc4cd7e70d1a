import type { Json, JsonObject } from '#schemas/event.ts'
import { type EngineName, fault, type Outcome, type ParserName, type PathParserName } from './engine.ts'
import { openEngine } from './engines.ts'
import type { TemplateKind } from './template.ts'

/** Evaluation job of a worker; plain data, so that it crosses threads. */
export type ExpressionJob =
  | { readonly kind: 'expression'; readonly engine: EngineName; readonly source: string; readonly context: JsonObject }
  | {
      readonly kind: 'template'
      readonly text: string
      readonly template: TemplateKind
      readonly parser: ParserName
      readonly context: JsonObject
    }
  | { readonly kind: 'pattern'; readonly source: string; readonly text: string }
  | {
      /** One rule or schema over several records; the gateway's worker alone does it. */
      readonly kind: 'records'
      readonly step: 'rule' | 'schema'
      readonly source: string
      readonly records: readonly { readonly line: number; readonly value: JsonObject }[]
      readonly bindings: JsonObject
    }
  | { readonly kind: 'path'; readonly parser: PathParserName; readonly source: string; readonly input: Json }

/** Ready to run: all code is there, so that what is timed from here on is the job alone. */
export type PreparedJob = () => Outcome<unknown> | Promise<Outcome<unknown>>

/** Nothing fits what is not a pattern. */
const fits = ({ source, text }: Extract<ExpressionJob, { kind: 'pattern' }>): Outcome<unknown> => {
  try {
    return { ok: true, value: new RegExp(source, 'u').test(text) }
  } catch {
    return fault('syntax', { offset: 0, length: source.length })
  }
}

/** Fetches what a job needs. A path gives the list of what it selects (JSONPath) or its value (JsonAta). */
export const prepareJob = async (job: ExpressionJob): Promise<PreparedJob> => {
  if (job.kind === 'expression') {
    const engine = await openEngine(job.engine)
    return () => {
      const parsed = engine.parse(job.source)
      return parsed.ok ? parsed.value.evaluate(job.context) : parsed
    }
  }
  if (job.kind === 'template') {
    const { evaluateTemplate } = await import('./template-evaluate.ts')
    await openEngine(job.parser)
    return () => evaluateTemplate({ text: job.text, kind: job.template, parser: job.parser }, job.context)
  }
  if (job.kind === 'pattern') return () => fits(job)
  if (job.kind === 'records') return () => fault('limit', { offset: 0, length: job.source.length })
  if (job.parser === 'JSONPath') {
    const { selectAll } = await import('./json-path.ts')
    return () => selectAll(job.source, job.input)
  }
  const { parseAta } = await import('./json-ata.ts')
  return () => {
    const parsed = parseAta(job.source)
    return parsed.ok ? parsed.value.evaluateOver(job.input) : parsed
  }
}
