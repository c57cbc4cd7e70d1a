import type { BlockCategory } from '#schemas/block.ts'
import type { BlockField } from '#schemas/flow/block-field.ts'
import type { EngineName, ExpressionSettings } from './engine.ts'
import type { TemplateKind } from './template.ts'

/** Language of a block field: a text with placeholders, a path into some data, or a rule. */
export type FieldLanguage =
  | { readonly kind: 'template'; readonly template: TemplateKind }
  /** `rule`: a path if it begins with `$`, else an expression. */
  | { readonly kind: 'path' | 'rule' }

/** Whether a rule is a path; other rules are expressions. */
export const isPathRule = (rule: string): boolean => rule.trimStart().startsWith('$')

/** The engine of a text that is a path or a rule as a whole. */
export const wholeEngine = (kind: 'path' | 'rule', text: string, settings: ExpressionSettings): EngineName =>
  kind === 'path' || isPathRule(text) ? settings.pathParser : settings.parser

/** The language of a field; undefined where nothing is evaluated (plain values, scripts, rich text). */
export const fieldLanguage = (category: BlockCategory, field: BlockField): FieldLanguage | undefined => {
  if (field.kind === 'json') return field.plain === true ? undefined : { kind: 'template', template: 'json' }
  if (field.kind === 'strings' && field.expressions === true) return { kind: 'template', template: 'value' }
  if (field.kind !== 'expression' && field.kind !== 'code') return undefined
  if (field.language === 'jsonpath') return { kind: 'path' }
  if (field.language === 'rule') return { kind: 'rule' }
  if (field.language === 'json') return { kind: 'template', template: 'json' }
  if (field.kind === 'code') return undefined
  return { kind: 'template', template: category === 'cards' ? 'attribute' : 'text' }
}
