import type { PathParserName } from '#domain/expression/engine.ts'

/** Member names and places in lists, from the outermost value inwards. */
export type Steps = readonly (string | number)[]

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u
/** Words that JsonAta reads as more than a name. */
const TAKEN = new Set(['and', 'or', 'in', 'true', 'false', 'null', 'function'])

/** A name in single quotes, as RFC 9535 writes them. */
const quoted = (name: string): string =>
  `'${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const inJsonPath = (step: string | number): string => {
  if (typeof step === 'number') return `[${step}]`
  return NAME.test(step) ? `.${step}` : `[${quoted(step)}]`
}

const inJsonAta = (step: string | number, first: boolean): string => {
  if (typeof step === 'number') return `${first ? '$' : ''}[${step}]`
  const name = NAME.test(step) && !TAKEN.has(step) ? step : `\`${step}\``
  return first ? name : `.${name}`
}

/** The path to a place in a value, in a bot's own language. */
export const pathOf = (steps: Steps, parser: PathParserName): string => {
  if (parser === 'JSONPath') return `$${steps.map(inJsonPath).join('')}`
  return steps.length === 0 ? '$' : steps.map((step, place) => inJsonAta(step, place === 0)).join('')
}

/** A place in the value of a variable, as an expression names it: `order.items[0].name`; undefined for other names. */
export const memberPath = (variable: string, steps: Steps): string | undefined =>
  steps.every(step => typeof step === 'number' || NAME.test(step))
    ? steps.reduce<string>((path, step) => path + (typeof step === 'number' ? `[${step}]` : `.${step}`), variable)
    : undefined
