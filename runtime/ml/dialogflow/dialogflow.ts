import { hash } from 'node:crypto'
import { z } from 'zod'
import { readServiceAccount } from '#domain/channel.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { fieldText, isObject, objectsOf, parseJson, stringsOf, textOf } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { SystemRequest, SystemWire } from '../../outbound/system-wire.ts'
import {
  askToken,
  confidenceOf,
  cutText,
  type MlPart,
  type MlReply,
  type MlTalk,
  type OpenMlSystem,
  optionOf,
  readAnswer,
  textsOf,
} from '../ml-port.ts'

/** Fixed: the addresses in a pasted key file could point anywhere. */
const TOKEN_URL = 'https://oauth2.googleapis.com/token'
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
/** Limit of both editions. */
const MAX_TEXT = 256
const SESSION = /^[\w-]{1,36}$/u
const LANGUAGES: Readonly<Record<string, string>> = { pt: 'pt-BR' }

const parameters = z.record(z.string(), z.json()).nullish()
const intent = z.object({ displayName: z.string().nullish(), isFallback: z.boolean().nullish() }).nullish()
const texts = z.object({ text: z.array(z.string()).default([]) })

/** QueryResult of detectIntent, v2. */
const esAnswer = z.object({
  queryResult: z.looseObject({
    fulfillmentText: z.string().nullish(),
    fulfillmentMessages: z
      .array(
        z.looseObject({
          platform: z.string().nullish(),
          text: texts.nullish(),
          quickReplies: z
            .object({ title: z.string().nullish(), quickReplies: z.array(z.string()).default([]) })
            .nullish(),
          card: z
            .object({
              title: z.string().nullish(),
              subtitle: z.string().nullish(),
              imageUri: z.string().nullish(),
              buttons: z.array(z.object({ text: z.string().nullish(), postback: z.string().nullish() })).nullish(),
            })
            .nullish(),
          payload: z.json().optional(),
        }),
      )
      .nullish(),
    parameters,
    intent,
    intentDetectionConfidence: z.number().nullish(),
  }),
})

/** QueryResult of detectIntent, v3. */
const cxAnswer = z.object({
  queryResult: z.looseObject({
    responseMessages: z.array(z.looseObject({ text: texts.nullish(), payload: z.json().optional() })).nullish(),
    parameters,
    match: z.looseObject({ intent, parameters, matchType: z.string().nullish(), confidence: z.number().nullish() }),
  }),
})

/** Only filled parameters: one without a value is an empty text. */
const entitiesOf = (given: z.output<typeof parameters>): MlReply['entities'] =>
  Object.entries(given ?? {}).flatMap(([name, value]) => {
    const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0)
    return isEmpty ? [] : [{ name, value: value as Json, confidence: 1 }]
  })

const intentsOf = (name: string | null | undefined, confidence: number | null | undefined): MlReply['intents'] =>
  typeof name === 'string' && name !== '' ? [{ name, confidence: confidenceOf(confidence ?? 1) }] : []

const linesOf = (...lines: readonly (string | null | undefined)[]): string =>
  lines.filter(line => (line ?? '').trim() !== '').join('\n')

/** An element of rich content, which Dialogflow Messenger shows. */
const richPart = (element: JsonObject): MlPart => {
  const at = (name: string) => fieldText(element, name)
  const address = ({ link, anchor }: JsonObject): string =>
    isObject(anchor) ? fieldText(anchor, 'href') : textOf(link)
  const option = (title: string) =>
    optionOf(title, isObject(element.event) ? JSON.stringify({ event: element.event }) : title, address(element))
  switch (at('type')) {
    case 'chips':
      return {
        text: '',
        options: objectsOf(element.options).flatMap(chip => optionOf(textOf(chip.text), null, address(chip))),
      }
    case 'button':
      return { text: '', options: option(at('text')) }
    case 'list':
      return { text: '', options: option(at('title')) }
    case 'info':
    case 'description':
    case 'accordion':
      return { text: linesOf(at('title'), at('subtitle'), ...stringsOf(element.text)) }
    default:
      return { text: at('rawUrl') }
  }
}

/** Parts of a payload: `richContent` is a list of cards, each a list of elements. */
const richParts = (payload: Json | undefined): readonly MlPart[] =>
  isObject(payload) && Array.isArray(payload.richContent)
    ? payload.richContent.flatMap(card => objectsOf(card).map(richPart))
    : []

const saidParts = (text: z.output<typeof texts> | null | undefined): readonly MlPart[] =>
  (text?.text ?? []).map(each => ({ text: each }))

const readEs = (answer: Result<Json>): Result<MlReply> => {
  const read = readAnswer(esAnswer, answer)
  if (!read.ok) return read
  const { queryResult: result } = read.value
  const own = (result.fulfillmentMessages ?? []).filter(
    ({ platform }) => platform === null || platform === undefined || platform === 'PLATFORM_UNSPECIFIED',
  )
  const said = own.flatMap(({ text, quickReplies, card, payload }) => [
    ...saidParts(text),
    {
      text: quickReplies?.title ?? '',
      options: (quickReplies?.quickReplies ?? []).flatMap(title => optionOf(title)),
    },
    {
      text: linesOf(card?.title, card?.subtitle, card?.imageUri),
      options: (card?.buttons ?? []).flatMap(({ text: title, postback }) => optionOf(title, postback, postback)),
    },
    ...richParts(payload),
  ])
  const hasText = said.some(({ text }) => text.trim() !== '')
  const all = hasText ? said : [{ text: result.fulfillmentText ?? '' }, ...said]
  const isFallback = result.intent?.isFallback === true
  return accepted({
    texts: textsOf(all),
    intents: isFallback ? [] : intentsOf(result.intent?.displayName, result.intentDetectionConfidence),
    entities: entitiesOf(result.parameters),
    payload: result as Json,
  })
}

