import type { Place } from '#domain/expression/place.ts'
import { spellRich } from './rich-text.ts'

/** A stretch of a rich text's plain-string form between two pieces of markup. */
interface RichRun extends Place {
  readonly isVariable: boolean
}

/** The runs of a plain string, in order; markup is between them. */
export const richRuns = (source: string): readonly RichRun[] => {
  const runs: RichRun[] = []
  let at = 0
  for (const line of spellRich(source)) {
    for (const { text, part } of line) {
      if (part !== undefined) runs.push({ offset: at, length: text.length, isVariable: 'variable' in part })
      at += text.length
    }
    at += '\n'.length
  }
  return runs
}
