import type { Json, NodeModel } from '#domain/flow/document/model.ts'
import { isObject, textOf } from '#schemas/json.ts'
import type { Translate } from './label.ts'
import { plainWords, previewOf, previewText } from './preview.ts'

/** All that a block says, uncut, and what it offers to choose from. */
interface Said {
  readonly text: string
  readonly options: readonly string[]
}

const optionWords = (option: Json): string => textOf(isObject(option) ? option.label : option)

/** A text without markup; keeps paragraphs apart. */
export const paragraphs = (text: string): string =>
  text
    .replace(/<br\s*\/?>|<\/(?:p|div|li)>/gu, '\n')
    .split('\n')
    .map(plainWords)
    .join('\n')
    .trim()

/** A block's message text; its preview if it has none. */
export const saidBy = (node: NodeModel, t: Translate): Said => {
  const { text, data } = node.properties
  const asked = isObject(data) ? data : {}
  const own = paragraphs(textOf(text) || textOf(asked.text))
  const preview = () => {
    const shown = previewOf(node, t)
    // Outputs are listed separately.
    return shown.parts.some(({ kind }) => kind === 'way') ? '' : previewText(shown)
  }
  const options = Array.isArray(asked.options) ? asked.options.map((option: Json) => optionWords(option)) : []
  return { text: own || preview(), options: options.filter(option => option !== '') }
}
