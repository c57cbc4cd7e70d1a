import { readTestFile } from '#domain/conversation-test/read-test-file.ts'
import type { TestStep } from '#domain/conversation-test/test-schema.ts'
import type { Json } from '#schemas/event.ts'
import type { Verdict } from './mark.tsx'
import type { Outcome } from './test-query.ts'

/** Could not begin: the place was not there. */
export const verdictOf = (outcome: Pick<Outcome, 'passed' | 'kind'> | undefined): Verdict => {
  if (outcome === undefined) return undefined
  if (outcome.passed) return 'passed'
  return outcome.kind === 'begin' ? 'skipped' : 'failed'
}

export const stepsOf = (file: Json | undefined): readonly TestStep[] => {
  const read = readTestFile(typeof file === 'string' ? file : '')
  return read.ok ? read.file.steps : []
}

const isObject = (value: unknown): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

/** A message as it is written in one or a few lines: its words, its card, its buttons. */
export const messageText = (message: Json | undefined): string => {
  if (message === undefined || message === null) return ''
  if (!isObject(message)) return textOf(message)
  const { text, contains, matches, type, card, options } = message
  const title = isObject(card) ? card.title : card
  const buttons = Array.isArray(options) ? options.map(option => `[${textOf(option)}]`).join(' ') : ''
  const words = [text, contains === undefined ? undefined : `…${textOf(contains)}…`, matches, title]
  const said = words.flatMap(part => (part === undefined ? [] : [textOf(part)])).filter(part => part !== '')
  const lead = said.length === 0 && typeof type === 'string' ? [type] : said
  return [...lead, buttons].filter(part => part !== '').join('\n')
}

/** The kind of answer that a message waits for, where it says one. */
export const waitOf = (message: Json | undefined): string | undefined =>
  isObject(message) && typeof message.wait === 'string' ? message.wait : undefined

/** Text of a step in one line. */
export const stepText = ({ kind, value }: TestStep): string => {
  if (kind === 'bot') return messageText(value as Json)
  if (typeof value === 'string') return value
  return Object.entries(value as Readonly<Record<string, Json>>)
    .map(([name, held]) => `${name}: ${textOf(held)}`)
    .join(' · ')
}
