import type { Json, JsonObject } from '#schemas/event.ts'
import { own, textAt } from '#schemas/json.ts'
import type { MaySteps, Move, Reading } from './block-runtime.ts'
import { checkSchema } from './check-schema.ts'
import { convertValue } from './convert-value.ts'
import type { Steps } from './effect.ts'
import { evaluateWords, richText } from './evaluate.ts'
import { TURN_LIMITS } from './limits.ts'
import { type AnswerPrompt, choosableDays, isChoosable } from './message.ts'
import type { CompiledBlock } from './release.ts'
import { sayText } from './say.ts'
import type { OfferedAction, Wait } from './state.ts'
import type { Unanswered } from './step.ts'
import { messageText, replaceFrame, type Turn, topFrame } from './turn.ts'
import { assignVariable, declarationOf, readVariable } from './variables.ts'

const numberAt = (properties: JsonObject, name: string, otherwise: number): number => {
  const value = own(properties, name)
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise
}

export const groupAt = (properties: JsonObject, name: string): JsonObject => {
  const value = own(properties, name)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

export const itemsAt = (properties: JsonObject, name: string): readonly Json[] => {
  const value = own(properties, name)
  return Array.isArray(value) ? value : []
}

/** Whether a question may be left unanswered (RUNTIME 38e). */
export const isOptional = (block: CompiledBlock): boolean => block.properties.mandatory === false

/** A wait of a block from now on, with the moments of its reminder and of its end (RUNTIME 71). */
export const waitFrom = (
  turn: Turn,
  block: CompiledBlock,
  wait: Pick<Wait, 'kind' | 'offered'> & Partial<Wait>,
): Wait => {
  const { userTimeout, endTimeout } = turn.settings
  return {
    tries: 0,
    masked: false,
    ...wait,
    block: block.id,
    since: turn.now,
    ...(userTimeout > 0 ? { remindAt: turn.now + userTimeout } : {}),
    ...(endTimeout > 0 ? { endAt: turn.now + endTimeout } : {}),
  }
}

/** The title of the action that leaves an optional question unanswered. */
export const skipAction = (turn: Turn): OfferedAction => ({
  id: 'skip',
  type: 'skip',
  title: messageText(turn, 'prompt.skip'),
  value: '',
})

const yesAndNo = (turn: Turn): readonly OfferedAction[] => [
  { id: 'yes', type: 'affirm', title: messageText(turn, 'prompt.yes'), value: 'true' },
  { id: 'no', type: 'deny', title: messageText(turn, 'prompt.no'), value: 'false' },
]

const CONFIRM: AnswerPrompt = { kind: 'confirm', list: 'button', mask: false, skip: false, unit: '', calendar: '' }

/** Asks yes or no, and waits. */
export const askYesOrNo = (turn: Turn, block: CompiledBlock, text: string, more: Partial<Wait> = {}): Move => {
  const offered = yesAndNo(turn)
  sayText(turn, text, { actions: offered, asks: CONFIRM })
  return { kind: 'wait', wait: waitFrom(turn, block, { kind: 'confirm', offered, ...more }) }
}

const isEmpty = (value: Json | undefined): boolean => value === undefined || value === null || value === ''

/**
 * Asks whether a present value of the question's variable still holds, if the block has a text for that (RUNTIME 38b);
 * undefined if the question itself must be asked.
 */
export function* confirmKept(turn: Turn, block: CompiledBlock, kind: string): Steps<Move | undefined> {
  const name = textAt(block.properties, 'varname')
  const suggestion = richText('suggestionWhenDataAlreadyAvailable', block.properties.suggestionWhenDataAlreadyAvailable)
  if (suggestion.text.trim() === '' || isEmpty(readVariable(turn, name))) return undefined
  const [text = ''] = yield* evaluateWords(turn, [suggestion])
  return askYesOrNo(turn, block, text, { kind, confirming: true })
}

const remember = (turn: Turn, block: CompiledBlock, name: string): void => {
  const frame = topFrame(turn.state)
  if (frame === undefined) return
  const before = name === '' ? {} : { variable: name, before: readVariable(turn, name) ?? null }
  const answered = { frame: frame.id, dialog: frame.dialog, block: block.id, ...before }
  turn.state = { ...turn.state, asked: [...turn.state.asked, answered].slice(-TURN_LIMITS.asked) }
}

const share = (turn: Turn, block: CompiledBlock, name: string): void => {
  const frame = topFrame(turn.state)
  if (frame === undefined || name === '') return
  const added = (names: readonly string[], isShared: Json | undefined) =>
    isShared === true && !names.includes(name) ? [...names, name] : names
  const { dataAvailableForSubDialogs, dataAvailableForSubTasks } = block.properties
  const shared = {
    sub: added(frame.shared.sub, dataAvailableForSubDialogs),
    task: added(frame.shared.task, dataAvailableForSubTasks),
  }
  replaceFrame(turn, { ...frame, shared })
}

const conceal = (turn: Turn, name: string): void => {
  const { masked } = turn.state
  if (name !== '' && !masked.includes(name)) turn.state = { ...turn.state, masked: [...masked, name] }
}

/** The schema that an answer is checked against: the block's, else that of its variable. */
export const schemaOf = (turn: Turn, { properties }: CompiledBlock): Json | undefined => {
  const declared = declarationOf(turn, textAt(properties, 'varname'))
  return turn.settings.schemas.get(textAt(properties, 'variableschema') || (declared?.schema ?? ''))
}

/** Whether a day or moment lies within the bounds of its schema, which JSON Schema itself leaves to formats. */
const isWithinDays = (value: Json, schema: Json): boolean => {
  const { from, to } = choosableDays(schema) ?? {}
  const bounds = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
  return typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value) || isChoosable(value.slice(0, 10), bounds)
}

