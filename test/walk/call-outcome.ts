import type { Release } from '#domain/conversation/release.ts'
import { rootName } from '#domain/flow/variable/variable-use.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { rulesIn } from './linked-outputs.ts'

/** Outcome of a call: the service's default answer, an error, a timeout, or this body. */
export type Outcome = 'good' | 'error' | 'silence' | { readonly body: Json }

/** A value that only the conversation has: that of this variable. */
interface SameAs {
  readonly same: string
  readonly path: readonly string[]
}

/** An outcome that may turn a condition another way than the service's own answer. */
export type Alternative = Exclude<Outcome, 'good'> | SameAs

/** `value` at a path of a body. */
export const bodyWith = (body: Json, [name, ...rest]: readonly string[], value: Json): Json => {
  if (name === undefined) return value
  const held: JsonObject = isObject(body) ? body : {}
  return { ...held, [name]: bodyWith(held[name] ?? {}, rest, value) }
}

const NOTHING = /^(?:is|not|is.*)?(?:Null|Blank|Exists|exists|NotNull|NotBlank)$/u

/** Values that a rule distinguishes. */
const valuesFor = ({ comparison, values }: JsonObject): readonly Json[] => {
  const right = Array.isArray(values) ? values : []
  if (comparison === 'isTrue' || comparison === 'isFalse') return [true, false]
  if (typeof comparison === 'string' && NOTHING.test(comparison)) return [null, 'algo']
  return right.flatMap(value => {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
    return Number.isNaN(number) ? [value] : [value, number - 1, number + 1]
  })
}

const REFUSALS: readonly Alternative[] = ['error', 'silence']

/** Other outcomes of a call that stores its answer in this variable, from the conditions of a release. */
export const alternativesOf = (release: Release, variable: string, place: number): readonly Alternative[] => {
  const rules = [...release.dialogs.values()].flatMap(({ blocks }) =>
    [...blocks.values()].flatMap(({ type, properties }) =>
      type === 'condition' ? rulesIn(properties.conditions) : [],
    ),
  )
  const about = rules.filter(rule => variable !== '' && rootName(String(rule.variable ?? '')) === variable)
  const bodies = about.flatMap((rule): readonly Alternative[] => {
    const path = String(rule.variable).split('.').slice(1)
    const other = typeof rule.valueVariable === 'string' ? rule.valueVariable : ''
    if (other !== '') return [{ same: other, path }, { body: bodyWith(null, path, 'outra coisa') }]
    return valuesFor(rule).map(value => ({ body: bodyWith(null, path, value) }))
  })
  // Errors and silence in turn: to a flow they are the same, and silence takes its time.
  return [REFUSALS[place % REFUSALS.length] ?? 'error', ...bodies]
}
