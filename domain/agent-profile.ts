import { z } from 'zod'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, parseJsonField } from '#schemas/json.ts'
import { faultyRules, headerNameSchema, hmacSchema, retrySchema, ruleSchema } from './declared-http.ts'

export const AGENT_PROFILE_FORMAT = 'parley-agent-profile'

/** Secrets of a channel that `auth` may name as `$secret:<name>`. */
export const PROFILE_SECRETS = [
  'channel_password',
  'verifytoken',
  'supervisor_token_password',
  'supervisor_login_password',
] as const

/** Addresses that calls may go to: fields of the channel, and the origin of `auth.url`. */
const PROFILE_PLACES = ['url', 'auth.url', 'supervisor_url', 'custom_message_service_url'] as const

/** Inputs that texts may name in braces, as in `/chats/{link.id}`. */
const PLACEHOLDER = /\{([^{}]*)\}/gu
const NAMED = /^(?:queue|(?:chat|link|message|file|fields|values)(?:\.[\w-]{1,60}){1,5})$/u
const SECRET = /\$secret:([\w.]*)/gu

const placeholdersOf = (text: string): readonly string[] => [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name)

const filled = (max: number) =>
  z
    .string()
    .max(max)
    .refine(text => placeholdersOf(text).every(name => NAMED.test(name)))

/** Joined to the origin of its address; empty: the address itself. */
const path = filled(2000).regex(/^(?:\/(?!\/)\S*)?$/u)
const note = z.string().max(2000).optional()
const texts = z.record(z.string().max(100), filled(2000))

