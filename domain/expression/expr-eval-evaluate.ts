import type { Parser } from 'expr-eval-fork'
import { FaultError } from './engine.ts'
import { ownMember, sameText } from './plain-value.ts'

/** One step of what ExprEval's parser makes of a source: a stack machine's instruction. */
export interface Instruction {
  readonly type: string
  readonly value: unknown
}

type Native = (...values: unknown[]) => unknown

/** ExprEval's tables of operators and functions, without a prototype. */
interface Tables {
  readonly unary: Readonly<Record<string, Native>>
  readonly binary: Readonly<Record<string, Native>>
  readonly ternary: Readonly<Record<string, Native>>
  readonly functions: Readonly<Record<string, Native>>
}

export const tablesOf = (parser: Parser): Tables => {
  const bare = (table: object) => Object.assign(Object.create(null) as Record<string, Native>, table)
  const { unaryOps, binaryOps, ternaryOps, functions } = parser as unknown as Record<string, object>
  return {
    unary: bare(unaryOps ?? {}),
    binary: bare(binaryOps ?? {}),
    ternary: bare(ternaryOps ?? {}),
    functions: bare(functions ?? {}),
  }
}

type Values = Record<string, unknown>

/** A branch that is evaluated only where it is needed. */
class Delayed {
  readonly steps: readonly Instruction[]

  constructor(steps: readonly Instruction[]) {
    this.steps = steps
  }
}

const asFunction = (value: unknown): Native => {
  if (typeof value !== 'function') throw new FaultError('value', 'function')
  return value as Native
}

/** The functions and nothing else are callable: values of a context are plain data, and members are never functions. */
const variable = (name: string, values: Values, { functions, unary }: Tables): unknown => {
  const held = functions[name] ?? unary[name] ?? values[name]
  if (held === undefined) throw new FaultError('variable', name)
  return held
}

const defined = (
  name: string,
  parameters: readonly string[],
  body: Delayed,
  values: Values,
  tables: Tables,
): Native => {
  const made: Native = (...given) => {
    const scope: Values = Object.assign(Object.create(null) as Values, values)
    parameters.forEach((parameter, index) => {
      scope[parameter] = given[index]
    })
    return exprEvalValue(body.steps, scope, tables)
  }
  values[name] = made
  return made
}

const operate = (operator: string, left: unknown, right: unknown, { binary }: Tables): unknown => {
  const isEquality = operator === '==' || operator === '!='
  if (isEquality && typeof left === 'string' && typeof right === 'string')
    return sameText(left, right) === (operator === '==')
  return binary[operator]?.(left, right)
}

/** The value of parsed ExprEval; assignments stay in `values`, which holds no prototype and is the caller's to give. */
export const exprEvalValue = (steps: readonly Instruction[], values: Values, tables: Tables): unknown => {
  const stack: unknown[] = []
  const resolve = (value: unknown): unknown =>
    value instanceof Delayed ? exprEvalValue(value.steps, values, tables) : value
  const take = (count: number): readonly unknown[] => (count === 0 ? [] : stack.splice(-count))
  const binary = (operator: string): unknown => {
    const [left, right] = take(2)
    if (operator === 'and') return left ? Boolean(resolve(right)) : false
    if (operator === 'or') return left ? true : Boolean(resolve(right))
    if (operator === '=') {
      const value = resolve(right)
      values[String(left)] = value
      return value
    }
    if (operator === '[') {
      const held = resolve(left)
      if (held === undefined || held === null) throw new FaultError('value', '[')
      return ownMember(held, Number(resolve(right)) | 0)
    }
    return operate(operator, resolve(left), resolve(right), tables)
  }
  const step = ({ type, value }: Instruction): unknown => {
    switch (type) {
      case 'INUMBER':
      case 'IVARNAME':
        return value
      case 'IVAR':
        return variable(String(value), values, tables)
      case 'IOP1':
        return tables.unary[String(value)]?.(resolve(stack.pop()))
      case 'IOP2':
        return binary(String(value))
      case 'IOP3': {
        const [test, yes, no] = take(3)
        return resolve(test ? yes : no)
      }
      case 'IFUNCALL': {
        const given = take(Number(value)).map(resolve)
        return asFunction(stack.pop())(...given)
      }
      case 'IFUNDEF': {
        const body = stack.pop()
        const parameters = take(Number(value)).map(String)
        if (!(body instanceof Delayed)) throw new FaultError('value', 'function')
        return defined(String(stack.pop()), parameters, body, values, tables)
      }
      case 'IEXPR':
        return new Delayed(value as readonly Instruction[])
      case 'IMEMBER': {
        const held = stack.pop()
        if (held === undefined || held === null) throw new FaultError('value', String(value))
        return ownMember(held, String(value))
      }
      case 'IARRAY':
        return take(Number(value)).map(resolve)
      default:
        throw new FaultError('syntax', type)
    }
  }
  for (const each of steps) {
    if (each.type === 'IENDSTATEMENT') stack.pop()
    else stack.push(step(each))
  }
  const [result] = stack
  return result === 0 ? 0 : resolve(result)
}
