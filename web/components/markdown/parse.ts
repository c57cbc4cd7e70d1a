import type { Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** What looks like HTML is text, and markdown in it is read. */
const WITHOUT_HTML = { disable: { null: ['htmlFlow', 'htmlText'] } }

/** CommonMark with GitHub's tables, task lists, strikethrough, footnotes and bare addresses. */
export const parseMarkdown = (source: string): Root =>
  fromMarkdown(source, { extensions: [gfm(), WITHOUT_HTML], mdastExtensions: [gfmFromMarkdown()] })
