import type { z } from 'zod'
import {
  belowThreshold,
  confusionOf,
  type Evaluation,
  entityScores,
  intentScores,
  meanF1,
} from '#domain/nlu/evaluation.ts'
import type { evaluationSchema } from '#schemas/api/nlu.ts'

const MAX_WRONG = 2000

/** An evaluation in the API's format. */
export const evaluationAnswer = (model: string, evaluation: Evaluation): z.output<typeof evaluationSchema> => {
  const { threshold, lines, pairs } = evaluation
  const nameOf = (intent: number) => evaluation.intents[intent] ?? ''
  const wrong = lines.filter(({ intent, found }) => intent !== found)
  const lineAt = (at: number) => {
    const { id = '', text = '', intent = -1 } = lines[at] ?? {}
    return { id, text, intent: nameOf(intent) }
  }
  const intents = intentScores(evaluation)
  return {
    model,
    threshold,
    lines: lines.length,
    right: lines.length - wrong.length,
    f1: meanF1(intents),
    below: belowThreshold(evaluation),
    intents: [...intents],
    entities: [...entityScores(evaluation)],
    confusion: confusionOf(evaluation).map(({ intent, found, count }) => ({
      intent: nameOf(intent),
      found: nameOf(found),
      count,
    })),
    wrong: wrong
      .toSorted((a, b) => b.confidence - a.confidence)
      .slice(0, MAX_WRONG)
      .map(({ id, text, intent, found, confidence }) => ({
        id,
        text,
        intent: nameOf(intent),
        found: nameOf(found),
        confidence,
      })),
    pairs: pairs.map(({ one, other, score }) => ({ one: lineAt(one), other: lineAt(other), score })),
  }
}
