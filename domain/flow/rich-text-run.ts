import type { Place } from '#domain/expression/place.ts'
import { type Inline, lineText, parseRich } from './rich-text.ts'

/** A stretch of a rich text's plain-string form between two pieces of markup. */
export interface RichRun extends Place {
  readonly isVariable: boolean
}

const BRACES = '{{'.length
const TAG = '<b>'.length

const inner = (part: Inline): { readonly skip: number; readonly length: number } =>
  'variable' in part
    ? { skip: BRACES, length: part.variable.length }
    : { skip: (part.bold ? TAG : 0) + (part.italic ? TAG : 0), length: part.text.length }

/** The runs of a plain string, in order: what lies between them is markup. */
export const richRuns = (source: string): readonly RichRun[] => {
  const runs: RichRun[] = []
  let begun = 0
  for (const line of parseRich(source)) {
    let at = begun
    for (const part of line) {
      const { skip, length } = inner(part)
      runs.push({ offset: at + skip, length, isVariable: 'variable' in part })
      at += lineText([part]).length
    }
    begun = at + 1
  }
  return runs
}
