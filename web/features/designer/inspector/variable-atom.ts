import { InputRule, mergeAttributes, Node } from '@tiptap/core'
import type { Node as DocumentNode, Mark } from '@tiptap/pm/model'
import { type EditorState, Plugin, type Transaction } from '@tiptap/pm/state'
import { ySyncPluginKey } from '@tiptap/y-tiptap'
import { RICH_MARKUP } from '#schemas/flow/file.ts'

const {
  variable: preserveMarksVariable,
  bold: preserveMarksBold,
  italic: preserveMarksItalic,
  underline: preserveMarksUnderline,
  marked,
} = RICH_MARKUP
const MARKS = [preserveMarksBold, preserveMarksItalic, preserveMarksUnderline]

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
    if (node.type.name !== preserveMarksVariable) return
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

const { variable, variableName, bold, italic, underline } = RICH_MARKUP

/** The atom of a variable that goes in at the caret, with the marks that a letter typed there would bear. */
export const variableAt = ({ schema, selection, storedMarks }: EditorState, name: string): DocumentNode | undefined =>
  schema.nodes[variable]?.create({ [variableName]: name }, null, storedMarks ?? selection.$from.marks())

const unseen = { default: null, rendered: false }

/** A variable inside a text: one inline atom, typed as {{name}} or chosen from the list. */
export const VariableAtom = Node.create({
  name: variable,
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({ [variableName]: { default: '' }, [bold]: unseen, [italic]: unseen, [underline]: unseen }),
  parseHTML: () => [{ tag: 'span[data-variable]' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'span',
    mergeAttributes(HTMLAttributes, { 'data-variable': '', class: 'pl-variable' }),
    String(node.attrs[variableName]),
  ],
  renderText: ({ node }) => `{{${node.attrs[variableName]}}}`,
  addProseMirrorPlugins: () => [
    new Plugin({
      appendTransaction: keepMarks,
      props: {
        /** A value that is dragged from a result or from the state of a test comes as an atom. */
        handleDrop: (view, event) => {
          const name = /^\{\{([^{}\n]+)\}\}$/u.exec(event.dataTransfer?.getData('text/plain') ?? '')?.[1]
          const at = view.posAtCoords({ left: event.clientX, top: event.clientY })
          const atom = name === undefined ? undefined : variableAt(view.state, name.trim())
          if (at === null || atom === undefined) return false
          view.dispatch(view.state.tr.insert(at.pos, atom))
          view.focus()
          return true
        },
      },
    }),
  ],
  addInputRules() {
    return [
      // The library's own rule leaves the braces beside the atom, which writes them itself.
      new InputRule({
        find: /\{\{([^{}\n]+)\}\}$/,
        handler: ({ state, range, match }) => {
          const atom = variableAt(state, match[1]?.trim() ?? '')
          if (atom !== undefined) state.tr.replaceWith(range.from, range.to, atom)
        },
      }),
    ]
  },
})
