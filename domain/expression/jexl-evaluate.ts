import type { Grammar } from 'jexl/dist/grammar.js'
import { FaultError } from './fault.ts'
import { isNothing, LIBRARY } from './library.ts'
import { ownMember, sameText } from './plain-value.ts'

/** Syntax tree of Jexl's parser. */
export type JexlNode =
  | { readonly type: 'Literal'; readonly value: unknown }
  | { readonly type: 'Identifier'; readonly value: string; readonly from?: JexlNode; readonly relative?: boolean }
  | { readonly type: 'UnaryExpression'; readonly operator: string; readonly right: JexlNode }
  | { readonly type: 'BinaryExpression'; readonly operator: string; readonly left: JexlNode; readonly right: JexlNode }
  | {
      readonly type: 'ConditionalExpression'
      readonly test: JexlNode
      /** None in `test ?: alternate`. */
      readonly consequent?: JexlNode | null
      readonly alternate: JexlNode
    }
  | {
      readonly type: 'FilterExpression'
      readonly relative: boolean
      readonly expr: JexlNode
      readonly subject: JexlNode
    }
  | { readonly type: 'ObjectLiteral'; readonly value: Readonly<Record<string, JexlNode>> }
  | { readonly type: 'ArrayLiteral'; readonly value: readonly JexlNode[] }
  | { readonly type: 'FunctionCall'; readonly name: string; readonly args: readonly JexlNode[] }

interface Scope {
  readonly grammar: Grammar
  readonly context: unknown
  /** Current item of a filter: names behind a leading dot belong to it. */
  readonly item: unknown
}

/** A member of an array is that of its first item. */
const memberOf = (value: unknown, name: string): unknown => ownMember(Array.isArray(value) ? value[0] : value, name)

const identifier = (node: JexlNode & { type: 'Identifier' }, scope: Scope): unknown => {
  if (node.from !== undefined) return memberOf(jexlValue(node.from, scope), node.value)
  const value = ownMember(node.relative === true ? scope.item : scope.context, node.value)
  return value === undefined && node.relative !== true && node.value === 'null' ? null : value
}

const binary = (node: JexlNode & { type: 'BinaryExpression' }, scope: Scope): unknown => {
  const left = jexlValue(node.left, scope)
  if (node.operator === '&&') return left ? jexlValue(node.right, scope) : left
  if (node.operator === '||') return left ? left : jexlValue(node.right, scope)
  const right = jexlValue(node.right, scope)
  if (node.operator === '+' && [left, right].some(isText) && [left, right].some(isNothing))
    return [left, right].map(side => (isNothing(side) ? '' : side)).join('')
  if (EQUALITY.has(node.operator) && isText(left) && isText(right))
    return sameText(left, right) === (node.operator === '==')
  const convert = converts(node.operator, left, right) ? primitive : (value: unknown) => value
  return scope.grammar.elements[node.operator]?.eval?.(convert(left), convert(right))
}

/** Whether an operator makes a number or a text of what has parts; two such things are equal where they are the same. */
const converts = (operator: string, left: unknown, right: unknown): boolean => {
  if (operator === 'in') return typeof right === 'string'
  return !EQUALITY.has(operator) || !(hasParts(left) && hasParts(right))
}
const EQUALITY = new Set(['==', '!='])
const isText = (value: unknown): value is string => typeof value === 'string'
const hasParts = (value: unknown): boolean => typeof value === 'object' && value !== null

/** Things have no prototype here that would say this of them. */
const primitive = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(primitive)
  return hasParts(value) ? '[object Object]' : value
}

const filter = (node: JexlNode & { type: 'FilterExpression' }, scope: Scope): unknown => {
  const subject = jexlValue(node.subject, scope)
  if (!node.relative) {
    const chosen = jexlValue(node.expr, scope)
    if (typeof chosen === 'boolean') return chosen ? subject : undefined
    return ownMember(subject, chosen)
  }
  const items = Array.isArray(subject) ? subject : subject === undefined ? [] : [subject]
  return items.filter(item => jexlValue(node.expr, { ...scope, item }))
}

const call = (node: JexlNode & { type: 'FunctionCall' }, scope: Scope): unknown => {
  const called = LIBRARY.get(node.name)
  if (called === undefined) throw new FaultError('function', node.name)
  return called.call(...node.args.map(each => jexlValue(each, scope)))
}

/** The value of a parsed Jexl expression; only what values themselves hold is read. */
export const jexlValue = (node: JexlNode, scope: Scope): unknown => {
  switch (node.type) {
    case 'Literal':
      return node.value
    case 'Identifier':
      return identifier(node, scope)
    case 'UnaryExpression':
      return scope.grammar.elements[node.operator]?.eval?.(jexlValue(node.right, scope))
    case 'BinaryExpression':
      return binary(node, scope)
    case 'ConditionalExpression': {
      const test = jexlValue(node.test, scope)
      if (!test) return jexlValue(node.alternate, scope)
      return node.consequent ? jexlValue(node.consequent, scope) : test
    }
    case 'FilterExpression':
      return filter(node, scope)
    case 'ObjectLiteral':
      return Object.fromEntries(Object.entries(node.value).map(([key, each]) => [key, jexlValue(each, scope)]))
    case 'ArrayLiteral':
      return node.value.map(each => jexlValue(each, scope))
    case 'FunctionCall':
      return call(node, scope)
    default:
      return node satisfies never
  }
}
