import { parseStatement } from '#domain/nlu/project-data.ts'
import type { Likeness, StatementIndex } from '#domain/nlu/statement-index.ts'
import type { Intent } from './use-intents.ts'

/**
 * Problem of a line: a duplicate in its intent, the same or a similar line in another intent, or confused with another
 * intent by the last training.
 */
export type Problem =
  | { readonly kind: 'duplicate' /** Counted from 1. */; readonly of: number }
  | { readonly kind: 'conflict' | 'confused'; readonly with: Pick<Likeness, 'intent' | 'name' | 'score'> }

/** Lines confused in the last training, by id: the predicted intent and the model's score. */
export type ConfusedLines = ReadonlyMap<string, Pick<Likeness, 'intent' | 'name' | 'score'>>
const NONE: ConfusedLines = new Map()

/** Lines of an intent that are compared with all others; of more, those alone that are the same. */
const MAX_COMPARED = 2000

/** Problems of an intent's lines by their ids. */
export const problemsOf = (intent: Intent, index: StatementIndex, confused = NONE): ReadonlyMap<string, Problem> => {
  const found = new Map<string, Problem>()
  const places = new Map(intent.statements.map(({ id }, at) => [id, at + 1]))
  for (const { id, text } of intent.statements) {
    const plain = parseStatement(text).text
    const same = index.same(plain)
    const first = same.find(line => line.intent === intent.id)
    const other = same.find(line => line.intent !== intent.id)
    const near = intent.statements.length > MAX_COMPARED ? other : (other ?? index.near(plain, intent.id))
    if (first !== undefined && first.id !== id) found.set(id, { kind: 'duplicate', of: places.get(first.id) ?? 1 })
    else if (near !== undefined) found.set(id, { kind: 'conflict', with: near })
    else {
      const taken = confused.get(id)
      if (taken !== undefined) found.set(id, { kind: 'confused', with: taken })
    }
  }
  return found
}
