import { chooseBranch, collectPatternTests, type Operands, type PatternTest } from '#domain/flow/condition/condition.ts'
import type { OperandType } from '#schemas/blocks/comparison.ts'
import type { Json } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { holdsPlaceholder } from '../../expression/template.ts'
import type { Steps } from '../effect.ts'
import { type BlockText, evaluateJobs, evaluateTexts } from '../evaluate.ts'
import { itemsAt } from '../question.ts'
import { type BlockRuntime, leave, recordProblem, type Turn } from '../turn.ts'
import { contextOf, declarationOf, valueNamed } from '../variables.ts'

const TYPES: Readonly<Record<string, OperandType>> = {
  string: 'string',
  number: 'numeric',
  boolean: 'boolean',
  date: 'date',
  object: 'object',
  array: 'array',
}

/** The expressions of all rules, once each: a left side, or a value with a placeholder that can be nothing else. */
const textsIn = (value: Json, at: string, found: Map<string, BlockText>): void => {
  if (Array.isArray(value)) {
    for (const [place, item] of value.entries()) textsIn(item as Json, `${at}.${place}`, found)
    return
  }
  if (!isObject(value)) return
  const add = (text: Json | undefined, template: 'text' | 'value', where: string) => {
    if (typeof text === 'string' && text !== '' && !found.has(text)) found.set(text, { at: where, text, template })
  }
  for (const [name, member] of Object.entries(value)) {
    if (name === 'expression' && value.source === 'expression') add(member, 'text', `${at}.expression`)
    else if (name === 'values' && Array.isArray(member)) {
      for (const item of member)
        if (typeof item === 'string' && holdsPlaceholder(item)) add(item, 'value', `${at}.values`)
    } else textsIn(member, `${at}.${name}`, found)
  }
}

/** Longer patterns fit nothing. */
const MAX_PATTERN_LENGTH = 200

/** Patterns are tried by the evaluator, which ends those that find no end: the rule does not hold then. */
function* tryPatterns(turn: Turn, asked: readonly PatternTest[]): Steps<NonNullable<Operands['matches']>> {
  const tried = asked.filter(({ pattern }) => pattern.length <= MAX_PATTERN_LENGTH)
  const jobs = tried.map(({ value, pattern }) => ({ kind: 'pattern', text: pattern, input: value }) as const)
  const outcomes = yield* evaluateJobs(turn, jobs)
  const held = new Set<string>()
  for (const [place, outcome] of outcomes.entries()) {
    const { value, pattern } = tried[place] ?? { value: '', pattern: '' }
    if (!outcome.ok) recordProblem(turn, `expression.${outcome.fault}`, 'conditions')
    else if (outcome.value === true) held.add(JSON.stringify([value, pattern]))
  }
  return (value, pattern) => held.has(JSON.stringify([value, pattern]))
}

/** The first branch that holds, else otherwise. */
export const condition: BlockRuntime = {
  *run(turn, { properties }) {
    const branches = itemsAt(properties, 'conditions')
    const found = new Map<string, BlockText>()
    textsIn([...branches], 'conditions', found)
    const sources = [...found.keys()]
    const context = contextOf(turn)
    const values = yield* evaluateTexts(turn, [...found.values()], context)
    const { state, settings, now } = turn
    const operands: Operands = {
      input: state.said.value ?? state.said.text,
      channel: state.channel.type,
      tags: state.tags,
      variable: name => valueNamed(context, name),
      typeOf: name => TYPES[declarationOf(turn, name)?.datatype ?? ''],
      expression: source => values[sources.indexOf(source)],
      now,
      timezone: settings.timezone,
    }
    const matches = yield* tryPatterns(turn, collectPatternTests(branches, operands))
    const chosen = chooseBranch(branches, { ...operands, matches })
    const branch = chosen === undefined ? undefined : branches[chosen]
    const id = isObject(branch) && typeof branch.id === 'string' ? branch.id : undefined
    return leave(chosen === undefined ? 'output_default' : (id ?? `output_${chosen + 1}`))
  },
}
