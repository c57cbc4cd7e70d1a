import { choicesOf } from '#domain/flow/document/choice-outputs.ts'
import type { Choice } from '#domain/flow/document/model.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json } from '#schemas/event.ts'
import { jsonEqual, parseJsonField } from '#schemas/json.ts'
import { readChoice } from './answer/choice-answer.ts'
import type { TurnInput } from './message.ts'
import type { CompiledBlock } from './release.ts'
import type { OfferedAction, Wait } from './state.ts'
import type { Reading } from './turn.ts'

/** Choices of a block whose output is linked. */
const linkedChoices = ({ type, properties, next }: CompiledBlock): readonly Choice[] => {
  const block = blockOf(type)
  if (block?.choiceOutputs === undefined || next.size === 0) return []
  return choicesOf(block, properties).filter(({ output }) => next.has(output))
}

/** Whether a choice leads elsewhere than other answers: a card then waits for it. */
export const hasLinkedChoice = (block: CompiledBlock): boolean => linkedChoices(block).length > 0

const FIXED: Readonly<Record<string, string>> = { affirm: 'output_yes', deny: 'output_no' }

/** Actions, each with the linked output of its choice. */
export const withOutputs = (block: CompiledBlock, actions: readonly OfferedAction[]): readonly OfferedAction[] => {
  const choices = linkedChoices(block)
  if (choices.length === 0) return actions
  return actions.map(action => {
    // Offered before, by a block that may have other options by now.
    if (action.out !== undefined) return action
    const out = choices.find(({ place, output }) =>
      place === '' ? output === FIXED[action.type] : action.type !== 'skip' && place === action.id,
    )?.output
    return out === undefined ? action : { ...action, out }
  })
}

const answerOf = ({ title, value }: Pick<Choice, 'title' | 'value'>): string => (value === '' ? title : value)
const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

const outputOfValue = ({ next }: CompiledBlock, offered: readonly OfferedAction[], value: Json): string | undefined => {
  const text = textOf(value)
  const out = offered.find(action => action.out !== undefined && answerOf(action) === text)?.out
  return out !== undefined && next.has(out) ? out : undefined
}

/** The output of an answer that was kept before the block ran; titles and values with placeholders are none. */
export const outputOfKept = (block: CompiledBlock, value: Json): string => {
  const text = textOf(value)
  const fixed = value === true ? FIXED.affirm : value === false ? FIXED.deny : undefined
  const choice = linkedChoices(block).find(each =>
    each.place === '' ? each.output === fixed : answerOf(each) === text,
  )
  return choice?.output ?? 'output_1'
}

const isSubmitOf = ({ value }: OfferedAction, data: Json): boolean => {
  const sent = parseJsonField(value) ?? null
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return value !== '' && jsonEqual(sent, data)
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return false
  const held = new Map(Object.entries(data))
  const own = Object.entries(sent)
  return own.length > 0 && own.every(([name, member]) => jsonEqual(member, held.get(name)))
}

const meantAction = (offered: readonly OfferedAction[], input: TurnInput): OfferedAction | undefined => {
  switch (input.kind) {
    case 'choice':
      return offered.find(({ id, value }) => id === input.action.id && value === input.action.value)
    case 'submit':
      return offered.find(({ title }) => title === input.title) ?? offered.find(each => isSubmitOf(each, input.data))
    case 'text': {
      const read = readChoice(input.text, offered, false)
      return read.ok ? offered.find(each => answerOf(each) === read.value) : undefined
    }
    default:
      return undefined
  }
}

/** Answer to a card by the button with an output that an input presses or names; undefined for anything else. */
export const readButton = (wait: Wait, input: TurnInput): Extract<Reading, { kind: 'valid' }> | undefined => {
  const offered = wait.offered.filter(({ type }) => type !== 'skip')
  const meant = offered.some(({ out }) => out !== undefined) ? meantAction(offered, input) : undefined
  if (meant?.out === undefined) return undefined
  return { kind: 'valid', value: input.kind === 'submit' ? input.data : answerOf(meant), out: meant.out }
}

/** The output of an answer: that of its choice where it is linked, else `output_1`. */
export const outputOfAnswer = (
  block: CompiledBlock,
  wait: Wait,
  { value, out }: Extract<Reading, { kind: 'valid' }>,
): string => {
  if (out !== undefined && block.next.has(out)) return out
  return outputOfValue(block, wait.offered, value) ?? 'output_1'
}