/** The value as the block's own type, else that of its variable, takes it; undefined for one of another type or schema. */
const fitted = (turn: Turn, block: CompiledBlock, name: string, value: Json): Json | undefined => {
  const declared = declarationOf(turn, name)
  const converted = convertValue(value, textAt(block.properties, 'datatype') || (declared?.datatype ?? ''))
  const schema = schemaOf(turn, block)
  if (!converted.ok) return undefined
  if (schema === undefined) return converted.value
  return checkSchema(converted.value, schema) && isWithinDays(converted.value, schema) ? converted.value : undefined
}

/** Keeps an answer in the block's variable; false where it is not of the wanted type. */
const keepAnswer = (turn: Turn, block: CompiledBlock, wait: Wait, value: Json): boolean => {
  const name = textAt(block.properties, 'varname')
  const kept = fitted(turn, block, name, value)
  if (kept === undefined) return false
  remember(turn, block, name)
  if (wait.masked) conceal(turn, name)
  if (name !== '') assignVariable(turn, name, kept)
  share(turn, block, name)
  return true
}

/** Repeats a question: its retry text in place of message and question, else the error and the question. */
interface Repeat {
  /** Code of the message that says what is wanted. */
  readonly invalid: string
  readonly ask: (tries: number, text?: string) => MaySteps<Move>
}

/** A value as a computation that asks for nothing. */
function* stepsOf(made: MaySteps<Move>): Steps<Move> {
  return 'kind' in made ? made : yield* made
}

function* askAgain(turn: Turn, block: CompiledBlock, wait: Wait, repeat: Repeat): Steps<Move> {
  const tries = wait.tries + 1
  if (tries > numberAt(block.properties, 'maxRetries', 3)) return leaveUnanswered(turn, block, 'gaveup')
  const retry = richText('retryPrompt', block.properties.retryPrompt)
  if (retry.text.trim() !== '') {
    const [text = ''] = yield* evaluateWords(turn, [retry])
    return yield* stepsOf(repeat.ask(tries, text))
  }
  sayText(turn, messageText(turn, repeat.invalid))
  return yield* stepsOf(repeat.ask(tries))
}

/** Leaves a question without an answer: its variable is null (RUNTIME 38d, 38e). */
const leaveUnanswered = (turn: Turn, block: CompiledBlock, unanswered: Unanswered): Move => {
  const name = textAt(block.properties, 'varname')
  if (name !== '') assignVariable(turn, name, null)
  const out = block.type === 'prompt' && !isOptional(block) ? 'output_giveup' : 'output_1'
  return { kind: 'leave', out, unanswered }
}

/** Processes a reading for a question (RUNTIME 38). */
export function* takeAnswer(
  turn: Turn,
  block: CompiledBlock,
  wait: Wait,
  reading: Reading,
  repeat: Repeat,
): Steps<Move> {
  if (reading.kind === 'skipped' && isOptional(block)) return leaveUnanswered(turn, block, 'skipped')
  if (reading.kind === 'valid' && keepAnswer(turn, block, wait, reading.value))
    return { kind: 'leave', out: 'output_1' }
  return yield* askAgain(turn, block, wait, repeat)
}
