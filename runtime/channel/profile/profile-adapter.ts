import { z } from 'zod'
import { type ChannelProfile, readProfile, templateRule } from '#domain/channel-profile.ts'
import type { TemplateMessage } from '#domain/template/template-message.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, listOf, objectOf, scalarText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type {
  Capabilities,
  ChannelAdapter,
  Outcome,
  OutgoingMessage,
  ProviderAnswer,
  ProviderEvent,
  ProviderRequest,
  ProviderUser,
  ProviderValues,
  TemplateAdapter,
  WebhookRequest,
} from '../channel-port.ts'
import {
  baseUrl,
  checked,
  field,
  jsonBody,
  posting,
  reading,
  retryAfter,
  withBasic,
  withBearer,
  withHeader,
} from '../shared/provider-call.ts'
import { isSignedBody, verifiedIf, verifyToken } from '../shared/signature.ts'

const id = z.union([z.string(), z.number()]).transform(String).pipe(z.string().min(1).max(500))
const nonEmptyText = z.string().min(1).max(100_000)
const user = z.union([
  id.transform(given => ({ id: given })),
  z.object({ id, name: z.string().max(500).optional(), data: z.record(z.string(), z.json()).optional() }),
])
const media = z.object({
  ref: z.string().min(1).max(4000),
  type: z.string().max(200).default(''),
  name: z.string().max(500).optional(),
})

const content = z.union([
  z.object({ kind: z.literal('text'), text: nonEmptyText }),
  z.object({ kind: z.literal('choice'), value: nonEmptyText, title: nonEmptyText }),
  z.object({ kind: z.literal('media'), media: z.array(media).min(1).max(10), text: nonEmptyText.optional() }),
  z.object({ kind: z.literal('location'), data: z.record(z.string(), z.json()) }),
  z.object({ kind: z.literal('order'), data: z.record(z.string(), z.json()) }),
  z.object({ kind: z.literal('contacts'), data: z.json() }),
])

const message = z.object({
  kind: z.literal('message'),
  id,
  from: user,
  to: z.string().max(500).default(''),
  /** ms since 1970. */
  time: z.number().default(0),
  /** Shorthand for `content` of kind text. */
  text: nonEmptyText.optional(),
  content: content.optional(),
  replyTo: id.optional(),
  payload: z.string().max(2000).optional(),
})

const receipt = z.object({
  kind: z.literal('receipt'),
  id,
  to: z.string().max(500).default(''),
  state: z.enum(['queued', 'sent', 'delivered', 'read', 'played', 'failed']),
  time: z.number().default(0),
  code: id.optional(),
  callback: z.string().max(500).optional(),
})

const echo = z.object({ kind: z.literal('echo'), id, to: z.string().max(500).default('') })

/** An event without empty members. */
const stated = (event: Record<string, unknown>): ProviderEvent =>
  Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined)) as unknown as ProviderEvent

const eventOf = (given: Json): ProviderEvent => {
  const read = z.union([message, receipt, echo]).safeParse(given)
  if (!read.success) return { kind: 'unknown', type: 'event', to: '' }
  if (read.data.kind !== 'message') return stated(read.data)
  const { text: said, content: held, ...rest } = read.data
  const told = held ?? (said === undefined ? undefined : { kind: 'text', text: said })
  return told === undefined ? { kind: 'unknown', type: 'message', to: rest.to } : stated({ ...rest, content: told })
}

const MAX_EVENTS = 1000

/** Normalized events of a mapping's result: a list, a single event, or nothing. */
const normalEvents = (given: Json): readonly ProviderEvent[] =>
  given === null ? [] : (Array.isArray(given) ? listOf(given) : [given]).slice(0, MAX_EVENTS).map(eventOf)

interface ProfileOptions {
  readonly capabilities: Capabilities
  /** Default body of a message when the profile has no rule; undefined when it needs one. */
  readonly usualBody?: (message: OutgoingMessage, to: ProviderUser, key: string) => JsonObject | undefined
  readonly usualEvents?: (body: JsonObject) => readonly ProviderEvent[]
  readonly usualId?: (body: Json | undefined) => string
}

const profileOf = (fields: JsonObject): Result<ChannelProfile> => {
  const profile = readProfile(scalarText(fields.channel_extra_info))
  return profile === undefined ? refused('channel.profile', { params: { rule: '—' } }) : accepted(profile)
}

/** Evaluates a rule; a refusal names the rule. */
const evaluated = async (values: ProviderValues, rule: string, source: string, input: Json): Promise<Result<Json>> => {
  const outcome = await values.evaluate(source, input)
  return outcome.ok ? outcome : refused('channel.profile', { params: { rule } })
}

const verify = (request: WebhookRequest, fields: JsonObject) => {
  const profile = profileOf(fields)
  if (!profile.ok) return profile
  const { verify: way } = profile.value
  if (way.scheme === 'token') return verifyToken(request, fields)
  const secret = scalarText(fields.channel_verify_token)
  const given = request.headers[way.header.toLowerCase()] ?? ''
  return verifiedIf(isSignedBody(given, request.body, secret, way))
}

/** Input of the rules: the request without the caller's secrets. */
const inputOf = (request: WebhookRequest, body: Json): JsonObject => ({
  query: Object.fromEntries([...request.query].filter(([name]) => name !== 'token')),
  body,
})

const filledPath = (path: string, parts: Readonly<Record<'to' | 'from' | 'key', string>>): string =>
  path.replaceAll(/\{(to|from|key)\}/gu, (_, name: 'to' | 'from' | 'key') => encodeURIComponent(parts[name]))

