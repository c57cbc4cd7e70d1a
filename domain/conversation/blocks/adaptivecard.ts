import type { Json } from '#schemas/event.ts'
import { isObject, own, parseJsonField, textAt } from '#schemas/json.ts'
import { cardRuntime } from '../card.ts'
import { hasLinkedChoice } from '../choice.ts'
import { blockText, evaluateTexts } from '../evaluate.ts'
import type { OfferedAction } from '../state.ts'
import { say } from '../turn.ts'

/** The card's own actions that send it, by their place. */
const submitsOf = (actions: Json): readonly OfferedAction[] =>
  (Array.isArray(actions) ? actions : []).flatMap((action: Json, place): readonly OfferedAction[] => {
    if (!isObject(action)) return []
    const data = own(action, 'data') ?? ''
    const value = typeof data === 'string' ? data : JSON.stringify(data)
    return [{ id: String(place + 1), type: 'postBack', title: textAt(action, 'title'), value }]
  })

/** A card whose placeholders give no JSON is sent without that part. */
export const adaptivecard = cardRuntime(function* (turn, block, skip) {
  const { properties } = block
  const texts = ['body', 'actions'].map(name => blockText(name, properties[name], 'json'))
  const [body = [], actions = []] = yield* evaluateTexts(turn, texts)
  const shown = parseJsonField(actions) ?? []
  const submit = properties.putSubmitButton === true
  say(turn, { type: 'adaptive', body: parseJsonField(body) ?? [], actions: shown, submit }, { actions: skip })
  return hasLinkedChoice(block) ? [...submitsOf(shown), ...skip] : skip
})
