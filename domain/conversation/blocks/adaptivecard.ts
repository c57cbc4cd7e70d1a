import { parseJsonField } from '#schemas/json.ts'
import { cardRuntime } from '../card.ts'
import { blockText, evaluateTexts } from '../evaluate.ts'
import { say } from '../turn.ts'

/** A card whose placeholders give no JSON is sent without that part. */
export const adaptivecard = cardRuntime(function* (turn, { properties }, skip) {
  const texts = ['body', 'actions'].map(name => blockText(name, properties[name], 'json'))
  const [body = [], actions = []] = yield* evaluateTexts(turn, texts)
  const submit = properties.putSubmitButton === true
  say(
    turn,
    { type: 'adaptive', body: parseJsonField(body) ?? [], actions: parseJsonField(actions) ?? [], submit },
    { actions: skip },
  )
  return skip
})
