import { rootName } from '#domain/flow/variable/variable-use.ts'
import type { Json } from '#schemas/event.ts'
import { isObject, textAt } from '#schemas/json.ts'
import { itemsAt } from '../question.ts'
import type { CompiledBlock } from '../release.ts'
import { type BlockRuntime, leave, perform, recordProblem, type Turn } from '../turn.ts'
import { assignVariable, contextOf, declarationOf, valueNamed } from '../variables.ts'

const named = (block: CompiledBlock): readonly string[] =>
  itemsAt(block.properties, 'handlerparameters').filter(name => typeof name === 'string')

const scriptOf = (turn: Turn, { properties }: CompiledBlock): { source: string; slow: boolean } | undefined => {
  const name = textAt(properties, 'name')
  const own = textAt(properties, 'js')
  if (properties.quickscript === true || name === '')
    return own.trim() === '' ? undefined : { source: own, slow: false }
  return turn.release.handlers.get(name)
}

const fail = (turn: Turn, block: CompiledBlock, message: string): void => {
  recordProblem(turn, 'handler.failed')
  turn.state = { ...turn.state, handler: { error: { message } } }
  const name = textAt(block.properties, 'errorVariable')
  if (name !== '') assignVariable(turn, name, { message })
}

/** Members of an object go to those variables that are declared or listed as parameters. */
const spread = (turn: Turn, value: Json, parameters: readonly string[]): void => {
  if (!isObject(value)) return
  const listed = new Set(parameters.map(rootName))
  for (const [name, member] of Object.entries(value)) {
    if (listed.has(name) || declarationOf(turn, name) !== undefined) assignVariable(turn, name, member)
  }
}

/** Runs a script; continues after a failure. */
export const handler: BlockRuntime = {
  *run(turn, block) {
    const script = scriptOf(turn, block)
    if (script === undefined) {
      fail(turn, block, 'There is no script to run')
      return leave()
    }
    const names = named(block)
    const context = contextOf(turn, { masked: true })
    const parameters = names.map(name => valueNamed(context, name) ?? null)
    const answer = yield* perform(turn, { kind: 'script', source: script.source, parameters, slow: script.slow })
    if (!answer.ok) {
      fail(turn, block, answer.message)
      return leave()
    }
    turn.state = { ...turn.state, handler: { result: answer.value } }
    spread(turn, answer.value, names)
    const result = textAt(block.properties, 'resultVariable')
    if (result !== '') assignVariable(turn, result, answer.value)
    return leave()
  },
}
