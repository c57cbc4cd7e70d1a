import type { CompiledBlock, CompiledFlow } from '#domain/conversation/release.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'

/** An output of a block, as `block connector`; a block that ends its dialog or waits has none. */
export type Output = string

/** Every short text in a value: compared values, button texts, values of choices. */
export const textsIn = (value: Json | undefined): readonly string[] => {
  if (typeof value === 'string') return value.length > 0 && value.length < 80 ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(member => textsIn(member as Json))
}

/** Every rule of a condition, in any group. */
export const rulesIn = (value: Json | undefined): readonly JsonObject[] => {
  if (typeof value !== 'object' || value === null) return []
  const own = isObject(value) && typeof value.comparison === 'string' ? [value] : []
  return [...own, ...Object.values(value).flatMap(member => rulesIn(member as Json))]
}

const rulesOfBranch = (branch: Json): readonly JsonObject[] => {
  const rules = isObject(branch) ? branch.rules : branch
  return Array.isArray(rules) ? rules.filter(isObject) : []
}

/** There is always something that was said. */
const isAlways = ({ source, comparison, values }: JsonObject): boolean =>
  source === 'input' &&
  (comparison === 'exists' || (comparison === 'matches' && /^\["\.\*?"\]$/u.test(JSON.stringify(values))))

/** An event of another maker's desk, which comes in no conversation of this one. */
const isForeign = ({ variable, values }: JsonObject): boolean =>
  variable === 'input.type' && JSON.stringify(values).includes('application/vnd.')

/** Outputs of a condition that nobody can take: behind a branch that always holds, and of one that never does. */
const deadOutputs = ({ type, properties }: CompiledBlock): ReadonlySet<string> => {
  const dead = new Set<string>()
  const branches = type === 'condition' && Array.isArray(properties.conditions) ? properties.conditions : []
  let isDecided = false
  for (const [place, branch] of branches.entries()) {
    const rules = rulesOfBranch(branch)
    const output = isObject(branch) && typeof branch.id === 'string' ? branch.id : `output_${place + 1}`
    if (isDecided || rules.some(isForeign)) dead.add(output)
    isDecided ||= rules.length > 0 && rules.every(isAlways)
  }
  if (isDecided) dead.add('output_default')
  return dead
}

const dataOf = ({ properties }: CompiledBlock): JsonObject => (isObject(properties.data) ? properties.data : {})

const optionsOf = (block: CompiledBlock): readonly string[] | undefined => {
  const { isPromptDynamic, mandatory } = block.properties
  const { type, options } = dataOf(block)
  if (block.type !== 'prompt' || type !== 'choice' || isPromptDynamic === true || mandatory === false) return undefined
  if (!Array.isArray(options)) return undefined
  return options.map(option => (isObject(option) ? String(option.value || option.label) : String(option)))
}

/** A question that only passes on what answered the choice before it. */
const isSilent = (block: CompiledBlock): boolean =>
  block.type === 'prompt' && dataOf(block).type === 'text' && !dataOf(block).text && !block.properties.varname

/** The blocks whose answers lead to a block, silent questions left out; undefined where anything else leads there. */
const answeredBefore = (flow: CompiledFlow, id: string): readonly CompiledBlock[] | undefined => {
  const before = [...flow.blocks.values()].flatMap(block =>
    [...block.next].flatMap(([output, to]) => (to === id ? [{ block, output }] : [])),
  )
  if (before.length === 0 || before.some(({ output }) => output !== 'output_1')) return undefined
  const asked = before.map(({ block }) => (isSilent(block) ? answeredBefore(flow, block.id) : [block]))
  return asked.includes(undefined) ? undefined : asked.flatMap(blocks => blocks ?? [])
}

/** Whether a condition stands directly behind choices alone and has a branch for each of their options. */
const isExhausted = (flow: CompiledFlow, { id, type, properties }: CompiledBlock): boolean => {
  const rules = type === 'condition' ? rulesIn(properties.conditions) : []
  const choices = rules.length === 0 ? undefined : answeredBefore(flow, id)
  if (choices === undefined) return false
  const looksAt = ({ source, variable }: JsonObject, { properties }: CompiledBlock) =>
    source === 'input' || (variable !== '' && variable === properties.varname)
  const holds = (option: string) =>
    rules.some(
      ({ comparison, values }) =>
        Array.isArray(values) &&
        values.some(value => (comparison === 'contains' ? option.includes(String(value)) : option === value)),
    )
  return (
    rules.every(({ comparison }) => comparison === 'equals' || comparison === 'contains') &&
    choices.every(block => rules.every(rule => looksAt(rule, block)) && optionsOf(block)?.every(holds) === true)
  )
}

/**
 * Outputs that links lead to from the start, over blocks that are reached, and those of them that nobody can take.
 * `isShut`: whether an output is out of reach for another reason, such as the hours of a walk.
 */
export const outputsOf = (
  flow: CompiledFlow,
  isShut: (block: CompiledBlock, output: string) => boolean = () => false,
) => {
  const reachable = new Set<Output>()
  const dead = new Set<Output>()
  const reached = new Set<string>()
  const open = flow.start === null ? [] : [flow.start]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const block = flow.blocks.get(id)
    if (block === undefined || reached.has(id)) continue
    reached.add(id)
    const never = new Set([...deadOutputs(block), ...(isExhausted(flow, block) ? ['output_default'] : [])])
    for (const [connector, to] of block.next) {
      if (never.has(connector) || isShut(block, connector)) dead.add(`${id} ${connector}`)
      else {
        reachable.add(`${id} ${connector}`)
        open.push(to)
      }
    }
  }
  return { reachable, dead }
}
