import type { JsonObject } from '#schemas/event.ts'
import type { Outcome, Place } from './fault.ts'

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
