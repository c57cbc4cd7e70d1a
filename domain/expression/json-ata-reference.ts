import type { VariableReference } from './engine.ts'

/** Syntax tree of JSONata's parser; the members depend on the type. */
export interface AtaNode {
  readonly type: string
  readonly value?: unknown
  readonly position?: number
  readonly steps?: readonly AtaNode[]
  readonly [member: string]: unknown
}

const isNode = (value: unknown): value is AtaNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Members whose expressions are evaluated over the items of the node, not over what the node itself is evaluated over. */
const OVER_ITEMS = new Set(['predicate', 'stages', 'group', 'terms', 'pattern', 'update', 'delete'])
/** The place of the name that ends at a position, in quotes or not. */
const placed = (name: string, position: number, source: string): VariableReference => {
  const end = /[`"']/u.test(source[position - 1] ?? '') ? position - 1 : position
  return { name, place: { offset: Math.max(0, end - name.length), length: name.length } }
}

const isRoot = (node: AtaNode): boolean => node.type === 'variable' && (node.value === '$' || node.value === '')

/** Names that an expression reads from its input; names inside predicates and filters belong to items. */
export const ataReferences = (tree: AtaNode, source: string): readonly VariableReference[] => {
  const found: VariableReference[] = []
  const visitValue = (value: unknown, isOverInput: boolean): void => {
    if (Array.isArray(value)) for (const item of value) visitValue(item, isOverInput)
    else if (isNode(value)) visit(value, isOverInput)
    else if (typeof value === 'object' && value !== null) {
      for (const member of Object.values(value)) visitValue(member, isOverInput)
    }
  }
  const visitPath = (steps: readonly AtaNode[], isOverInput: boolean) => {
    let isInput = isOverInput
    for (const step of steps) {
      visit(step, isInput || (step.type === 'variable' && step.value === '$'))
      const isStill = step.type === 'variable' && (step.value === '$' || (step.value === '' && isInput))
      isInput = isStill && isRoot(step)
    }
  }
  const visit = (node: AtaNode, isOverInput: boolean): void => {
    if (node.type === 'name' && isOverInput && typeof node.value === 'string') {
      found.push(placed(node.value, node.position ?? 0, source))
    }
    if (node.steps !== undefined) visitPath(node.steps, isOverInput)
    for (const [member, value] of Object.entries(node)) {
      if (member === 'steps' || typeof value !== 'object' || value === null) continue
      const isItems = OVER_ITEMS.has(member) || (node.type === 'transform' && member !== 'position')
      visitValue(value, isOverInput && !isItems)
    }
  }
  visit(tree, true)
  return found
}
