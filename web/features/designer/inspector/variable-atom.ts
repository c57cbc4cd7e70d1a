import { InputRule, mergeAttributes, Node } from '@tiptap/core'
import { RICH_MARKUP } from '#schemas/flow/rich-markup.ts'

/** A variable inside a text: one inline atom, typed as {{name}} or chosen from the list. */
export const VariableAtom = Node.create({
  name: RICH_MARKUP.variable,
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({ [RICH_MARKUP.variableName]: { default: '' } }),
  parseHTML: () => [{ tag: 'span[data-variable]' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'span',
    mergeAttributes(HTMLAttributes, { 'data-variable': '', class: 'pl-variable' }),
    String(node.attrs[RICH_MARKUP.variableName]),
  ],
  renderText: ({ node }) => `{{${node.attrs[RICH_MARKUP.variableName]}}}`,
  addInputRules() {
    return [
      // The library's own rule leaves the braces beside the atom, which writes them itself.
      new InputRule({
        find: /\{\{([^{}\n]+)\}\}$/,
        handler: ({ state, range, match }) => {
          const atom = this.type.create({ [RICH_MARKUP.variableName]: match[1]?.trim() ?? '' })
          state.tr.replaceWith(range.from, range.to, atom)
        },
      }),
    ]
  },
})
