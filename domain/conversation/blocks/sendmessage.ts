import type { JsonObject } from '#schemas/event.ts'
import { isObject, record, textAt } from '#schemas/json.ts'
import { blockText, evaluateWords, richText } from '../evaluate.ts'
import { TURN_LIMITS } from '../limits.ts'
import type { MessageTemplate } from '../message.ts'
import { addressElsewhere, type BlockRuntime, leave, recordProblem, sayText } from '../turn.ts'

/** Names and expressions of the template's values: items, or the record of a file. */
const mappingOf = ({ templateValues }: JsonObject): readonly (readonly [variable: string, value: string])[] =>
  Array.isArray(templateValues)
    ? templateValues.filter(isObject).map(item => [textAt(item, 'variable').trim(), textAt(item, 'value')])
    : isObject(templateValues)
      ? Object.keys(templateValues).map(name => [name, textAt(templateValues, name)])
      : []

/** Words for this person, or for another address; outside the channel's window their template. */
export const sendmessage: BlockRuntime = {
  *run(turn, { properties }) {
    const id = textAt(properties, 'template')
    const mapping = id === '' ? [] : mappingOf(properties).filter(([variable]) => variable !== '')
    const texts = [
      richText('text', properties.text),
      blockText('destination', properties.destination),
      ...mapping.map(([, value]) => blockText('templateValues', value)),
    ]
    const [words = '', address = '', ...values] = yield* evaluateWords(turn, texts)
    const destination = addressElsewhere(turn, address)
    if (words.trim() === '') return leave()
    const filled = record(mapping.map(([variable], at) => [variable, (values[at] ?? '').trim()] as const))
    const template: MessageTemplate | undefined = id === '' ? undefined : { id, values: filled }
    if (destination === undefined) sayText(turn, words, { template })
    else if (turn.spent.destinations >= TURN_LIMITS.destinations) recordProblem(turn, 'message.toomany')
    else {
      turn.spent.destinations += 1
      sayText(turn, words, { destination, template })
    }
    return leave()
  },
}