const callShape = {
  /** A comment for people. */
  note,
  at: z.enum(PROFILE_PLACES).default('url'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('POST'),
  path,
  query: texts.default({}),
  headers: z.record(headerNameSchema, filled(2000)).default({}),
  /** JSON, or the members of a form. */
  body: ruleSchema.optional(),
  type: z.enum(['json', 'form']).default('json'),
  /** Statuses of success; without them 200 to 299. */
  ok: z.array(z.int().min(200).max(399)).min(1).max(20).optional(),
  /** ms */
  timeout: z.int().min(100).max(60_000).optional(),
}
const call = z.strictObject(callShape)
const answered = z.strictObject({ ...callShape, answer: ruleSchema })

const secret = z.enum(PROFILE_SECRETS).default('channel_password')
/** With each call, also that of the token. */
const authShape = { note, headers: z.record(headerNameSchema, filled(2000)).default({}) }

const authSchema = z.discriminatedUnion('scheme', [
  z.strictObject({ ...authShape, scheme: z.literal('none') }),
  z.strictObject({ ...authShape, scheme: z.literal('bearer'), secret }),
  /** `user`, else `channel_id`, and the secret. */
  z.strictObject({ ...authShape, scheme: z.literal('basic'), secret }),
  z.strictObject({ ...authShape, scheme: z.literal('header'), name: headerNameSchema, secret }),
  z.strictObject({ ...authShape, scheme: z.literal('query'), name: z.string().min(1).max(100), secret }),
  z.strictObject({
    ...authShape,
    scheme: z.literal('oauth2'),
    /** A path at `url`, or an absolute address. */
    url: filled(2000).regex(/^(?:\/(?!\/)|https?:\/\/[^/\s{}?#@]+(?:\/|$))\S*$/u),
    grant: z.enum(['client_credentials', 'password']).default('client_credentials'),
    scope: z.string().max(1000).optional(),
    secret,
  }),
  z.strictObject({
    ...authShape,
    scheme: z.literal('login'),
    call,
    /** Over the answer of the call. */
    token: ruleSchema,
    /** Seconds for which a token is used. */
    seconds: z.int().min(60).max(86_400).default(900),
    place: z.enum(['header', 'query', 'cookie']).default('header'),
    name: z.string().regex(/^[\w-]{1,60}$/u),
    prefix: z.string().max(40).default(''),
  }),
])

/** A call that says whether something was done before. */
const find = z.strictObject({ find: answered })

const list = ruleSchema
const cursor = ruleSchema.optional()
const eventsSchema = z.discriminatedUnion('by', [
  z.strictObject({
    note,
    by: z.literal('poll'),
    call,
    /** ms between two polls. */
    pause: z.int().min(500).max(60_000).default(2000),
    list,
    cursor,
  }),
  z.strictObject({
    note,
    by: z.literal('longpoll'),
    call,
    /** For which the system holds a poll. */
    seconds: z.int().min(1).max(60).default(30),
    list,
    cursor,
  }),
  z.strictObject({ note, by: z.literal('webhook'), list }),
])

const webhookSchema = z.strictObject({
  note,
  verify: z.discriminatedUnion('scheme', [
    /** The verify token as last part of the path, or in a header. */
    z.strictObject({ scheme: z.literal('token'), header: headerNameSchema.optional() }),
    z.strictObject({ scheme: z.literal('header'), name: headerNameSchema }),
    hmacSchema,
  ]),
  /** The key of the chat, over {body, headers, query}. */
  key: ruleSchema,
  answer: z
    .strictObject({
      status: z.int().min(200).max(299).default(200),
      body: z
        .json()
        .default({})
        .refine(body => JSON.stringify(body).length <= 1024),
    })
    .prefault({}),
})

const status = z.int().min(200).max(599)
const errorsSchema = z.strictObject({
  note,
  retry: retrySchema,
  /** The token ended: it is fetched again once. */
  token: z.array(status).max(20).default([401]),
  gone: z.array(status).max(20).default([404, 410]),
  /** Whether nobody is there, over {status, answer}. */
  nobody: ruleSchema.optional(),
  /** The system's own code of an error, over {status, answer}. */
  code: ruleSchema.optional(),
})

const profileSchema = z.strictObject({
  $schema: z.string().max(500).optional(),
  format: z.literal(AGENT_PROFILE_FORMAT),
  version: z.literal(1),
  note,
  /** Settings of the tenant, for the rules and paths. */
  values: z.record(z.string().max(60), z.union([z.string().max(2000), z.number(), z.boolean()])).default({}),
  auth: authSchema,
  /** Of calls at `supervisor_url`, where it is another one. */
  supervisor: authSchema.optional(),
  available: answered.optional(),
  open: z
    .strictObject({
      ...callShape,
      /** Over the answer: an object with the ids for later calls, at least one. */
      link: ruleSchema,
      once: z.union([z.boolean(), find]).default(false),
    })
    .optional(),
  say: z.strictObject({
    ...callShape,
    /** The first message opens the chat. */
    opens: z.boolean().default(false),
    /** Over the answer: further ids for later calls. */
    link: ruleSchema.optional(),
    once: z.union([z.boolean(), find]).default(false),
  }),
  file: call.optional(),
  typing: call.optional(),
  close: call,
  /** The person's place in the queue, from 1; anything else: none is known. */
  queue: answered.optional(),
  events: eventsSchema,
  webhook: webhookSchema.optional(),
  errors: errorsSchema.prefault({}),
  limits: z
    .strictObject({
      /** Characters of a message; a longer one is sent in parts. */
      text: z.int().min(1).max(20_000).default(10_000),
      /** Bytes of an answer. */
      answer: z.int().min(100).max(1_000_000).default(1_000_000),
    })
    .prefault({}),
})

export type AgentProfile = z.output<typeof profileSchema>
export type ProfileAuth = AgentProfile['auth']
export type ProfileCall = z.output<typeof call>

/** JSON schema of a profile, for completion. */
export const agentProfileSchema = (): JsonObject => z.toJSONSchema(profileSchema, { io: 'input' }) as JsonObject

/** `secret`: a secret outside of `auth`, or one that no channel has. */
export interface ProfileFault {
  /** Dotted path; empty: the whole. */
  readonly path: string
  readonly fault: 'missing' | 'form' | 'rule' | 'secret'
}

type Rules = Record<string, string | undefined>

/** The rules of a profile by their dotted paths. */
export const profileRules = ({
  auth,
  supervisor,
  available,
  open,
  say,
  file,
  typing,
  close,
  queue,
  ...rest
}: AgentProfile) => {
  const { events, webhook, errors } = rest
  const rules: Rules = { 'events.list': events.list }
  const add = (name: string, given: { readonly [member: string]: unknown } | undefined) => {
    for (const member of ['body', 'answer', 'link', 'token', 'list', 'cursor', 'key', 'nobody', 'code'])
      if (typeof given?.[member] === 'string') rules[`${name}.${member}`] = given[member]
  }
  for (const [name, way] of Object.entries({ auth, supervisor })) {
    add(name, way)
    if (way?.scheme === 'login') add(`${name}.call`, way.call)
  }
  for (const [name, way] of Object.entries({ open, say }))
    if (typeof way?.once === 'object') add(`${name}.once.find`, way.once.find)
  for (const [name, given] of Object.entries({ available, open, say, file, typing, close, queue, events, errors }))
    add(name, given)
  if (webhook !== undefined) add('webhook', { key: webhook.key })
  if (events.by !== 'webhook') add('events.call', events.call)
  return rules
}

/** Paths of secrets that are named where they may not be. */
const strayedSecrets = (value: Json, at: readonly string[] = []): readonly string[] => {
  if (typeof value === 'string') {
    const named = [...value.matchAll(SECRET)].map(([, name = '']) => name)
    const isAuth = at[0] === 'auth' || at[0] === 'supervisor'
    const isFine = named.every(name => isAuth && (PROFILE_SECRETS as readonly string[]).includes(name))
    return isFine ? [] : [at.join('.')]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value as object).flatMap(([name, member]) => strayedSecrets(member as Json, [...at, name]))
}

/** Missing together: a profile needs one of each. */
const gapsOf = ({ open, say, events, webhook }: AgentProfile): readonly ProfileFault[] => [
  ...(open === undefined && !say.opens ? [{ path: 'open', fault: 'missing' } as const] : []),
  ...(events.by === 'webhook' && webhook === undefined ? [{ path: 'webhook', fault: 'missing' } as const] : []),
]

type ReadProfile =
  | { readonly profile: AgentProfile; readonly faults: readonly [] }
  | { readonly profile?: undefined; readonly faults: readonly ProfileFault[] }

/** Reads a profile, or says by its paths what keeps it from being used. */
export const readAgentProfile = (value: Json | undefined): ReadProfile => {
  const given = parseJsonField(value)
  if (!isObject(given)) return { faults: [{ path: '', fault: given === undefined ? 'missing' : 'form' }] }
  const read = profileSchema.safeParse(given)
  if (!read.success)
    return {
      faults: read.error.issues.map(({ path: at, code, ...issue }) => {
        const isMissing = code === 'invalid_type' && memberAt(given, at) === undefined
        const unknown = code === 'unrecognized_keys' && 'keys' in issue ? issue.keys.slice(0, 1) : []
        return { path: [...at, ...unknown].join('.'), fault: isMissing ? 'missing' : 'form' }
      }),
    }
  const faults: readonly ProfileFault[] = [
    ...gapsOf(read.data),
    ...emptyValues(read.data),
    ...strayedSecrets(given).map(name => ({ path: name, fault: 'secret' }) as const),
    ...faultyRules(profileRules(read.data)).map(name => ({ path: name, fault: 'rule' }) as const),
  ]
  return faults.length === 0 ? { profile: read.data, faults: [] } : { faults }
}

/** Settings of the tenant that a path, header or query names, and that are empty. */
const emptyValues = (profile: AgentProfile): readonly ProfileFault[] => {
  const named = placeholdersOf(JSON.stringify(profile)).flatMap(name => /^values\.([\w-]+)$/u.exec(name)?.[1] ?? [])
  return [...new Set(named)]
    .filter(name => String(profile.values[name] ?? '').trim() === '')
    .map(name => ({ path: `values.${name}`, fault: 'missing' }))
}

const memberAt = (value: unknown, [name, ...rest]: readonly PropertyKey[]): unknown =>
  name === undefined
    ? value
    : typeof value === 'object' && value !== null
      ? memberAt((value as Record<PropertyKey, unknown>)[name], rest)
      : undefined

/** Fields of the channel that a profile needs and that are empty. */
export const fieldsMissing = (
  { auth, supervisor, ...profile }: AgentProfile,
  isGiven: (name: string) => boolean,
): readonly string[] => {
  const named = JSON.stringify({ auth, supervisor })
  const calls = JSON.stringify({ supervisor, ...profile })
  const isOfUser = auth.scheme === 'basic' || (auth.scheme === 'oauth2' && auth.grant === 'password')
  const needed = new Set([
    ...[auth, supervisor].flatMap(way => (way !== undefined && 'secret' in way ? [way.secret] : [])),
    ...PROFILE_SECRETS.filter(name => named.includes(`$secret:${name}`)),
    ...(profile.events.by === 'webhook' ? ['verifytoken'] : []),
    ...['supervisor_url', 'custom_message_service_url'].filter(name => calls.includes(`"at":"${name}"`)),
    ...(auth.scheme === 'oauth2' || (isOfUser && !isGiven('user')) ? ['channel_id'] : []),
  ])
  return [...needed].filter(name => !isGiven(name))
}
