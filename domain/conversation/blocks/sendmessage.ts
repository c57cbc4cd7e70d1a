import { blockText, evaluateWords, richText } from '../evaluate.ts'
import { TURN_LIMITS } from '../limits.ts'
import { addressElsewhere, type BlockRuntime, leave, recordProblem, sayText } from '../turn.ts'

/** Words for this person, or for another address (RUNTIME 36). */
export const sendmessage: BlockRuntime = {
  *run(turn, { properties }) {
    const texts = [richText('text', properties.text), blockText('destination', properties.destination)]
    const [words = '', address = ''] = yield* evaluateWords(turn, texts)
    const destination = addressElsewhere(turn, address)
    if (words.trim() === '') return leave()
    if (destination === undefined) sayText(turn, words)
    else if (turn.spent.destinations >= TURN_LIMITS.destinations) recordProblem(turn, 'message.toomany')
    else {
      turn.spent.destinations += 1
      sayText(turn, words, { destination })
    }
    return leave()
  },
}
