import { isObject } from '#domain/flow/document/json.ts'
import type { Json, JsonObject } from '#schemas/event.ts'

/** What an outside system asks a bot to do: the handler of that name is given all of it. */
export interface ActionCall {
  readonly name: string
  readonly system: 'rasa' | 'dialogflow'
  readonly session: string
  readonly text: string
  readonly intent: string | null
  readonly confidence: number | null
  /** Slots (Rasa) or parameters (Dialogflow) by name. */
  readonly values: JsonObject
  /** The body as it came. */
  readonly payload: JsonObject
}

const at = (value: Json | undefined, ...path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((member, name) => (isObject(member) ? member[name] : undefined), value)
const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const named = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null)
const share = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null)
const record = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

/** Rasa's call of an action server: {next_action, sender_id, tracker, domain}. */
const rasaCall = (payload: JsonObject): ActionCall => ({
  name: text(payload.next_action),
  system: 'rasa',
  session: text(payload.sender_id) || text(at(payload, 'tracker', 'sender_id')),
  text: text(at(payload, 'tracker', 'latest_message', 'text')),
  intent: named(at(payload, 'tracker', 'latest_message', 'intent', 'name')),
  confidence: share(at(payload, 'tracker', 'latest_message', 'intent', 'confidence')),
  values: record(at(payload, 'tracker', 'slots')),
  payload,
})

/** Fulfilment of Dialogflow ES, by the intent's action; without one by the intent itself. */
const esCall = (payload: JsonObject): ActionCall => {
  const intent = named(at(payload, 'queryResult', 'intent', 'displayName'))
  return {
    name: text(at(payload, 'queryResult', 'action')) || (intent ?? ''),
    system: 'dialogflow',
    session: text(payload.session),
    text: text(at(payload, 'queryResult', 'queryText')),
    intent,
    confidence: share(at(payload, 'queryResult', 'intentDetectionConfidence')),
    values: record(at(payload, 'queryResult', 'parameters')),
    payload,
  }
}

/** Fulfilment of Dialogflow CX, by its tag. */
const cxCall = (payload: JsonObject): ActionCall => ({
  name: text(at(payload, 'fulfillmentInfo', 'tag')),
  system: 'dialogflow',
  session: text(at(payload, 'sessionInfo', 'session')),
  text: text(payload.text) || text(payload.transcript),
  intent: named(at(payload, 'intentInfo', 'displayName')),
  confidence: share(at(payload, 'intentInfo', 'confidence')),
  values: record(at(payload, 'sessionInfo', 'parameters')),
  payload,
})

const isCx = (payload: JsonObject): boolean => isObject(payload.fulfillmentInfo)

/** Reads a call; undefined where it names no action or comes from no system that calls. */
export const readActionCall = (type: string, payload: JsonObject): ActionCall | undefined => {
  const read = type === 'rasa' ? rasaCall : type !== 'dialogflow' ? undefined : isCx(payload) ? cxCall : esCall
  const call = read?.(payload)
  return call === undefined || call.name === '' ? undefined : call
}

/** What a handler gave: a text, texts, or {text, values} where `text` may be several. */
const spokenOf = (result: Json): readonly string[] => {
  const said = isObject(result) ? (result.text ?? []) : result
  return [said].flat().flatMap(each => (typeof each === 'string' && each.trim() !== '' ? [each] : []))
}

/**
 * The answer in the form of the system that called. Members that the handler gives in that form itself (`responses` and
 * `events`, `fulfillmentMessages`, `fulfillmentResponse` and what else stands beside them) are given on as they are.
 */
export const actionAnswer = ({ system, payload }: ActionCall, result: Json): JsonObject => {
  const { text: _text, values: given, ...own } = record(result)
  const texts = spokenOf(result)
  const values = record(given)
  if (system === 'rasa')
    return {
      events: Object.entries(values).map(([name, value]) => ({ event: 'slot', timestamp: null, name, value })),
      responses: texts.map(said => ({ text: said })),
      ...own,
    }
  if (!isCx(payload))
    return {
      ...(texts.length === 0
        ? {}
        : { fulfillmentText: texts.join('\n'), fulfillmentMessages: texts.map(said => ({ text: { text: [said] } })) }),
      ...own,
    }
  return {
    fulfillmentResponse: { messages: texts.map(said => ({ text: { text: [said] } })) },
    ...(Object.keys(values).length === 0 ? {} : { sessionInfo: { parameters: values } }),
    ...own,
  }
}
