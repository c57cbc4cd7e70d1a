import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { type AnswerPlace, type AnswerResult, INVALID } from './answer-result.ts'
import type { AnswerSpec } from './answer-spec.ts'
import { readAttachments } from './attachment-answer.ts'
import { pressedOption, readChoice } from './choice-answer.ts'
import { readConfirm } from './confirm-answer.ts'
import { readAddress, readPlace } from './location-answer.ts'
import { readNumber } from './number-answer.ts'
import { readText } from './text-answer.ts'
import { readTime } from './time-answer.ts'

export interface AnswerInput {
  readonly text?: string
  /** Of a pressed option. */
  readonly value?: Json
  readonly location?: JsonObject
  readonly attachments?: readonly JsonObject[]
}

type Reader = (said: string | number | boolean) => AnswerResult

/** Reads the value of the pressed option, else the words. */
const readSaid = ({ value, text }: AnswerInput, reader: Reader): AnswerResult => {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  const pressed = isPlain ? reader(value) : INVALID
  return pressed.ok || text === undefined ? pressed : reader(text)
}

const readLocation = (said: AnswerInput): AnswerResult => {
  if (said.location !== undefined) return readPlace(said.location)
  if (isObject(said.value)) return readPlace(said.value)
  return readSaid(said, words => readAddress(`${words}`))
}

/**
 * Reads a person's answer to a question. Pure: the same input at the same moment gives the same value; never throws.
 * Numbers and dates follow the locale, the value of a pressed option is unchanged.
 */
export const readAnswer = (said: AnswerInput, wanted: AnswerSpec, place: AnswerPlace): AnswerResult => {
  switch (wanted.kind) {
    case 'text':
      return readSaid(said, words => readText(`${words}`, wanted.validationType))
    case 'number':
      return readSaid(said, words =>
        typeof words === 'boolean' ? INVALID : readNumber(words, wanted.validationType, wanted.unit, place.locale),
      )
    case 'time':
      return readSaid(said, words => readTime(`${words}`, wanted.dateExtractType, place))
    case 'confirm':
      return readSaid(said, words => readConfirm(typeof words === 'number' ? `${words}` : words))
    case 'choice': {
      const pressed = said.value === undefined ? INVALID : pressedOption(said.value, wanted.options)
      return pressed.ok ? pressed : readSaid(said, words => readChoice(`${words}`, wanted.options, wanted.fuzzy))
    }
    case 'location':
      return readLocation(said)
    case 'attachment':
      return readAttachments(said.attachments ?? [], { denied: [], ...wanted })
    default:
      return wanted satisfies never
  }
}
