import type { Steps } from './effect.ts'
import { sayText } from './say.ts'
import { perform, recordProblem, type Turn } from './turn.ts'

/** Sends one of the brain's answers to a question that it knows (RUNTIME 15f); false if there is none. */
export function* answerFromBrain(turn: Turn, text: string): Steps<boolean> {
  if (!turn.settings.nlu.brain || text.trim() === '') return false
  const answer = yield* perform(turn, { kind: 'brain', text, locale: turn.state.locale })
  if (!answer.ok) {
    recordProblem(turn, 'brain.failed', answer.code)
    return false
  }
  const { intent, confidence, answers } = answer
  const said = answers[Math.floor(turn.chance() * answers.length)]
  if (intent === null || said === undefined) return false
  turn.state = { ...turn.state, intent: { name: intent, confidence }, status: 'idle' }
  sayText(turn, said)
  return true
}
