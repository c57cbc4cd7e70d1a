import {
  type FilterFunction,
  JSONPathEnvironment,
  JSONPathError,
  JSONPathNode,
  JSONPathNodeList,
  type JSONPathQuery,
  JSONPathSyntaxError,
  type JSONValue,
  jsonpath,
  type Token,
  TokenKind,
} from 'json-p3'
import type { Json, JsonObject } from '#schemas/event.ts'
import {
  checkSource,
  type Engine,
  EXPRESSION_LIMITS,
  type Expression,
  fault,
  type Outcome,
  type VariableReference,
} from './engine.ts'
import { evaluateSafely, faultOf } from './plain-value.ts'

type FilterContext = jsonpath.FilterContext
type FilterExpression = jsonpath.expressions.FilterExpression

/** Parts of json-p3's parser: one function for each token kind that begins an operand. */
interface TokenStream {
  readonly current: Token
  next(): Token
}
type ParseOperand = (stream: TokenStream) => FilterExpression
interface OperandParser {
  readonly tokenMap: Map<string, ParseOperand>
}

/** RFC 9535, 2.3.5.1: `number`. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u
/** Allowed behind a `!`: brackets, a query, a function. */
const NEGATED = new Set<string>([TokenKind.LPAREN, TokenKind.CURRENT, TokenKind.ROOT, TokenKind.FUNCTION])

const unexpected = (token: Token) => new JSONPathSyntaxError(`unexpected '${token.value}'`, token)

/** A query over the item at hand, in which `$` stays the whole document however deep the filters lie. */
class RelativeQuery extends jsonpath.expressions.RelativeQuery {
  override evaluate({ currentValue, rootValue }: FilterContext): JSONPathNodeList {
    const start = [new JSONPathNode(currentValue, [], rootValue)]
    return new JSONPathNodeList(this.path.segments.reduce((nodes, segment) => segment.resolve(nodes), start))
  }
}

/** Fixes operands that json-p3 reads unlike the RFC. */
const repairParser = (parser: OperandParser) => {
  const { tokenMap } = parser
  const original = (kind: TokenKind): ParseOperand => {
    const parse = tokenMap.get(kind)
    if (parse === undefined) throw new Error(`json-p3 has no ${kind}`)
    return parse.bind(parser)
  }
  const query = original(TokenKind.CURRENT)
  tokenMap.set(TokenKind.CURRENT, stream => {
    const made = query(stream) as jsonpath.expressions.RelativeQuery
    return new RelativeQuery(made.token, made.path)
  })
  // It takes `-01` and refuses `0.5`.
  tokenMap.set(TokenKind.NUMBER, ({ current }) => {
    if (!NUMBER.test(current.value)) throw unexpected(current)
    return new jsonpath.expressions.NumberLiteral(current, Number(current.value))
  })
  // It takes `!!`, and binds `!` less than a comparison.
  tokenMap.set(TokenKind.NOT, stream => {
    stream.next()
    const { current } = stream
    if (!NEGATED.has(current.kind)) throw unexpected(current)
    return new jsonpath.expressions.PrefixExpression(current, '!', original(current.kind)(stream))
  })
  // json-p3 drops the brackets, so their content could be compared.
  const group = original(TokenKind.LPAREN)
  tokenMap.set(TokenKind.LPAREN, stream => {
    const { current } = stream
    return new jsonpath.expressions.LogicalExpression(current, group(stream))
  })
}

/** Only texts fit a pattern; json-p3 makes texts of numbers where it has met the pattern before. */
const ofTexts = (made: FilterFunction): FilterFunction => ({
  argTypes: made.argTypes,
  returnType: made.returnType,
  call: (text: unknown, pattern: unknown) => typeof text === 'string' && made.call(text, pattern),
})

/** The length of a text counts its characters, not UTF-16 units. */
const lengthOf = (made: FilterFunction): FilterFunction => ({
  argTypes: made.argTypes,
  returnType: made.returnType,
  call: (value: unknown) => (typeof value === 'string' ? [...value].length : made.call(value)),
})

/** json-p3's environment, mended where it differs from RFC 9535; a query that the RFC does not have is refused. */
export class PathEnvironment extends JSONPathEnvironment {
  constructor(maxRecursionDepth: number) {
    super({ maxRecursionDepth })
    repairParser((this as unknown as { readonly parser: OperandParser }).parser)
    const mended = { match: ofTexts, search: ofTexts, length: lengthOf }
    for (const [name, mend] of Object.entries(mended)) {
      const made = this.functionRegister.get(name)
      if (made !== undefined) this.functionRegister.set(name, mend(made))
    }
  }

  override compile(source: string): JSONPathQuery {
    const query = super.compile(source)
    this.#checkQuery(query)
    return query
  }

  #checkQuery({ segments }: JSONPathQuery) {
    for (const selector of segments.flatMap(segment => segment.selectors)) {
      const { token } = selector
      // A name with a hyphen needs quotes.
      if (token.kind === TokenKind.NAME && token.value.includes('-')) throw unexpected(token)
      if (selector instanceof jsonpath.selectors.FilterSelector) this.#checkLogical(selector.expression)
    }
  }

  #returns(call: jsonpath.expressions.FunctionExtension): string | undefined {
    return this.functionRegister.get(call.name)?.returnType
  }

  #checkCall(call: jsonpath.expressions.FunctionExtension) {
    for (const each of call.args) {
      if (each instanceof jsonpath.expressions.FilterQuery) this.#checkQuery(each.path)
      if (each instanceof jsonpath.expressions.FunctionExtension) this.#checkCall(each)
    }
  }

  /** RFC 9535, 2.3.5.1: `logical-expr`. */
  #checkLogical(expression: FilterExpression): void {
    if (expression instanceof jsonpath.expressions.LogicalExpression) this.#checkLogical(expression.expression)
    else if (expression instanceof jsonpath.expressions.PrefixExpression) this.#checkLogical(expression.right)
    else if (expression instanceof jsonpath.expressions.FilterQuery) this.#checkQuery(expression.path)
    else if (expression instanceof jsonpath.expressions.InfixExpression) this.#checkInfix(expression)
    else {
      const isCall = expression instanceof jsonpath.expressions.FunctionExtension
      if (!isCall || this.#returns(expression) === 'ValueType') throw unexpected(expression.token)
      this.#checkCall(expression)
    }
  }

  #checkInfix({ left, right, logical }: jsonpath.expressions.InfixExpression) {
    for (const side of [left, right]) {
      if (logical) this.#checkLogical(side)
      else this.#checkComparable(side)
    }
  }

  /** RFC 9535, 2.3.5.1: `comparable`: a value in writing, a query of one value at most, a function that gives one. */
  #checkComparable(expression: FilterExpression) {
    if (expression instanceof jsonpath.expressions.FilterExpressionLiteral) return
    if (expression instanceof jsonpath.expressions.FilterQuery) this.#checkQuery(expression.path)
    else if (expression instanceof jsonpath.expressions.FunctionExtension) this.#checkCall(expression)
    else throw unexpected(expression.token)
  }
}

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
