import { parseStatement } from '#domain/nlu/project-data.ts'
import type { ReviewedLine } from '#domain/nlu-training.ts'
import type { Intent } from '#web/features/statement/index.ts'
import type { Evaluation } from '#web/nlu/training-status.tsx'

/** Something to look at: a line that was taken for another intent, or two lines that look alike. */
export interface Mistake {
  readonly key: string
  readonly line: string
  /** Marked. */
  readonly text: string
  readonly intent: string
  /** The intent that it was taken for, or that has a line like it. */
  readonly as: string
  /** Confidence of the model, or similarity of the two lines. */
  readonly score: number
  /** Text of the line that it is like. */
  readonly like?: string
  /** Intent of the project that holds the line; undefined for an inherited one. */
  readonly owner: Intent | undefined
  readonly target: Intent | undefined
  readonly isDone: boolean
}

interface Context {
  readonly intents: readonly Intent[]
  readonly reviewed: readonly ReviewedLine[]
  /** Lines that are not in the project's own intents may be inherited; else they were moved or removed since. */
  readonly inherits: boolean
}

interface Found {
  readonly line: string
  readonly text: string
  readonly intent: string
  readonly as: string
  readonly score: number
  readonly like?: string
}

const withContext = (found: readonly Found[], { intents, reviewed, inherits }: Context): readonly Mistake[] => {
  const byName = new Map(intents.map(intent => [intent.name, intent]))
  const texts = new Map(
    intents.flatMap(({ name, statements }) => statements.map(({ id, text }) => [`${name}\n${id}`, text])),
  )
  const done = new Set(reviewed.map(({ line, as }) => `${line}\n${as}`))
  return found.flatMap(one => {
    const now = texts.get(`${one.intent}\n${one.line}`)
    const isSame = now !== undefined && parseStatement(now).text === parseStatement(one.text).text
    if (!isSame && (now !== undefined || !inherits)) return []
    return [
      {
        ...one,
        key: `${one.line}\n${one.intent}\n${one.as}`,
        owner: isSame ? byName.get(one.intent) : undefined,
        target: byName.get(one.as),
        isDone: done.has(`${one.line}\n${one.as}`),
      },
    ]
  })
}

/** Lines that cross-validation got wrong and that still stand where they stood. */
export const misclassifiedLines = ({ wrong }: Evaluation, context: Context): readonly Mistake[] =>
  withContext(
    wrong.map(({ id, text, intent, found, confidence }) => ({ line: id, text, intent, as: found, score: confidence })),
    context,
  )

/** Pairs of lines of two intents that say the same or nearly, while both are there. */
export const similarLines = ({ pairs }: Evaluation, context: Context): readonly Mistake[] => {
  const there = new Set(context.intents.flatMap(({ name, statements }) => statements.map(({ id }) => `${name}\n${id}`)))
  return withContext(
    pairs
      .filter(({ other }) => context.inherits || there.has(`${other.intent}\n${other.id}`))
      .map(({ one, other, score }) => ({
        line: one.id,
        text: one.text,
        intent: one.intent,
        as: other.intent,
        score,
        like: other.text,
      })),
    context,
  )
}
