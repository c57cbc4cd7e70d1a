import type { Json } from '#schemas/event.ts'
import { type AnswerResult, INVALID, lineOf, valid } from './answer-result.ts'
import { nearest } from './near-text.ts'

/** A choosable option; '' as its value means its title. */
export interface AnswerOption {
  readonly title: string
  readonly value: string
}

const resultOf = ({ title, value }: AnswerOption): string => (value === '' ? title : value)

const NUMBERED = /^(?:opcao|opção|opcion|opción|option|numero|número|number|n[ºo°.]|#|\() ?(?=\d)/iu

/** The option of a number as the numbered lines show it, from 1: `2`, `2.`, `2)`, `2º`, `opção 2`. */
const numbered = (said: string, options: readonly AnswerOption[]): AnswerOption | undefined => {
  const digits = /^0{0,3}(\d{1,4})(?:[.)ºª°]|\.[ºª°]| ?-)?$/u.exec(lineOf(said).replace(NUMBERED, ''))?.[1]
  return digits === undefined ? undefined : options[Number(digits) - 1]
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The option of a pressed button, whose value comes as it was sent. */
export const pressedOption = (pressed: Json, options: readonly AnswerOption[]): AnswerResult<string> => {
  const value = textOf(pressed)
  const option = options.find(each => resultOf(each) === value) ?? options.find(({ title }) => title === value)
  return option === undefined ? INVALID : valid(resultOf(option))
}

/**
 * The typed option: by title, number, value, last by a single near match with `fuzzy`. The title is first, so that of
 * 10, 20 and 2 the text `2` is the last. The result is its value, else its title.
 */
export const readChoice = (said: string, options: readonly AnswerOption[], fuzzy: boolean): AnswerResult<string> => {
  const titles = options.map(({ title }) => title)
  const values = options.map(resultOf)
  const byTitle = (isFuzzy: boolean) => {
    const title = nearest(said, titles, isFuzzy)
    return title === undefined ? undefined : options[titles.indexOf(title)]
  }
  const byValue = () => {
    const value = nearest(said, values, false)
    return value === undefined ? undefined : options[values.indexOf(value)]
  }
  const byEither = () => {
    const near = nearest(said, [...titles, ...values], true)
    return near === undefined ? undefined : (options[titles.indexOf(near)] ?? options[values.indexOf(near)])
  }
  const option =
    byTitle(false) ?? numbered(said, options) ?? byValue() ?? (fuzzy ? (byTitle(true) ?? byEither()) : undefined)
  return option === undefined ? INVALID : valid(resultOf(option))
}