const authorized = (request: ProviderRequest, fields: JsonObject): Result<ProviderRequest> => {
  const profile = profileOf(fields)
  if (!profile.ok) return profile
  const { authenticate: way } = profile.value
  const token = field(fields, 'auth_token')
  switch (way.scheme) {
    case 'bearer':
      return accepted(withBearer(request, token))
    case 'basic':
      return accepted(withBasic(request, field(fields, 'username'), field(fields, 'password')))
    case 'header':
      return accepted(withHeader(request, way.header.toLowerCase(), token))
    default:
      return accepted(request)
  }
}

/** Input of the body rule. `native` messages are passed as the bot wrote them. */
const messageInput = (message: OutgoingMessage, to: ProviderUser, fields: JsonObject, key: string): JsonObject => ({
  message: message as unknown as JsonObject,
  to: to as unknown as JsonObject,
  from: field(fields, 'sender_number'),
  key,
})

/** Body of a message by the rule of its profile, else the default of the type. */
const bodyOf = async (
  { usualBody }: ProfileOptions,
  rule: string | undefined,
  message: OutgoingMessage,
  to: ProviderUser,
  fields: JsonObject,
  key: string,
  values: ProviderValues,
): Promise<Result<JsonObject | undefined>> => {
  if (rule === undefined) return accepted(usualBody?.(message, to, key))
  const made = await evaluated(values, 'send.body', rule, messageInput(message, to, fields, key))
  if (!made.ok) return made
  return Array.isArray(made.value) || typeof made.value !== 'object'
    ? refused('channel.profile', { params: { rule: 'send.body' } })
    : accepted(made.value === null ? undefined : objectOf(made.value))
}

const idOf = async (
  { usualId }: ProfileOptions,
  rule: string | undefined,
  answer: ProviderAnswer,
  values: ProviderValues,
): Promise<string> => {
  if (rule === undefined) return usualId?.(answer.body) ?? ''
  const found = await evaluated(values, 'answer.id', rule, answer.body ?? null)
  return found.ok ? scalarText(found.value) : ''
}

/** Message templates by the rule `send.template`, over {template, to, from, key}. */
const templatesOf = (options: ProfileOptions): TemplateAdapter => ({
  async render(template: TemplateMessage, to, fields, key, values) {
    const profile = profileOf(fields)
    if (!profile.ok) return profile
    const { method, headers } = profile.value.send
    const rule = templateRule(profile.value)
    if (rule === undefined) return refused('channel.message')
    const from = field(fields, 'sender_number')
    const person = to.replace('+', '')
    const input = { template: template as unknown as JsonObject, to: { id: person }, from, key }
    const made = await evaluated(values, 'send.template', rule.body, input)
    if (!made.ok) return made
    const body = isObject(made.value) ? made.value : undefined
    const request = posting(`${baseUrl(fields, '')}${filledPath(rule.path, { to: person, from, key })}`, body)
    return request.ok ? accepted({ ...request.value, method, headers: Object.entries(headers) }) : request
  },
  async read(answer, key, fields, values) {
    const profile = profileOf(fields)
    const isTaken = answer.status >= 200 && answer.status < 300
    if (!profile.ok || !isTaken) return { id: '', code: isTaken ? '' : `http.${answer.status}` }
    // Without an id of the gateway its receipts name the key.
    return { id: (await idOf(options, profile.value.answer.id, answer, values)) || key, code: '' }
  },
})

/**
 * Adapter declared by its channel: address and format of sent messages, and reading of its calls. Rules are evaluated
 * within limits, in another thread.
 */
export const profileAdapter = (options: ProfileOptions): ChannelAdapter => {
  const { capabilities, usualEvents } = options
  return {
    capabilities,
    handshake: () => undefined,
    verify,
    async parse(request, fields, values) {
      const [profile, body] = [profileOf(fields), jsonBody(request)]
      if (!profile.ok) return profile
      if (!body.ok) return body
      const { receive } = profile.value
      if (receive === undefined) return accepted(usualEvents?.(objectOf(body.value)) ?? [])
      const given = await evaluated(values, 'receive', receive, inputOf(request, body.value))
      return given.ok ? accepted(normalEvents(given.value)) : given
    },
    async render(message, to, fields, key, values) {
      const profile = profileOf(fields)
      if (!profile.ok) return profile
      const { method, path, headers, body: rule } = profile.value.send
      const body = await bodyOf(options, rule, message, to, fields, key, values)
      if (!body.ok) return body
      const at = filledPath(path, { to: to.id, from: field(fields, 'sender_number'), key })
      const made = posting(`${baseUrl(fields, '')}${at}`, body.value)
      return made.ok ? accepted({ ...made.value, method, headers: Object.entries(headers) }) : made
    },
    templates: templatesOf(options),
    authorize: authorized,
    async classify(answer, fields, values): Promise<Outcome> {
      const profile = profileOf(fields)
      if (!profile.ok) return { kind: 'unknown' }
      const { id, retry } = profile.value.answer
      const { status } = answer
      if (retry.includes(status)) return { kind: 'retry', after: retryAfter(answer) }
      if (status >= 200 && status < 300) return { kind: 'sent', id: await idOf(options, id, answer, values) }
      return status >= 500 ? { kind: 'unknown' } : { kind: 'final', code: `http.${status}` }
    },
    async check(fields, values) {
      const profile = profileOf(fields)
      if (!profile.ok) return profile
      const { available } = profile.value
      if (available === undefined) return refused('channel.untestable')
      const request = authorized(reading(`${baseUrl(fields, '')}${available}`), fields)
      return request.ok ? checked(await values.ask(request.value), () => '') : request
    },
    mediaRequest(ref, fields) {
      const base = baseUrl(fields, '')
      const isOurs = URL.canParse(ref) && URL.canParse(base) && new URL(ref).origin === new URL(base).origin
      return isOurs ? authorized(reading(ref), fields) : accepted(reading(ref))
    },
  }
}
