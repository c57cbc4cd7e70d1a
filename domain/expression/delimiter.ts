import type { ParserName } from './engine.ts'

/** Result of a template: text for a person, JSON, the attribute of a card, or a plain value for comparison. */
export type TemplateKind = 'text' | 'json' | 'attribute' | 'value'

/** A pair that holds an expression. A `loose` one is only meant where it can be nothing else: see docs/expressions.md. */
export interface Delimiter {
  readonly open: string
  readonly close: string
  readonly loose: boolean
}

const pair = (open: string, close: string, loose = false): Delimiter => ({ open, close, loose })

/** The inserted form of a variable: every parser accepts it. */
const DOUBLE_BRACES = pair('{{', '}}')
const BRACES = [DOUBLE_BRACES, pair('{', '}', true)]
const ANGLES = [DOUBLE_BRACES, pair('<<', '>>'), pair('<', '>', true)]

/** The pairs of a template, the longer ones first. */
export const delimitersOf = (kind: TemplateKind, parser: ParserName): readonly Delimiter[] => {
  if (parser === 'JsonAta') return [DOUBLE_BRACES, kind === 'attribute' ? pair('<!', '!>') : pair('<@', '@>')]
  switch (kind) {
    case 'text':
      return BRACES
    // Patterns and JSON contain single braces.
    case 'value':
      return [DOUBLE_BRACES]
    default:
      return ANGLES
  }
}

/** Whether a value that is mostly plain holds a placeholder that can be nothing else. */
export const holdsPlaceholder = (text: string): boolean => /\{\{|<@/u.test(text)
