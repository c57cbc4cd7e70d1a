import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, parseJson } from '#schemas/json.ts'
import { accepted, type FieldError, refused } from '#schemas/refusal.ts'
import type { Behaviour, Live } from './behaviour.ts'

/** Placeholders for the bot of the report's page, the session's level and the viewer. */
const PLACEHOLDERS = ['bot', 'hierarchylevel', 'user'] as const
type Placeholder = (typeof PLACEHOLDERS)[number]
/** Their values; undefined for one that is not known where the report is shown. */
type ReportPlace = Readonly<Record<Placeholder, string | undefined>>

const MAX_PARAMETERS = 50
const MAX_LENGTH = 500
const SLUG = /^[\p{L}\p{N}_-]{1,100}$/u
const IN_BRACES = /^\{(.*)\}$/u

const placeholderOf = (value: Json): Placeholder | undefined =>
  PLACEHOLDERS.find(name => typeof value === 'string' && value.trim() === `{${name}}`)

const isPlain = (value: Json): boolean =>
  typeof value === 'string' ? value.length <= MAX_LENGTH : typeof value === 'number' || typeof value === 'boolean'

const faultOf = (slug: string, value: Json): FieldError | undefined => {
  const fault = (rule: string, params: JsonObject = {}): FieldError => ({
    path: `parameters.${slug}`,
    code: 'format',
    params: { rule, ...params },
  })
  if (!SLUG.test(slug)) return { ...fault('reportslug', { name: slug.slice(0, 100) }), path: 'parameters' }
  const values: readonly Json[] = Array.isArray(value) ? value : [value]
  if (value !== null && !(values.length <= MAX_PARAMETERS && values.every(isPlain)))
    return fault('reportvalue', { name: slug })
  const unknown = values.find(each => typeof each === 'string' && IN_BRACES.test(each.trim()) && !placeholderOf(each))
  return unknown === undefined ? undefined : fault('reportplaceholder', { name: String(unknown).slice(0, 100) })
}

/** The slugs of a report with their values as they are stored. */
const parametersOf = (parameters: Json | undefined): JsonObject => {
  const value = typeof parameters === 'string' ? (parseJson(parameters) ?? null) : (parameters ?? null)
  return isObject(value) ? value : {}
}

const checked = (fields: Live['fields']) => {
  const { parameters } = fields
  if (parameters === undefined || parameters === null || parameters === '') return accepted(fields)
  const value = typeof parameters === 'string' ? (parseJson(parameters) ?? null) : parameters
  const shape = { path: 'parameters', code: 'format', params: { rule: 'reportparameters' } } as const
  const errors =
    isObject(value) && Object.keys(value).length <= MAX_PARAMETERS
      ? Object.entries(value).flatMap(([slug, each]) => faultOf(slug, each) ?? [])
      : [shape]
  return errors.length === 0 ? accepted(fields) : refused('validation.failed', { errors })
}

export const reportBehaviour = {
  commands: {},
  onCreate: fields => checked(fields),
  onChange: (_state, changes) => checked(changes),
} satisfies Behaviour

/** Whether a report can be shown under a bot alone. */
export const needsBot = (parameters: Json | undefined): boolean =>
  Object.values(parametersOf(parameters)).some(value => [value].flat().some(each => placeholderOf(each) === 'bot'))

/**
 * Parameters as Metabase is given them, placeholders replaced; each is locked by being in the token. A value of `null`
 * filters nothing, which Metabase takes as an empty list. Undefined when a placeholder has no value here.
 */
export const lockedParameters = (parameters: Json | undefined, place: ReportPlace): JsonObject | undefined => {
  const filled: [string, Json][] = []
  for (const [slug, value] of Object.entries(parametersOf(parameters))) {
    const values: Json[] = []
    for (const each of value === null ? [] : [value].flat()) {
      const name = placeholderOf(each)
      const known = name === undefined ? each : place[name]
      if (known === undefined) return undefined
      values.push(known)
    }
    filled.push([slug, Array.isArray(value) || value === null ? values : (values[0] ?? null)])
  }
  return Object.fromEntries(filled)
}
