import { JSONPathError, type JSONValue, jsonpath } from 'json-p3'
import type { Json, JsonObject } from '#schemas/event.ts'
import { checkSource, type Engine, EXPRESSION_LIMITS, type Expression, type VariableReference } from './engine.ts'
import { fault, type Outcome } from './fault.ts'
import { PathEnvironment } from './json-path-environment.ts'
import { evaluateSafely, faultOf } from './plain-value.ts'

const environment = new PathEnvironment(EXPRESSION_LIMITS.depth * 2)
type Query = ReturnType<typeof environment.compile>

const TAKES: Readonly<Record<string, string>> = {
  match: 'text, pattern',
  search: 'text, pattern',
  length: 'value',
  count: 'nodes',
  value: 'nodes',
}
const functions = [...environment.functionRegister.keys()].map(name => ({ name, takes: TAKES[name] ?? 'value' }))

/** The first names of the paths that begin at the root, those inside filters included. */
const referencesOf = (query: Query, source: string): readonly VariableReference[] => {
  const found: VariableReference[] = []
  const addQuery = ({ segments: [first] }: Query) => {
    if (first?.toString().startsWith('..')) return
    for (const selector of first?.selectors ?? []) {
      if (!(selector instanceof jsonpath.selectors.NameSelector)) continue
      const { index } = selector.token
      const isQuoted = /["']/u.test(source[index] ?? '')
      const offset = isQuoted || !source.startsWith(selector.name, index) ? source.indexOf(selector.name, index) : index
      found.push({ name: selector.name, place: { offset: Math.max(offset, 0), length: selector.name.length } })
    }
  }
  const visit = (value: unknown): void => {
    if (value instanceof jsonpath.expressions.RootQuery) addQuery(value.path)
    if (Array.isArray(value)) value.forEach(visit)
    else if (value instanceof jsonpath.expressions.FilterExpression) Object.values(value).forEach(visit)
    if (value instanceof jsonpath.expressions.FilterQuery) visitQuery(value.path)
  }
  const visitQuery = ({ segments }: Query) => {
    for (const { selectors } of segments) {
      for (const selector of selectors) {
        if (selector instanceof jsonpath.selectors.FilterSelector) visit(selector.expression)
      }
    }
  }
  addQuery(query)
  visitQuery(query)
  return found
}

const syntaxFault = (error: unknown, source: string) => {
  const whole = { offset: 0, length: source.length }
  if (error instanceof RangeError) return fault('limit', whole)
  if (!(error instanceof JSONPathError)) return fault('syntax', whole)
  const { index, value } = error.token
  if (index >= source.length) return fault('unclosed', { offset: source.length, length: 0 })
  const name = source.startsWith(value, index) && value !== '' ? value : (source[index] ?? '')
  const isFunction = /function/iu.test(error.message) && !/argument/iu.test(error.message)
  return fault(isFunction ? 'function' : 'syntax', { offset: index, length: name.length }, name)
}

/** Every value a path selects in any JSON value, in order. */
export const selectAll = (source: string, value: Json): Outcome<readonly unknown[]> => {
  const checked = checkSource(source)
  if (!checked.ok) return checked
  try {
    const nodes = environment.compile(source).query(value as JSONValue)
    return { ok: true, value: nodes.values() }
  } catch (error) {
    return error instanceof JSONPathError
      ? syntaxFault(error, source)
      : faultOf(error, { offset: 0, length: source.length })
  }
}

/** One value where one at most can be meant, else the list of all. */
const selected = (query: Query, context: JsonObject): unknown => {
  const values = query.query(context as JSONValue).values()
  return query.singularQuery() ? values[0] : values
}

const parse = (source: string): Outcome<Expression> => {
  const checked = checkSource(source)
  if (!checked.ok) return checked
  const whole = { offset: 0, length: source.length }
  try {
    const query = environment.compile(source)
    return {
      ok: true,
      value: {
        references: referencesOf(query, source),
        evaluate: context => evaluateSafely(whole, () => selected(query, context)),
      },
    }
  } catch (error) {
    return syntaxFault(error, source)
  }
}

/** Paths by RFC 9535. */
export const jsonPath: Engine = { name: 'JSONPath', functions, parse }
