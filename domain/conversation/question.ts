import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, own, parseJson, textAt } from '#schemas/json.ts'
import { type AnswerResult, valid, validUnless } from './answer/answer-result.ts'
import { readConfirm } from './answer/confirm-answer.ts'
import { readTime } from './answer/time-answer.ts'
import { checkSchema } from './check-schema.ts'
import { outputOfAnswer } from './choice.ts'
import type { Steps } from './effect.ts'
import { evaluateWords, richText } from './evaluate.ts'
import { TURN_LIMITS } from './limits.ts'
import { type AnswerPrompt, choosableDays, isChoosable } from './message.ts'
import type { CompiledBlock } from './release.ts'
import type { OfferedAction, Wait } from './state.ts'
import type { Unanswered } from './step.ts'
import {
  type MaySteps,
  type Move,
  messageText,
  type Reading,
  replaceFrame,
  sayText,
  type Turn,
  topFrame,
} from './turn.ts'
import { assignVariable, declarationOf, readVariable } from './variables.ts'

/** As programs write numbers. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/iu
/** With a decimal comma, where it cannot group thousands. */
const COMMA_NUMBER = /^[+-]?(?:\d*,(?!\d{3}$)\d+|0,\d+)$/u
const MAX_NUMBER_LENGTH = 400

const toNumber = (value: Json): number | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const text = typeof value === 'string' && value.length <= MAX_NUMBER_LENGTH ? value.trim() : ''
  const number = NUMBER.test(text)
    ? Number(text)
    : COMMA_NUMBER.test(text)
      ? Number(text.replace(',', '.'))
      : Number.NaN
  // No zero below zero, which JSON does not know.
  return Number.isFinite(number) ? number + 0 : undefined
}

/** Words of yes and no too, as the options of a choice are; a number in a text is neither. */
const toBoolean = (value: Json): boolean | undefined => {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === 0) return value === 1
  if (typeof value !== 'string' || /\d/u.test(value)) return undefined
  const confirmed = readConfirm(value)
  return confirmed.ok ? confirmed.value : undefined
}

const toText = (value: Json): string | undefined => {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value)
  } catch {
    // Nested deeper than the stack.
    return undefined
  }
}

const parsed = (value: Json): Json | undefined => (typeof value === 'string' ? parseJson(value) : value)

/** No calendar word depends on them: a date in words is none here. */
const ANYWHERE = { locale: 'pt', now: 0, timezone: 'UTC' }
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/u
const ZONED = /^\d{4}-\d{2}-\d{2}T.+(?:Z|[+-]\d{2}:?\d{2})$/u
const DATED = /^(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\/\d{1,2}\/\d{4})(?:[ T](\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?$/u

/** A date in figures as ISO 8601; with a zone, and a clock alone, it stays as it is. A number is a moment or a part of a date. */
const toDate = (value: Json): Json | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const text = typeof value === 'string' && value.length <= MAX_NUMBER_LENGTH ? value.trim() : ''
  if (CLOCK.test(text)) return text
  const isZoned = ZONED.test(text)
  const clock = DATED.exec(text)?.[1]
  if (!isZoned && !DATED.test(text)) return undefined
  const date = readTime(text, isZoned || clock !== undefined ? 'datetime' : 'date', ANYWHERE)
  if (!date.ok) return undefined
  return isZoned ? text : date.value
}

const toObject = (value: Json): Json | undefined => {
  const held = parsed(value)
  return isObject(held) ? held : undefined
}

/** One object is the only item, so that a variable for several attachments takes one as well. */
const toArray = (value: Json): Json | undefined => {
  const held = parsed(value)
  if (Array.isArray(held)) return held
  return isObject(held) ? [held] : undefined
}

const CONVERSIONS: ReadonlyMap<string, (value: Json) => Json | undefined> = new Map([
  ['string', toText],
  ['number', toNumber],
  ['boolean', toBoolean],
  ['date', toDate],
  ['object', toObject],
  ['array', toArray],
])

/**
 * A value as a variable of a data type keeps it. Null is kept by every type, and any other name of a type
 * keeps every value.
 */
export const convertValue = (value: Json, datatype: string): AnswerResult => {
  if (value === null) return valid(null)
  const convert = CONVERSIONS.get(datatype)
  return convert === undefined ? valid(value) : validUnless(convert(value))
}

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

/** Whether a question may be left unanswered. */
export const isOptional = (block: CompiledBlock): boolean => block.properties.mandatory === false

/** A wait of a block from now on, with the moments of its reminder and of its end. */
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
 * Asks whether a present value of the question's variable still holds, if the block has a text for that;
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

/** Leaves a question without an answer: its variable is null. */
const leaveUnanswered = (turn: Turn, block: CompiledBlock, unanswered: Unanswered): Move => {
  const name = textAt(block.properties, 'varname')
  if (name !== '') assignVariable(turn, name, null)
  const out = block.type === 'prompt' && !isOptional(block) ? 'output_giveup' : 'output_1'
  return { kind: 'leave', out, unanswered }
}

/** Processes a reading for a question. */
export function* takeAnswer(
  turn: Turn,
  block: CompiledBlock,
  wait: Wait,
  reading: Reading,
  repeat: Repeat,
): Steps<Move> {
  if (reading.kind === 'skipped' && isOptional(block)) return leaveUnanswered(turn, block, 'skipped')
  if (reading.kind === 'valid' && keepAnswer(turn, block, wait, reading.value))
    return { kind: 'leave', out: outputOfAnswer(block, wait, reading) }
  return yield* askAgain(turn, block, wait, repeat)
}
