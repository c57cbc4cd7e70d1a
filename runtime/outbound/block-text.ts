import type { ParserName } from '#domain/expression/engine.ts'
import type { Evaluator } from '#domain/expression/interruptible.ts'
import { shown } from '#domain/expression/library.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'

/** A text of a block with its dotted path. */
export interface BlockText {
  readonly path: string
  readonly text: string
  readonly template: 'text' | 'json'
}

/** Input for evaluating the texts of a block. */
export interface Evaluation {
  readonly evaluator: Evaluator
  readonly parser: ParserName
  readonly values: JsonObject
}

/** ms allowed for one text, and for a whole block. */
const TEXT_LIMIT_MS = 1000
const TEXTS_LIMIT_MS = 5000

/** The value of each text by its path, or the errors of all texts that fail. */
export const evaluateTexts = async (
  texts: readonly BlockText[],
  { evaluator, parser, values }: Evaluation,
): Promise<Result<ReadonlyMap<string, unknown>>> => {
  const made = new Map<string, unknown>()
  const errors: FieldError[] = []
  const jobs = texts.map(({ text, template }) => ({
    job: { kind: 'template', text, template, parser, context: values } as const,
    ms: TEXT_LIMIT_MS,
  }))
  const { outcomes } = await evaluator.evaluateAll(jobs, TEXTS_LIMIT_MS)
  for (const [place, { path }] of texts.entries()) {
    const outcome = outcomes[place]
    if (outcome?.ok) made.set(path, outcome.value)
    else if (outcome !== undefined) {
      const { code, name, place } = outcome.fault
      const rule = code === 'unclosed' && place.length === 0 ? 'incomplete' : code
      errors.push({ path, code: 'expression', params: { rule, ...(name === undefined ? {} : { name }) } })
    }
  }
  return errors.length === 0 ? accepted(made) : refused('validation.failed', { errors })
}

/** A value within a text: null and undefined are empty, objects become JSON. */
export const textOf = (value: unknown): string => shown(value)

export const numberAt = (properties: JsonObject, name: string, otherwise: number): number => {
  const value = properties[name]
  return typeof value === 'number' && value > 0 ? value : otherwise
}

export interface Pair {
  readonly name: string
  readonly text: BlockText
}

/** Name and text pairs of a flow file: items, or an object of name → text. */
export const pairsAt = (properties: JsonObject, list: string): readonly Pair[] => {
  const held = properties[list]
  const items: readonly (readonly [Json | undefined, Json | undefined])[] = Array.isArray(held)
    ? held.filter(isObject).map(({ name, value }) => [name, value])
    : isObject(held)
      ? Object.entries(held)
      : []
  return items.flatMap(([name, value], place) => {
    if (typeof name !== 'string' || name.trim() === '') return []
    return [{ name, text: { path: `${list}.${place}`, text: textOf(value), template: 'text' } }]
  })
}
