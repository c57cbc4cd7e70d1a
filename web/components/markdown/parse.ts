import type { Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** HTML is rendered as text; markdown inside it is parsed. */
const WITHOUT_HTML = { disable: { null: ['htmlFlow', 'htmlText'] } }

/** CommonMark with GitHub's tables, task lists, strikethrough, footnotes and bare addresses. */
export const parseMarkdown = (source: string): Root =>
  fromMarkdown(source, { extensions: [gfm(), WITHOUT_HTML], mdastExtensions: [gfmFromMarkdown()] })
