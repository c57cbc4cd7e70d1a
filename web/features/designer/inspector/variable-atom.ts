import { InputRule, mergeAttributes, Node } from '@tiptap/core'
import type { Node as DocumentNode } from '@tiptap/pm/model'
import { type EditorState, Plugin } from '@tiptap/pm/state'
import { RICH_MARKUP } from '#schemas/flow/rich-markup.ts'
import { keepMarks } from './preserve-marks.ts'

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
  addProseMirrorPlugins: () => [new Plugin({ appendTransaction: keepMarks })],
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
