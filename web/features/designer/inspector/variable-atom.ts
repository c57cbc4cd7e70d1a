import { mergeAttributes, Node, nodeInputRule } from '@tiptap/core'
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
      nodeInputRule({
        find: /\{\{([^{}\n]+)\}\}$/,
        type: this.type,
        getAttributes: match => ({ [RICH_MARKUP.variableName]: match[1]?.trim() ?? '' }),
      }),
    ]
  },
})
