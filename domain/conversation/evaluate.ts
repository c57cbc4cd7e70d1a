import { parseRich } from '#domain/flow/text/rich-text.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { TemplateKind } from '../expression/delimiter.ts'
import { splitTemplate } from '../expression/template.ts'
import type { Evaluated, EvaluationJob, Steps } from './effect.ts'
import { perform, recordProblem, type Turn } from './turn.ts'
import { contextOf } from './variables.ts'

/** A text of a block to be evaluated, and where it stands in it (dotted). */
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

/** What a value is within a text: nothing for none, JSON for what has parts. */
export const shownText = (value: Json | undefined): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

const hasPlaceholder = (turn: Turn, { text, template }: BlockText): boolean =>
  splitTemplate(text, template, turn.settings.parser).some(part => part.kind === 'placeholder')

/** Asks for all of a block's expressions at once (RUNTIME 14). */
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
 * The value of each text, in their order: undefined for one that has a fault, which is recorded. A text without a
 * placeholder is itself, and asks for nothing.
 */
export function* evaluateTexts(
  turn: Turn,
  texts: readonly BlockText[],
  context?: JsonObject,
): Steps<readonly (Json | undefined)[]> {
  const open = texts.filter(text => text.template === 'json' || hasPlaceholder(turn, text))
  const { parser } = turn.settings
  const jobs = open.map(({ text, template }): EvaluationJob => ({ kind: 'template', text, template, parser }))
  const values = yield* evaluateJobs(turn, jobs, context)
  return texts.map(text => {
    const place = open.indexOf(text)
    if (place === -1) return text.text
    const outcome = values[place]
    if (outcome?.ok === true) return outcome.value
    recordProblem(turn, `expression.${outcome?.fault ?? 'time'}`, text.at)
    return undefined
  })
}

/** The texts as words for a person: a fault is empty (RUNTIME 14). */
export function* evaluateWords(turn: Turn, texts: readonly BlockText[]): Steps<readonly string[]> {
  return (yield* evaluateTexts(turn, texts)).map(shownText)
}

const marked = (text: string, isMarked: boolean, mark: string): string => {
  const inner = text.trim()
  if (!isMarked || inner === '') return text
  return text.replace(inner, () => `${mark}${inner}${mark}`)
}

/** A rich text as a template whose marks are Markdown: `**bold**`, `_italic_`. Nothing else is changed in it. */
export const richTemplate = (source: string): string =>
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
