import { Paragraph } from '@tiptap/extension-paragraph'
import { RICH_MARKUP } from '#schemas/flow/rich-markup.ts'

/** A paragraph that keeps how its text was spelled, which the document falls back on while nobody changes it. */
export const SpelledParagraph = Paragraph.extend({
  addAttributes: () => ({ [RICH_MARKUP.spelled]: { default: null, rendered: false, keepOnSplit: false } }),
})
