import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, own, textOf } from '#schemas/json.ts'
import type { CallingMlSystem } from '#schemas/ml-system.ts'

/** Call of an outside system to a bot: the handler of that name gets all of it. */
export interface ActionCall {
  readonly name: string
  readonly system: CallingMlSystem
  readonly session: string
  readonly text: string
  readonly intent: string | null
  readonly confidence: number | null
  /** Slots (Rasa), parameters (Dialogflow) or variables of the skill (Watson) by name. */
  readonly values: JsonObject
  /** The body as it came. */
  readonly payload: JsonObject
}

const at = (value: Json | undefined, ...path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((member, name) => (isObject(member) ? member[name] : undefined), value)
const named = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null)
const share = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null)
const record = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

/** Rasa's call of an action server: {next_action, sender_id, tracker, domain}. */
const rasaCall = (payload: JsonObject): ActionCall => ({
  name: textOf(payload.next_action),
  system: 'rasa',
  session: textOf(payload.sender_id) || textOf(at(payload, 'tracker', 'sender_id')),
  text: textOf(at(payload, 'tracker', 'latest_message', 'text')),
  intent: named(at(payload, 'tracker', 'latest_message', 'intent', 'name')),
  confidence: share(at(payload, 'tracker', 'latest_message', 'intent', 'confidence')),
  values: record(at(payload, 'tracker', 'slots')),
  payload,
})

/** Fulfilment of Dialogflow ES, by the intent's action; without one by the intent itself. */
const esCall = (payload: JsonObject): ActionCall => {
  const intent = named(at(payload, 'queryResult', 'intent', 'displayName'))
  return {
    name: textOf(at(payload, 'queryResult', 'action')) || (intent ?? ''),
    system: 'dialogflow',
    session: textOf(payload.session),
    text: textOf(at(payload, 'queryResult', 'queryText')),
    intent,
    confidence: share(at(payload, 'queryResult', 'intentDetectionConfidence')),
    values: record(at(payload, 'queryResult', 'parameters')),
    payload,
  }
}

/** Fulfilment of Dialogflow CX, by its tag. */
const cxCall = (payload: JsonObject): ActionCall => ({
  name: textOf(at(payload, 'fulfillmentInfo', 'tag')),
  system: 'dialogflow',
  session: textOf(at(payload, 'sessionInfo', 'session')),
  text: textOf(payload.text) || textOf(payload.transcript),
  intent: named(at(payload, 'intentInfo', 'displayName')),
  confidence: share(at(payload, 'intentInfo', 'confidence')),
  values: record(at(payload, 'sessionInfo', 'parameters')),
  payload,
})

/** Path of a context's variables, below `skills`: of actions, or of a dialog if that is the only skill. */
const variablesOf = (context: JsonObject): readonly [skill: string, member: string] => {
  const skills = record(context.skills)
  const isDialog = isObject(skills['main skill']) && !isObject(skills['actions skill'])
  return isDialog ? ['main skill', 'user_defined'] : ['actions skill', 'skill_variables']
}

/** Reads a call of a Watson webhook; the answer is built from what it carries. */
const watsonCall = (payload: JsonObject): ActionCall => {
  const message = record(payload.payload)
  // A logged message holds its request and its response.
  const [asked, answered] = [record(message.request ?? message), record(message.response ?? message)]
  const context = record(message.context ?? answered.context ?? asked.context)
  const intents = at(answered, 'output', 'intents')
  const best = Array.isArray(intents) ? intents[0] : undefined
  return {
    name: textOf(at(payload, 'event', 'name')),
    system: 'watson',
    session: textOf(at(context, 'global', 'session_id')) || textOf(asked.user_id) || textOf(answered.user_id),
    text: textOf(at(asked, 'input', 'text')),
    intent: named(at(best, 'intent')),
    confidence: share(at(best, 'confidence')),
    values: record(at(context, 'skills', ...variablesOf(context))),
    payload,
  }
}

const isCx = (payload: JsonObject): boolean => isObject(payload.fulfillmentInfo)

