import { z } from 'zod'
import type { Json, JsonObject } from '#schemas/event.ts'
import { fieldText, isObject, parseJson } from '#schemas/json.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import { baseOf, type SystemRequest } from '../../outbound/system-wire.ts'
import {
  confidenceOf,
  cutText,
  type MlPart,
  type MlReply,
  type MlTalk,
  type OpenMlSystem,
  optionOf,
  readAnswer,
  textsOf,
  tokenAnswer,
} from '../ml-port.ts'

const IAM_URL = 'https://iam.cloud.ibm.com/identity/token'
const IAM_GRANT = 'urn:ibm:params:oauth:grant-type:apikey'
/** Services in IBM's cloud require IAM tokens; private installations accept the key itself. */
const CLOUD_HOST = /\.cloud\.ibm\.com$/u
const MAX_TEXT = 2048
const MAX_USER = 256
/** Maximum lifetime of a session; an earlier end is reported with 404. */
const SESSION_SECONDS = 86_400

const sessionAnswer = z.object({ session_id: z.string().min(1) })
/** `input`: the message to send when it is chosen. */
const input = z.record(z.string(), z.json()).nullish()
const options = z.array(z.looseObject({ label: z.string(), value: z.looseObject({ input }).nullish() })).nullish()

/** POST …/message of v2. */
const messageAnswer = z.looseObject({
  output: z.looseObject({
    generic: z
      .array(
        z.looseObject({
          response_type: z.string(),
          text: z.string().nullish(),
          title: z.string().nullish(),
          source: z.string().nullish(),
          options,
          suggestions: options,
          agent_available: z.looseObject({ message: z.string().nullish() }).nullish(),
        }),
      )
      .nullish(),
    intents: z.array(z.object({ intent: z.string(), confidence: z.number() })).nullish(),
    entities: z.array(z.object({ entity: z.string(), value: z.json(), confidence: z.number().nullish() })).nullish(),
  }),
})

type Generic = NonNullable<z.output<typeof messageAnswer>['output']['generic']>[number]

/** Members of a message that says its text and nothing else. */
const PLAIN: ReadonlySet<string> = new Set(['text', 'message_type'])

/** The message of an option: its text, or JSON where it says more, such as the id of a suggestion. */
const messageText = (message: z.output<typeof input>): string => {
  const text = fieldText(message ?? {}, 'text')
  const isPlain = Object.keys(message ?? {}).every(name => PLAIN.has(name)) && !isObject(parseJson(text))
  return isPlain ? text : JSON.stringify(message)
}

const offeredBy = (given: z.output<typeof options>) =>
  (given ?? []).flatMap(({ label, value }) => optionOf(label, messageText(value?.input)))

/** The message that was chosen, or one with a text. */
const messageOf = ({ text, chosen = text }: MlTalk): JsonObject => {
  const offered = chosen === text ? undefined : parseJson(chosen)
  const given = isObject(offered) ? offered : { text: chosen }
  const wanted = { return_context: true, alternate_intents: true }
  return {
    message_type: 'text',
    ...given,
    text: cutText(fieldText(given, 'text'), MAX_TEXT),
    options: { ...(isObject(given.options) ? given.options : {}), ...wanted },
  }
}

const partOf = (part: Generic): MlPart => {
  switch (part.response_type) {
    case 'text':
      return { text: part.text ?? '' }
    case 'option':
      return { text: part.title ?? '', options: offeredBy(part.options) }
    case 'suggestion':
      return { text: part.title ?? '', options: offeredBy(part.suggestions) }
    case 'connect_to_agent':
      return { text: part.agent_available?.message ?? '' }
    default:
      // Images, audio and video become addresses; pauses and transfers have no text.
      return { text: part.source ?? '' }
  }
}

const readMessage = (answer: Result<Json>): Result<MlReply> => {
  const read = readAnswer(messageAnswer, answer)
  if (!read.ok) return read
  const { generic, intents, entities } = read.value.output
  return accepted({
    texts: textsOf((generic ?? []).map(partOf)),
    intents: (intents ?? []).map(({ intent: name, confidence }) => ({ name, confidence: confidenceOf(confidence) })),
    entities: (entities ?? []).map(({ entity: name, value, confidence }) => ({
      name,
      value: value as Json,
      confidence: confidenceOf(confidence ?? 1),
    })),
    payload: read.value as Json,
  })
}

/** watsonx Assistant v2: one session per conversation, replaced when it has expired. */
export const openWatson: OpenMlSystem = (fields, wire) => {
  const base = baseOf(fields.url)
  const key = fieldText(fields, 'channel_authentication_details')
  const path = `${base}/v2/assistants/${fieldText(fields, 'channel_id')}/sessions`
  const query = `?version=${fieldText(fields, 'extradetails')}`
  const isCloud = CLOUD_HOST.test(new URL(base).hostname)

  const token = (stale?: string): Promise<Result<string>> =>
    wire.remember(
      'token',
      async () => {
        const body = new URLSearchParams({ grant_type: IAM_GRANT, apikey: key })
        const read = readAnswer(tokenAnswer, await wire.ask({ method: 'POST', url: IAM_URL, body }))
        return read.ok ? accepted({ value: read.value.access_token, seconds: read.value.expires_in }) : read
      },
      stale,
    )
  const basic = `Basic ${Buffer.from(`apikey:${key}`).toString('base64')}`
  const authorized = async (request: SystemRequest, stale?: string): Promise<Result<Json>> => {
    if (!isCloud) return wire.ask({ ...request, headers: [['authorization', basic]] })
    const held = await token(stale)
    if (!held.ok) return held
    const answer = await wire.ask({ ...request, headers: [['authorization', `Bearer ${held.value}`]] })
    const isStale = !answer.ok && answer.refusal.code === 'ml.unauthorized' && answer.refusal.params?.status === 401
    return isStale && stale === undefined ? authorized(request, held.value) : answer
  }
  const begin = async () => {
    const read = readAnswer(sessionAnswer, await authorized({ method: 'POST', url: `${path}${query}`, body: {} }))
    return read.ok ? accepted({ value: read.value.session_id, seconds: SESSION_SECONDS }) : read
  }
  const send = async (talk: MlTalk, stale?: string): Promise<Result<MlReply>> => {
    const session = await wire.remember(`session ${talk.session}`, begin, stale)
    if (!session.ok) return session
    const answer = await authorized({
      method: 'POST',
      url: `${path}/${encodeURIComponent(session.value)}/message${query}`,
      body: { input: messageOf(talk), user_id: talk.session.slice(0, MAX_USER) },
    })
    const hasEnded = !answer.ok && answer.refusal.code === 'ml.notfound'
    return hasEnded && stale === undefined ? send(talk, session.value) : readMessage(answer)
  }
  return {
    send: talk => send(talk),
    understand: talk => send(talk),
    async check() {
      const made = await begin()
      if (!made.ok) return [{ part: 'system', result: made }]
      const url = `${path}/${encodeURIComponent(made.value.value)}${query}`
      const ended = await authorized({ method: 'DELETE', url })
      return [{ part: 'system', result: ended.ok ? accepted(fieldText(fields, 'extradetails')) : ended }]
    },
  }
}
