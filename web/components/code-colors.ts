import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { tags } from '@lezer/highlight'

const color = (name: string) => `var(--chakra-colors-${name})`

/** The colours of code, readable on light and dark alike. */
export const codeColors = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: color('accent-fg') },
    { tag: [tags.string, tags.special(tags.string), tags.regexp], color: color('positive-fg') },
    { tag: [tags.number, tags.bool, tags.null], color: color('warning-fg') },
    { tag: [tags.comment], color: color('fg-subtle'), fontStyle: 'italic' },
    {
      tag: [tags.function(tags.variableName), tags.function(tags.definition(tags.variableName))],
      color: color('info-fg'),
    },
    { tag: [tags.propertyName], color: color('category-datamanagement-fg') },
    { tag: [tags.invalid], color: color('danger-fg') },
  ]),
)