/** Result of a handler: a text, texts, or {text, values} with one or more texts. */
const spokenOf = (result: Json): readonly string[] => {
  const said = isObject(result) ? (result.text ?? []) : result
  return [said].flat().flatMap(each => (typeof each === 'string' && each.trim() !== '' ? [each] : []))
}

/** A context with some of its variables set. */
const withVariables = (context: JsonObject, values: JsonObject): JsonObject => {
  const [name, member] = variablesOf(context)
  const skills = record(context.skills)
  const skill = record(skills[name])
  return { ...context, skills: { ...skills, [name]: { ...skill, [member]: { ...record(skill[member]), ...values } } } }
}

type Answer = (call: ActionCall, texts: readonly string[], values: JsonObject, members: JsonObject) => JsonObject

/**
 * The answer to a webhook of Watson: the message that it carried, with another text (before it is understood) or other
 * texts (after it was answered) and with variables. Nothing is expected of a log.
 */
const watsonAnswer: Answer = ({ name, payload }, texts, values, members) => {
  if (isObject(members.payload) || isObject(members.output)) return members
  const message = record(payload.payload)
  const context = Object.keys(values).length === 0 ? {} : { context: withVariables(record(message.context), values) }
  if (name === 'message_received') {
    const input = texts.length === 0 ? {} : { input: { ...record(message.input), text: texts.join('\n') } }
    return { payload: { ...message, ...input, ...context } }
  }
  if (name !== 'message_processed') return {}
  const generic = texts.map(said => ({ response_type: 'text', text: said }))
  const output = texts.length === 0 ? {} : { output: { ...record(message.output), generic } }
  return { payload: { ...message, ...output, ...context } }
}

/** Answer without a handler in the bot: Watson continues with the unchanged message. */
export const unhandledAnswer = (call: ActionCall): JsonObject | undefined =>
  call.system === 'watson' ? watsonAnswer(call, [], {}, {}) : undefined

/** Watson says the texts of an answer in this form at once, without understanding the message. */
export const isDirectAnswer = ({ system, name }: ActionCall, answer: Json): boolean =>
  system === 'watson' && name === 'message_received' && isObject(answer) && isObject(answer.output)

const rasaAnswer: Answer = (_call, texts, values, members) => ({
  events: Object.entries(values).map(([name, value]) => ({ event: 'slot', timestamp: null, name, value })),
  responses: texts.map(said => ({ text: said })),
  ...members,
})

const esAnswer: Answer = (_call, texts, _values, members) => ({
  ...(texts.length === 0
    ? {}
    : { fulfillmentText: texts.join('\n'), fulfillmentMessages: texts.map(said => ({ text: { text: [said] } })) }),
  ...members,
})

const cxAnswer: Answer = (_call, texts, values, members) => ({
  fulfillmentResponse: { messages: texts.map(said => ({ text: { text: [said] } })) },
  ...(Object.keys(values).length === 0 ? {} : { sessionInfo: { parameters: values } }),
  ...members,
})

interface ActionFormat {
  readonly read: (payload: JsonObject) => ActionCall
  readonly answer: Answer
}

const FORMATS: Readonly<Record<CallingMlSystem, ActionFormat>> = {
  rasa: { read: rasaCall, answer: rasaAnswer },
  dialogflow: {
    read: payload => (isCx(payload) ? cxCall : esCall)(payload),
    answer: (call, ...given) => (isCx(call.payload) ? cxAnswer : esAnswer)(call, ...given),
  },
  watson: { read: watsonCall, answer: watsonAnswer },
}

/** Reads a call; undefined where it names no action or comes from no system that calls. */
export const readActionCall = (type: string, payload: JsonObject): ActionCall | undefined => {
  const call = own<ActionFormat>(FORMATS, type)?.read(payload)
  return call === undefined || call.name === '' ? undefined : call
}

/**
 * The answer in the format of the calling system. Members that the handler returns in that format (`responses` and
 * `events`, `fulfillmentMessages`, `fulfillmentResponse`, `payload` or `output`, and members beside them) are passed on
 * unchanged.
 */
export const actionAnswer = (call: ActionCall, result: Json): JsonObject => {
  const { text: _text, values, ...members } = record(result)
  return FORMATS[call.system].answer(call, spokenOf(result), record(values), members)
}
