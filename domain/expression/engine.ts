import type { JsonObject } from '#schemas/event.ts'

/** Position in a text: UTF-16 units from its beginning. */
export interface Place {
  readonly offset: number
  readonly length: number
}

/**
 * Fault of an expression. `syntax`, `unclosed`, `empty`: it does not parse; `function`: unknown name; `variable`: it
 * has no value; `forbidden`: it accesses a forbidden member; `limit`: too long, too deep or too large a result;
 * `value`: it does not fit the present values; `time`: it was ended.
 */
export type FaultCode =
  | 'syntax'
  | 'unclosed'
  | 'empty'
  | 'function'
  | 'variable'
  | 'forbidden'
  | 'limit'
  | 'value'
  | 'time'

export interface Fault {
  readonly code: FaultCode
  readonly place: Place
  /** The found or missing text. */
  readonly name?: string
}

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: Fault }

export const fault = (code: FaultCode, place: Place, name?: string): { readonly ok: false; readonly fault: Fault } => ({
  ok: false,
  fault: { code, place, ...(name === undefined ? {} : { name }) },
})

/** Thrown where an evaluation meets a fault and caught by its engine; never leaves this folder. */
export class FaultError extends Error {
  readonly code: FaultCode
  readonly at: Place | undefined

  constructor(code: FaultCode, detail: string, at?: Place) {
    super(detail)
    this.code = code
    this.at = at
  }
}

/** The languages of expressions, the default first; of paths, likewise. */
export const PARSERS = ['Jexl', 'ExprEval', 'JsonAta'] as const
export const PATH_PARSERS = ['JSONPath', 'JsonAta'] as const
export type ParserName = (typeof PARSERS)[number]
export type PathParserName = (typeof PATH_PARSERS)[number]
export type EngineName = ParserName | PathParserName

/** Languages of a bot's expressions and paths. */
export interface ExpressionSettings {
  readonly parser: ParserName
  readonly pathParser: PathParserName
}

/** A variable that an expression reads. */
export interface VariableReference {
  readonly name: string
  readonly place: Place
}

/** A parsed expression. It holds no state and may be evaluated any number of times. */
export interface Expression {
  /** Every variable it reads from the context, in order; none that it makes itself. */
  readonly references: readonly VariableReference[]
  /**
   * Its value over a context of plain JSON: JSON, or undefined, NaN and the infinities. Cannot be interrupted here:
   * expressions of others run in a worker (runtime/isolation/expression, web/expression).
   */
  evaluate(context: JsonObject): Outcome<unknown> | Promise<Outcome<unknown>>
}

/** A function that an expression may call, as completion shows it. */
interface EngineFunction {
  readonly name: string
  /** Names of what it takes: `array, separator`. */
  readonly takes: string
}

/** One language, parsed and evaluated; no source and no context reaches a prototype, a constructor or a global. */
export interface Engine {
  readonly name: EngineName
  readonly functions: readonly EngineFunction[]
  parse(source: string): Outcome<Expression>
}

/** Bounds on what people write and on what comes of it; the time is bounded by the worker that evaluates. */
export const EXPRESSION_LIMITS = {
  /** UTF-16 units of one expression. */
  source: 20_000,
  /** UTF-16 units of a text with placeholders. */
  template: 200_000,
  /** Brackets within brackets. */
  brackets: 100,
  /** Values within values. */
  depth: 200,
  /** Values of a result, each character of a text counted. */
  size: 5_000_000,
} as const

const OPEN = new Set(['(', '[', '{'])
const CLOSE = new Set([')', ']', '}'])

/** Refuses a source before any parser recurses into it. Brackets in quotes count, which no honest expression notices. */
export const checkSource = (source: string): Outcome<string> => {
  if (source.trim() === '') return fault('empty', { offset: 0, length: source.length })
  if (source.length > EXPRESSION_LIMITS.source) {
    return fault('limit', { offset: EXPRESSION_LIMITS.source, length: source.length - EXPRESSION_LIMITS.source })
  }
  let depth = 0
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? ''
    if (OPEN.has(character)) depth++
    else if (CLOSE.has(character)) depth = Math.max(0, depth - 1)
    if (depth > EXPRESSION_LIMITS.brackets) return fault('limit', { offset: at, length: 1 })
  }
  return { ok: true, value: source }
}
