import type { Effect, EffectAnswer, Steps } from './effect.ts'

/** Runs a computation to its end: `perform` gives each of its effects an answer. */
export const driveSteps = async <T>(
  steps: Steps<T>,
  perform: (effect: Effect) => Promise<EffectAnswer>,
): Promise<T> => {
  let step = steps.next()
  while (!step.done) {
    const answer = await perform(step.value)
    step = steps.next(answer)
  }
  return step.value
}
