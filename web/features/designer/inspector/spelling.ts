import { Extension } from '@tiptap/core'
import { RICH_MARKUP } from '#schemas/flow/rich-markup.ts'

const { paragraph, spelled } = RICH_MARKUP

/** Paragraphs keep how their text was spelled, which the document falls back on while nobody changes it. */
export const Spelling = Extension.create({
  name: spelled,
  addGlobalAttributes: () => [
    { types: [paragraph], attributes: { [spelled]: { default: null, rendered: false, keepOnSplit: false } } },
  ],
})
