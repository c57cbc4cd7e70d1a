import type { BlockCategory } from '#schemas/block.ts'
import type { BlockField } from '#schemas/flow/block-field.ts'
import type { TemplateKind } from './delimiter.ts'

/** What is written in a field of a block: a text with placeholders, or a path into some data. */
export type FieldLanguage = { readonly kind: 'template'; readonly template: TemplateKind } | { readonly kind: 'path' }

/** The language of a field; undefined where nothing is evaluated (plain values, scripts, rich text). */
export const fieldLanguage = (category: BlockCategory, field: BlockField): FieldLanguage | undefined => {
  if (field.kind === 'json') return field.plain === true ? undefined : { kind: 'template', template: 'json' }
  if (field.kind === 'strings' && field.expressions === true) return { kind: 'template', template: 'value' }
  if (field.kind !== 'expression' && field.kind !== 'code') return undefined
  if (field.language === 'jsonpath') return { kind: 'path' }
  if (field.language === 'json') return { kind: 'template', template: 'json' }
  if (field.kind === 'code') return undefined
  return { kind: 'template', template: category === 'cards' ? 'attribute' : 'text' }
}
