import { textAt } from '#schemas/json.ts'
import { blockText, evaluateWords } from '../evaluate.ts'
import { type BlockRuntime, leave, perform, recordProblem, sayText } from '../turn.ts'
import { assignVariable } from '../variables.ts'

/** Asks an outside system what a text means. */
export const talktomlsystem: BlockRuntime = {
  *run(turn, { properties }) {
    const [written = ''] = yield* evaluateWords(turn, [blockText('input', properties.input)])
    const text = written.trim() === '' ? turn.state.said.text : written
    const { id: session, locale } = turn.state
    const answer = yield* perform(turn, { kind: 'ml', system: textAt(properties, 'mlSystem'), text, session, locale })
    const name = textAt(properties, 'resultVariable')
    if (!answer.ok) {
      recordProblem(turn, 'ml.failed', answer.code)
      if (name !== '') assignVariable(turn, name, null)
      return leave()
    }
    if (name === '') for (const each of answer.texts) sayText(turn, each)
    else {
      const [first] = answer.intents
      assignVariable(turn, name, {
        text: [...answer.texts],
        intent: first?.name ?? null,
        confidence: first?.confidence ?? null,
        entities: answer.entities.map(({ name: entity, value, confidence }) => ({ name: entity, value, confidence })),
        payload: answer.payload,
      })
    }
    return leave()
  },
}
