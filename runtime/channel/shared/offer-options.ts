import type { ChatMessage } from '../../port.ts'
import type { Capabilities, OutgoingMessage, OutgoingOption } from '../channel-port.ts'
import { group } from './json-reader.ts'
import { cutLabel, splitText } from './split-text.ts'

/** A message that is being fitted to a provider. */
export interface DegradeContext {
  readonly message: ChatMessage
  readonly capabilities: Capabilities
  readonly listButton: string
  /** Id of the conversation, which buttons name. */
  readonly conversation?: string
}

/** An option before it is fitted; with `url` it opens a page instead of answering. */
export type OfferedOption = Pick<OutgoingOption, 'id' | 'title' | 'url'>

/** Placeholder for text that a provider requires and the bot did not write. */
const NO_WORDS = '…'
/** Maximum length of the title of a button that opens a page. */
const LINK_LABEL = 20

const fitted = (option: OfferedOption, label: number, description: number): OutgoingOption => {
  const title = cutLabel(option.title, label)
  const isCut = title !== option.title.trim() && description > 0
  return { ...option, title, ...(isCut ? { description: cutLabel(option.title, description) } : {}) }
}

const areDistinct = (options: readonly OutgoingOption[]): boolean =>
  new Set(options.map(({ title }) => title.toLowerCase())).size === options.length

/** The options as buttons; undefined when they do not fit or their shortened titles would be equal. */
const asButtons = ({ buttons }: Capabilities, options: readonly OfferedOption[]) => {
  if (buttons === null || options.length > buttons.count) return undefined
  const made = options.map(option => fitted(option, buttons.label, 0))
  return areDistinct(made) ? made : undefined
}

const asRows = ({ list }: Capabilities, options: readonly OfferedOption[]) => {
  if (list === null || options.length > list.count) return undefined
  const made = options.map(option => fitted(option, list.label, list.description))
  return areDistinct(made) ? made : undefined
}

const isCut = (made: readonly OutgoingOption[], options: readonly OfferedOption[]): boolean =>
  made.some(({ title }, at) => title !== options[at]?.title.trim())

/** Form of the options: as the block requests, and as the provider allows (RUNTIME 40). */
const chosenWay = ({ message, capabilities }: DegradeContext, options: readonly OfferedOption[]) => {
  const style = group(message.wait).list
  if (style === 'inline') return undefined
  const [buttons, rows] = [asButtons(capabilities, options), asRows(capabilities, options)]
  const areButtonsBest = style !== 'list' && buttons !== undefined && !isCut(buttons, options)
  if (buttons !== undefined && (areButtonsBest || rows === undefined))
    return { kind: 'buttons', options: buttons } as const
  return rows === undefined ? undefined : ({ kind: 'list', options: rows } as const)
}

const unitOf = ({ bytes }: Capabilities) => (bytes === true ? 'bytes' : 'characters')

/** Text split into as many messages as needed. */
export const inWords = ({ capabilities }: DegradeContext, words: string): readonly OutgoingMessage[] =>
  splitText(words, capabilities.text, unitOf(capabilities)).map(text => ({
    kind: 'text',
    text,
  }))

/** The text above options; a longer text is sent before them. */
const wordsAbove = (context: DegradeContext, words: string) => {
  const pieces = splitText(words, context.capabilities.body, unitOf(context.capabilities))
  return { text: pieces.at(-1) ?? NO_WORDS, before: inWords(context, pieces.slice(0, -1).join('\n\n')) }
}

const linkLine = ({ title, url = '' }: OfferedOption): string => (title === url ? url : `${title}: ${url}`)

/** Text with options: as buttons, a list, or numbered lines; `image` is put above buttons if the provider allows it. */
export const offer = (
  context: DegradeContext,
  words: string,
  options: readonly OfferedOption[],
  image?: string,
): readonly OutgoingMessage[] => {
  const { capabilities, listButton } = context
  const links = options.filter(({ url }) => url !== undefined)
  const answers = options.filter(({ url }) => url === undefined)
  const picture = image === undefined ? {} : { image }
  const way = capabilities.buttons?.links ?? 'none'
  const areBeside = way === 'beside' && links.length > 0 && asButtons(capabilities, options) !== undefined
  if (areBeside || (way === 'alone' && answers.length === 0 && links.length === 1)) {
    const { text, before } = wordsAbove(context, words)
    const made = options.map(option => fitted(option, capabilities.buttons?.label ?? LINK_LABEL, 0))
    return [...before, { kind: 'buttons', text, ...picture, options: made }]
  }
  const told = [words, ...links.map(linkLine)].filter(line => line !== '').join('\n')
  if (answers.length === 0) return inWords(context, told)
  const chosen = chosenWay(context, answers)
  if (chosen === undefined) {
    const numbered = answers.map(({ title }, at) => `${at + 1}. ${title}`)
    return inWords(context, [told, ...numbered].filter(line => line !== '').join('\n'))
  }
  const { text, before } = wordsAbove(context, told)
  return chosen.kind === 'list'
    ? [...before, { kind: 'list', text, button: listButton, options: chosen.options }]
    : [...before, { kind: 'buttons', text, ...picture, options: chosen.options }]
}
