import { folded } from '#domain/fold-text.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { type AnswerPlace, type Read, read, UNREAD } from './answer-place.ts'
import { nearest } from './near-text.ts'
import { readNumeric } from './number-answer.ts'
import { readText } from './text-answer.ts'
import { readTime } from './time-answer.ts'

/** What a person gave for an answer. */
export interface SaidInput {
  readonly text?: string
  /** Of a pressed option. */
  readonly value?: Json
  readonly location?: JsonObject
  readonly attachments?: readonly JsonObject[]
}

export interface AnswerOption {
  readonly title: string
  readonly value: string
}

/** What a question takes (RUNTIME 39). */
export type WantedAnswer =
  | { readonly kind: 'text'; readonly validation: string }
  | { readonly kind: 'number'; readonly validation: string; readonly unit: string }
  | { readonly kind: 'time'; readonly part: string }
  | { readonly kind: 'confirm' }
  | { readonly kind: 'choice'; readonly options: readonly AnswerOption[]; readonly fuzzy: boolean }
  | { readonly kind: 'location' }
  | { readonly kind: 'attachment' }

const YES = [
  'yes',
  'y',
  'yeah',
  'yep',
  'ok',
  'okay',
  'sure',
  'of course',
  'true',
  'sim',
  's',
  'ss',
  'claro',
  'isso',
  'certo',
  'pode',
  'pode ser',
  'com certeza',
  'confirmo',
  'si',
  'por supuesto',
  'vale',
  'correcto',
  '👍',
]
const NO = [
  'no',
  'n',
  'nope',
  'nah',
  'not',
  'false',
  'nao',
  'nn',
  'negativo',
  'de jeito nenhum',
  'nunca',
  'para nada',
  '👎',
]

const words = (text: string): string =>
  folded(text)
    .replaceAll(/[.!,;]/gu, ' ')
    .trim()
    .replaceAll(/\s+/gu, ' ')

const readConfirm = ({ text = '', value }: SaidInput): Read<boolean> => {
  const said = words(typeof value === 'string' && value !== '' ? value : text)
  return YES.includes(said) ? read(true) : NO.includes(said) ? read(false) : UNREAD
}

const MAX_CHOICE_LENGTH = 1000

const readChoice = (
  { text = '', value }: SaidInput,
  options: readonly AnswerOption[],
  fuzzy: boolean,
): Read<string> => {
  const pressed = typeof value === 'string' ? options.find(option => option.value === value) : undefined
  if (pressed !== undefined) return read(pressed.value)
  if (text.length > MAX_CHOICE_LENGTH) return UNREAD
  const said = nearest(
    text,
    options.flatMap(option => [option.title, option.value]),
    fuzzy,
  )
  const named = options.find(option => option.title === said || option.value === said)
  if (named !== undefined) return read(named.value)
  const [, number] = /^\s*(\d{1,3})\s*[.)]?\s*$/u.exec(text) ?? []
  const counted = number === undefined ? undefined : options[Number(number) - 1]
  return counted === undefined ? UNREAD : read(counted.value)
}

const readLocation = ({ text = '', location }: SaidInput): Read<Json> => {
  if (location !== undefined) return read(location)
  const address = text.trim()
  return address === '' || address.length > MAX_CHOICE_LENGTH ? UNREAD : read({ type: 'Place', address })
}

const readAttachments = ({ attachments = [] }: SaidInput): Read<Json> => {
  const [first, ...others] = attachments
  if (first === undefined) return UNREAD
  return read(others.length === 0 ? first : [...attachments])
}

/** Reads what somebody said as the answer to a question. Pure: the same words at the same moment give the same value. */
export const readAnswer = (said: SaidInput, wanted: WantedAnswer, place: AnswerPlace): Read<Json> => {
  const text = said.text ?? (typeof said.value === 'string' ? said.value : '')
  switch (wanted.kind) {
    case 'text':
      return readText(text, wanted.validation)
    case 'number':
      return readNumeric(text, wanted.validation, wanted.unit, place.locale)
    case 'time':
      return readTime(text, wanted.part, place)
    case 'confirm':
      return readConfirm(said)
    case 'choice':
      return readChoice(said, wanted.options, wanted.fuzzy)
    case 'location':
      return readLocation(said)
    case 'attachment':
      return readAttachments(said)
    default:
      return wanted satisfies never
  }
}