const readCx = (answer: Result<Json>): Result<MlReply> => {
  const read = readAnswer(cxAnswer, answer)
  if (!read.ok) return read
  const { queryResult: result } = read.value
  const { match } = result
  const isFallback = match.intent?.isFallback === true
  return accepted({
    texts: textsOf(
      (result.responseMessages ?? []).flatMap(({ text, payload }) => [...saidParts(text), ...richParts(payload)]),
    ),
    intents: isFallback ? [] : intentsOf(match.intent?.displayName, match.confidence),
    entities: entitiesOf(match.parameters ?? result.parameters),
    payload: result as Json,
  })
}

interface Agent {
  readonly host: string
  /** Path of the agent, path of its sessions, and the format of a text. */
  readonly agent: string
  readonly sessions: string
  readonly input: (text: string, language: string) => JsonObject
  readonly event: (event: JsonObject, language: string) => JsonObject
  readonly read: (answer: Result<Json>) => Result<MlReply>
}

const hostOf = (location: string): string =>
  location === '' || location === 'global'
    ? 'https://dialogflow.googleapis.com'
    : `https://${location}-dialogflow.googleapis.com`

const agentOf = (fields: JsonObject): Agent => {
  const id = fieldText(fields, 'channel_id')
  const location = /\/locations\/([^/]+)/u.exec(id)?.[1] ?? ''
  if (fieldText(fields, 'extradetails') === 'CX')
    return {
      host: hostOf(location),
      agent: `/v3/${id.replace(/\/environments\/.*$/u, '')}`,
      sessions: `/v3/${id}`,
      input: (text, languageCode) => ({ queryInput: { text: { text }, languageCode } }),
      event: (event, languageCode) => ({
        queryInput: { event: { event: eventName(event) }, languageCode },
        ...(isObject(event.parameters) ? { queryParams: { parameters: event.parameters } } : {}),
      }),
      read: readCx,
    }
  const agent = `/v2/projects/${id.replace(/^projects\//u, '')}/agent`
  return {
    host: hostOf(location),
    agent,
    sessions: agent,
    input: (text, languageCode) => ({ queryInput: { text: { text, languageCode } } }),
    event: (event, languageCode) => ({
      queryInput: {
        event: {
          name: eventName(event),
          languageCode,
          ...(isObject(event.parameters) ? { parameters: event.parameters } : {}),
        },
      },
    }),
    read: readEs,
  }
}

/** ES and CX name the event of a button differently. */
const eventName = (event: JsonObject): string => fieldText(event, 'name') || fieldText(event, 'event')

/** Event of the option that was chosen; undefined for one that says a text. */
const eventOf = ({ chosen = '' }: MlTalk): JsonObject | undefined => {
  const offered = parseJson(chosen)
  return isObject(offered) && isObject(offered.event) ? offered.event : undefined
}

/** Google accepts at most 36 characters. */
const sessionOf = (session: string): string => (SESSION.test(session) ? session : hash('sha256', session).slice(0, 36))

/** An access token for the service account (RFC 7523), cached until shortly before its expiry. */
const tokenOf = (fields: JsonObject, wire: SystemWire, stale?: string): Promise<Result<string>> =>
  wire.remember(
    'token',
    async () => {
      const account = readServiceAccount(fieldText(fields, 'channel_authentication_details'))
      const assertion = account === undefined ? undefined : await signed(account)
      if (assertion === undefined) return refused('ml.credentials')
      return askToken(wire, TOKEN_URL, new URLSearchParams({ grant_type: GRANT, assertion }))
    },
    stale,
  )

const signed = async ({ email, key }: { readonly email: string; readonly key: string }) => {
  const { importPKCS8, SignJWT } = await import('jose')
  try {
    return await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(email)
      .setAudience(TOKEN_URL)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(await importPKCS8(key, 'RS256'))
  } catch {
    // A key of another kind, or a truncated one.
    return undefined
  }
}

/** Dialogflow ES (v2) and CX (v3, also called Conversational Agents), by detectIntent. */
export const openDialogflow: OpenMlSystem = (fields, wire) => {
  const { host, agent, sessions, input, event, read } = agentOf(fields)

  const authorized = async (request: SystemRequest, stale?: string): Promise<Result<Json>> => {
    const token = await tokenOf(fields, wire, stale)
    if (!token.ok) return token
    const answer = await wire.ask({ ...request, headers: [['authorization', `Bearer ${token.value}`]] })
    const isStale = !answer.ok && answer.refusal.code === 'ml.unauthorized' && answer.refusal.params?.status === 401
    return isStale && stale === undefined ? authorized(request, token.value) : answer
  }
  const send = async (talk: MlTalk): Promise<Result<MlReply>> => {
    const { session, text, chosen = text, locale } = talk
    const url = `${host}${sessions}/sessions/${sessionOf(session)}:detectIntent`
    const language = LANGUAGES[locale] ?? locale
    const happened = eventOf(talk)
    const body = happened === undefined ? input(cutText(chosen, MAX_TEXT), language) : event(happened, language)
    return read(await authorized({ method: 'POST', url, body }))
  }
  return {
    send,
    understand: send,
    async check() {
      const token = await tokenOf(fields, wire)
      if (!token.ok) return [{ part: 'credentials', result: token }]
      const found = readAnswer(
        z.object({ displayName: z.string() }),
        await authorized({ method: 'GET', url: `${host}${agent}` }),
      )
      return [
        { part: 'credentials', result: accepted('') },
        { part: 'system', result: found.ok ? accepted(found.value.displayName) : found },
      ]
    },
  }
}
