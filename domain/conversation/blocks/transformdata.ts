import { isPathRule } from '#domain/expression/template-check.ts'
import type { Json } from '#schemas/event.ts'
import { textAt } from '#schemas/json.ts'
import type { EvaluationJob } from '../effect.ts'
import { blockText, evaluateJobs, evaluateTexts } from '../evaluate.ts'
import { type BlockRuntime, leave, recordProblem } from '../turn.ts'
import { assignVariable, contextOf } from '../variables.ts'

/** One value where a path can mean only one, else all that it finds. */
const IS_SINGULAR = /^\$(?:\.[\p{L}_][\p{L}\d_]*|\['[^']*'\]|\["[^"]*"\]|\[-?\d+\])*$/u

const selected = (rule: string, value: Json): Json =>
  Array.isArray(value) && IS_SINGULAR.test(rule) ? ((value[0] as Json | undefined) ?? null) : value

/** A path or an expression over some data. */
export const transformdata: BlockRuntime = {
  *run(turn, { properties }) {
    const { parser, pathParser } = turn.settings
    const context = contextOf(turn)
    const written = textAt(properties, 'input')
    const [evaluated] = yield* evaluateTexts(turn, written.trim() === '' ? [] : [blockText('input', written)], context)
    const input = evaluated ?? (written.trim() === '' ? context : null)
    const rule = textAt(properties, 'rule').trim()
    if (rule === '') return leave()
    const isPath = isPathRule(rule)
    const job: EvaluationJob = isPath
      ? { kind: 'path', text: rule, parser: pathParser, input }
      : { kind: 'expression', text: rule, parser }
    const [outcome] = yield* evaluateJobs(turn, [job], isPath ? {} : { ...context, input })
    if (outcome?.ok !== true) recordProblem(turn, `expression.${outcome?.fault ?? 'time'}`, 'rule')
    const value = outcome?.ok === true ? outcome.value : null
    const name = textAt(properties, 'resultVariable')
    if (name !== '') assignVariable(turn, name, isPath && pathParser === 'JSONPath' ? selected(rule, value) : value)
    return leave()
  },
}
