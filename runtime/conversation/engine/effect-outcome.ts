import type { AnswerOf, EffectAnswer } from '#domain/conversation/effect.ts'

/** Whether the likeliest intent is less certain than the model asks for. */
export const isBelowThreshold = (answer: AnswerOf<'nlu'>): boolean =>
  answer.ok && (answer.intents[0]?.confidence ?? 0) < (answer.threshold ?? Number.MIN_VALUE)

/** Codes of services that a bot does not have. */
const ABSENT: ReadonlySet<string> = new Set(['unavailable', 'noproject', 'nomodel', 'nobrain'])
export const isAbsent = (outcome: string): boolean => ABSENT.has(outcome)

/** Stable code of an answer: `done`, or why it has no result. */
export const effectOutcome = (answer: EffectAnswer): string => {
  switch (answer.kind) {
    case 'evaluate':
      return answer.values.flatMap(value => (value.ok ? [] : [value.fault]))[0] ?? 'done'
    case 'script':
      return answer.ok ? 'done' : 'failed'
    case 'rest':
      return answer.ok ? 'done' : answer.error.code
    case 'holiday':
    case 'pause':
      return 'done'
    default:
      return answer.ok ? 'done' : answer.code
  }
}
