import type { Node as DocumentNode, Mark } from '@tiptap/pm/model'
import type { EditorState, Transaction } from '@tiptap/pm/state'
import { ySyncPluginKey } from '@tiptap/y-tiptap'
import { RICH_MARKUP } from '#schemas/flow/rich-markup.ts'

const { variable, bold, italic, underline, marked } = RICH_MARKUP
const MARKS = [bold, italic, underline]

const isShared = (transaction: Transaction) => transaction.getMeta(ySyncPluginKey)?.isChangeOrigin === true

/** The marks that the shared text says an atom bears. */
const saidMarks = ({ attrs, type: { schema } }: DocumentNode): readonly Mark[] =>
  MARKS.flatMap(name => (attrs[name] === marked ? (schema.marks[name]?.create() ?? []) : []))

/**
 * The shared text has marks for letters only: a variable's marks are attributes there, and marks in the editor. A
 * change on one side is copied to the other.
 */
export const keepMarks = (transactions: readonly Transaction[], _: EditorState, { doc, tr }: EditorState) => {
  if (!transactions.some(({ docChanged }) => docChanged)) return null
  const isComing = transactions.some(isShared)
  doc.descendants((node, pos) => {
    if (node.type.name !== variable) return
    const said = saidMarks(node)
    for (const name of MARKS) {
      const held = node.marks.find(({ type }) => type.name === name)
      const told = said.find(({ type }) => type.name === name)
      if ((held === undefined) === (told === undefined)) continue
      if (!isComing) tr.setNodeAttribute(pos, name, held === undefined ? null : marked)
      else if (told !== undefined) tr.addMark(pos, pos + node.nodeSize, told)
      else if (held !== undefined) tr.removeMark(pos, pos + node.nodeSize, held)
    }
  })
  if (!tr.docChanged) return null
  return isComing ? tr.setMeta(ySyncPluginKey, { isChangeOrigin: true }) : tr
}
