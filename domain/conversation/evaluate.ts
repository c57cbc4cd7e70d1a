import { parseRich } from '#domain/flow/text/rich-text.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { ExpressionJob } from '../expression/run-job.ts'
import { type Part, splitTemplate, type TemplateKind } from '../expression/template.ts'
import type { EffectOf, Evaluated, EvaluationJob, Steps } from './effect.ts'
import { perform, recordProblem, type Turn } from './turn.ts'
import { contextOf } from './variables.ts'

/** A text of a block to evaluate, and its place in the block (dotted). */
export interface BlockText {
  readonly at: string
  readonly text: string
  readonly template: TemplateKind
}

export const blockText = (at: string, value: Json | undefined, template: TemplateKind = 'text'): BlockText => ({
  at,
  text: typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value),
  template,
})

/** A value as text: '' for none, JSON for objects and lists. */
export const shownText = (value: Json | undefined): string =>
  value === undefined || value === null || Number.isNaN(value)
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

/** Asks for all of a block's expressions at once. */
export function* evaluateJobs(
  turn: Turn,
  jobs: readonly EvaluationJob[],
  context?: JsonObject,
): Steps<readonly Evaluated[]> {
  if (jobs.length === 0) return []
  const { values } = yield* perform(turn, { kind: 'evaluate', jobs, context: context ?? contextOf(turn) })
  return jobs.map((_, place) => values[place] ?? { ok: false, fault: 'time' })
}

/**
 * Runs computations without side effects in parallel: their simultaneous evaluations become one job. All
 * of them use the present variables.
 */
export function* evaluateTogether<T extends readonly unknown[]>(
  ...runs: { readonly [K in keyof T]: Steps<T[K]> }
): Steps<T> {
  const open = (runs as readonly Steps<unknown>[]).map(run => ({ run, step: run.next() }))
  for (;;) {
    const asking: { readonly of: (typeof open)[number]; readonly effect: EffectOf<'evaluate'> }[] = []
    for (const of of open) {
      while (!of.step.done && of.step.value.kind !== 'evaluate') of.step = of.run.next(yield of.step.value)
      if (!of.step.done && of.step.value.kind === 'evaluate') asking.push({ of, effect: of.step.value })
    }
    const [first] = asking
    if (first === undefined) return open.map(({ step }) => step.value) as unknown as T
    const answer = yield { ...first.effect, jobs: asking.flatMap(({ effect }) => effect.jobs) }
    if (answer.kind !== 'evaluate') throw new Error(`evaluate was answered as ${answer.kind}`)
    let place = 0
    for (const { of, effect } of asking) {
      const values = answer.values.slice(place, place + effect.jobs.length)
      // Its time counts once.
      of.step = of.run.next({ kind: 'evaluate', values, ms: place === 0 ? answer.ms : 0 })
      place += effect.jobs.length
    }
  }
}

/**
 * The value of each text, in their order: undefined for one that has a fault, which is recorded. A text without a
 * placeholder is itself, and asks for nothing.
 */
export function* evaluateTexts(
  turn: Turn,
  texts: readonly BlockText[],
  context?: JsonObject,
): Steps<readonly (Json | undefined)[]> {
  const open = texts.filter(text => text.template === 'json' || partsOf(turn, text).some(isPlaceholder))
  const outcomes = yield* evaluateJobs(turn, jobsOf(turn, open), context)
  const values: (Json | undefined)[] = []
  for (const text of texts) {
    const place = open.indexOf(text)
    const outcome = outcomes[place]
    if (place === -1) values.push(text.text)
    else if (outcome?.ok === true) values.push(outcome.value)
    else {
      recordProblem(turn, `expression.${outcome?.fault ?? 'time'}`, text.at)
      values.push(yield* withoutFaults(turn, text, context))
    }
  }
  return values
}

const partsOf = (turn: Turn, { text, template }: BlockText): readonly Part[] =>
  splitTemplate(text, template, turn.settings.parser)

const isPlaceholder = (part: Part): boolean => part.kind === 'placeholder'

const jobsOf = (turn: Turn, texts: readonly Pick<BlockText, 'text' | 'template'>[]): readonly EvaluationJob[] =>
  texts.map(({ text, template }) => ({ kind: 'template', text, template, parser: turn.settings.parser }))

/** The words around a placeholder that has a fault, and what the others give; undefined for one that stands alone, and in JSON. */
function* withoutFaults(turn: Turn, text: BlockText, context: JsonObject | undefined): Steps<Json | undefined> {
  const parts = partsOf(turn, text)
  if (parts.length < 2 || text.template === 'json') return undefined
  const written = parts
    .filter(isPlaceholder)
    .map(({ place }) => text.text.slice(place.offset, place.offset + place.length))
  const { template } = text
  const outcomes = yield* evaluateJobs(
    turn,
    jobsOf(
      turn,
      written.map(source => ({ text: source, template })),
    ),
    context,
  )
  let next = 0
  return parts
    .map(part => {
      if (part.kind === 'literal') return part.text
      const outcome = outcomes[next++]
      return outcome?.ok === true ? shownText(outcome.value) : ''
    })
    .join('')
}

/** The texts as words for a person: a fault is empty. */
export function* evaluateWords(turn: Turn, texts: readonly BlockText[]): Steps<readonly string[]> {
  return (yield* evaluateTexts(turn, texts)).map(shownText)
}

const marked = (text: string, isMarked: boolean, mark: string): string => {
  const inner = text.trim()
  if (!isMarked || inner === '') return text
  return text.replace(inner, () => `${mark}${inner}${mark}`)
}

/** A rich text as a template whose marks are Markdown: `**bold**`, `_italic_`. Nothing else is changed in it. */
const richTemplate = (source: string): string =>
  parseRich(source)
    .map(line =>
      line
        .map(part => {
          const text = 'variable' in part ? `{{${part.variable}}}` : part.text
          return marked(marked(text, part.italic, '_'), part.bold, '**')
        })
        .join(''),
    )
    .join('\n')

export const richText = (at: string, value: Json | undefined): BlockText => ({
  at,
  text: typeof value === 'string' ? richTemplate(value) : '',
  template: 'text',
})

/** A job of a block as a worker takes it. */
export const expressionJob = (job: EvaluationJob, context: JsonObject): ExpressionJob => {
  switch (job.kind) {
    case 'template':
      return { ...job, context }
    case 'expression':
      return { kind: 'expression', engine: job.parser, source: job.text, context }
    case 'pattern':
      return { kind: 'pattern', source: job.text, text: job.input }
    case 'path':
      return { kind: 'path', parser: job.parser, source: job.text, input: job.input }
    default:
      return job satisfies never
  }
}
