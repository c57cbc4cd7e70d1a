import type { Validation } from './cross-validate.ts'
import type { Evaluation, LinePair } from './evaluation.ts'
import { createStatementIndex } from './statement-index.ts'
import type { TrainingLines } from './training-lines.ts'

/** Of more lines, those are compared that say the same, and no others. */
const MAX_COMPARED = 5000
const MAX_PAIRS = 500

/** Lines of different intents that say the same or nearly, the most alike first. */
export const likePairs = ({ intents, lines }: TrainingLines): readonly LinePair[] => {
  const byIntent = Map.groupBy(lines.keys(), at => (lines[at] as { readonly intent: number }).intent)
  const index = createStatementIndex(
    intents.map((name, intent) => ({
      id: String(intent),
      name,
      statements: (byIntent.get(intent) ?? []).map(at => ({ id: String(at), text: lines[at]?.marked ?? '' })),
    })),
  )
  const pairs = new Map<string, LinePair>()
  for (const [at, { text, intent }] of lines.entries()) {
    const like =
      lines.length > MAX_COMPARED
        ? index.same(text).find(other => other.intent !== String(intent))
        : index.near(text, String(intent))
    if (like === undefined) continue
    const [one, other] = [Math.min(at, Number(like.id)), Math.max(at, Number(like.id))]
    pairs.set(`${one} ${other}`, { one, other, score: like.score })
  }
  return [...pairs.values()].toSorted((a, b) => b.score - a.score).slice(0, MAX_PAIRS)
}

/** Cross-validation result of each line. */
export const evaluatedLines = (
  { lines }: TrainingLines,
  { found, confidences }: Pick<Validation, 'found' | 'confidences'>,
): Evaluation['lines'] =>
  lines.map(({ id, marked, intent }, at) => ({
    id,
    text: marked,
    intent,
    found: found[at] as number,
    confidence: Math.round((confidences[at] as number) * 1000) / 1000,
  }))
