import { z } from 'zod'
import { agentSystem } from '#schemas/agent-system.ts'
import { channelType, isPushed, MICROSOFT_APP_TYPES, missingFields } from '#schemas/channel-type.ts'
import { channel } from '#schemas/entities/channel.ts'
import type { Json } from '#schemas/event.ts'
import { isObject, jsonEqual, own, parseJsonField, trimmedText } from '#schemas/json.ts'
import { type MlSystemName, mlSystem } from '#schemas/ml-system.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import { fieldsMissing, readAgentProfile } from './agent-profile.ts'
import type { Behaviour, DomainEvent, Live, NamedCommand } from './behaviour.ts'
import { profileErrors } from './channel-profile.ts'
import { eventOf } from './entity.ts'

/** Used parts of a Google service account's key file. Its addresses are not read: they could lead anywhere. */
interface ServiceAccount {
  readonly email: string
  /** PKCS #8 in PEM. */
  readonly key: string
}

const EMAIL = /^[^@\s]+@[^@\s]+$/u
const PEM = /^-----BEGIN PRIVATE KEY-----[\s\S]+-----END PRIVATE KEY-----\s*$/u

/** Reads a pasted key file; undefined where it is none. */
export const readServiceAccount = (text: string): ServiceAccount | undefined => {
  const file = parseJsonField(text)
  if (!isObject(file)) return undefined
  const { client_email: email, private_key: key } = file
  if (typeof email !== 'string' || typeof key !== 'string') return undefined
  return EMAIL.test(email) && PEM.test(key) ? { email, key } : undefined
}

export interface ChannelFacts {
  readonly id: string
  /** The enabled channel that has the number already; its name only if the person may see it. */
  readonly taken?: { readonly name: string | null }
  /** Nodes whose build does not know Parley's own desk. */
  readonly nodesWithoutDesk?: readonly string[]
}

type Fields = Live['fields']

const isBlank = (value: Json | undefined): boolean => trimmedText(value) === ''

/** Token of a Telegram bot: the id of the bot, a colon, and a secret. */
const TELEGRAM_TOKEN = /^(\d{3,20}):[\w-]{20,200}$/u

/**
 * Fields of a channel with the account that its token names. Telegram's updates do not name their bot: its id is the
 * first part of the token, which is readable only in the command that sets it.
 */
export const withTokenAccount = (fields: Fields, given: Fields = fields): Fields => {
  if (fields.type !== 'telegram') return given
  if ('auth_token' in given && isBlank(given.auth_token)) return { ...given, account_id: null }
  const [, account] = TELEGRAM_TOKEN.exec(trimmedText(given.auth_token)) ?? []
  if (account !== undefined) return { ...given, account_id: account }
  const { account_id: _, ...others } = given
  return others
}

/** The number of a channel in one spelling, unique among enabled channels of its type; empty: it names none. */
export const numberOf = (fields: Readonly<Record<string, Json>>): string => {
  const value = fields[channelType(String(fields.type))?.address ?? '']
  if (typeof value !== 'string') return ''
  const given = value.trim().toLowerCase()
  const digits = given.replaceAll(/[\s()+.-]/gu, '')
  return /^\d+$/u.test(digits) ? digits : given
}

/** A channel without a name has that of its product. */
const named = (fields: Fields, declared: { readonly title: string } | undefined): Fields =>
  'name' in fields && isBlank(fields.name) ? { ...fields, name: declared?.title ?? null } : fields

/** Path on the bot router at which a channel is reached; none for one that nothing reaches any more. */
const WEBHOOK_PATHS = { provider: '/channel/', callback: '/rest/', page: '/chat/', none: undefined } as const

const webhookOf = (type: string, id: string): string | null => {
  const path = WEBHOOK_PATHS[channelType(type)?.carrier ?? 'none']
  return path === undefined ? null : path + id
}

/** The type of a Microsoft app is an origin nowhere else, and a mapping one that can be used; the declaration checks the rest. */
const errorsOf = ({
  type,
  auth_token: token,
  channel_origin: origin,
  channel_extra_info: info,
}: Fields): readonly FieldError[] => {
  const isAppType = (MICROSOFT_APP_TYPES as readonly (Json | undefined)[]).includes(origin)
  const mapping = channelType(String(type))?.mapping
  const isTokenBad = type === 'telegram' && typeof token === 'string' && !TELEGRAM_TOKEN.test(token.trim())
  return [
    ...(isTokenBad ? [{ path: 'auth_token', code: 'format', params: { rule: 'telegramtoken' } } as const] : []),
    ...(type !== 'microsoft' && isAppType
      ? [{ path: 'channel_origin', code: 'format', params: { rule: 'origins' } } as const]
      : []),
    ...(mapping === undefined || isBlank(info) ? [] : profileErrors(String(info), mapping === 'whole')),
  ]
}

/** Fields that a channel of a provider needs before it can be enabled. */
const needed = (fields: Fields): readonly string[] =>
  isPushed(String(fields.type)) && fields.enable !== false ? missingFields(fields) : []

/** Stores when the token ends, or what the provider restricts, as it says it; without a change nothing is written. */
export const recordChannel: NamedCommand = {
  input: z.strictObject({
    token_ends: z.iso.datetime().nullable().optional(),
    restriction: z.record(z.string(), z.json()).nullable().optional(),
  }),
  decide({ fields }, input): Result<readonly DomainEvent[]> {
    const changed = Object.entries(input).filter(([name, value]) => !jsonEqual(value ?? null, fields[name] ?? null))
    return accepted(
      changed.length === 0 ? [] : [eventOf(channel, 'Checked', { fields: Object.fromEntries(changed) as Fields })],
    )
  },
}

/** Fields that say which number or page a channel has. */
const NUMBER_FIELDS = ['account_id', 'sender_number', 'metaaccount'] as const

/** Clears the restriction of a number when another one replaces it. */
const withoutOldRestriction = (before: Fields, changes: Fields): Fields => {
  const isOther = NUMBER_FIELDS.some(name => name in changes && !jsonEqual(changes[name] ?? null, before[name] ?? null))
  return isOther && (before.restriction ?? null) !== null ? { ...changes, restriction: null } : changes
}

/** Records that a user sends a test message, without its recipient. */
export const tellTestMessage: NamedCommand = {
  input: z.strictObject({}),
  decide: () => accepted([eventOf(channel, 'Tested', { fields: {} })]),
}

export const channelBehaviour = {
  commands: {},
  onCreate(given, { facts }) {
    const errors = errorsOf(given)
    if (errors.length > 0) return refused('validation.failed', { errors })
    if (facts.taken !== undefined) return refused('channel.numbertaken', { params: { name: facts.taken.name ?? '—' } })
    // A channel that is filled in step by step is enabled by its last one.
    const isReady = needed(given).length === 0
    const own = withTokenAccount(given)
    const fields = isReady ? own : { ...own, enable: false }
    return accepted({
      ...named(fields, channelType(String(given.type))),
      webhook: webhookOf(String(given.type), facts.id),
    })
  },
  onChange(state, changes, { facts }) {
    const fields = { ...state.fields, ...changes }
    const before = state.fields.enable === false ? [] : missingFields(state.fields)
    const missing = needed(fields).filter(path => !before.includes(path))
    const errors = [...errorsOf(fields), ...missing.map(path => ({ path, code: 'required' }) as const)]
    if (errors.length > 0) return refused('validation.failed', { errors })
    if (facts.taken !== undefined) return refused('channel.numbertaken', { params: { name: facts.taken.name ?? '—' } })
    const changed = withoutOldRestriction(state.fields, withTokenAccount(fields, changes))
    return accepted(named(changed, channelType(String(state.fields.type))))
  },
} satisfies Behaviour<ChannelFacts>

/** Project of Dialogflow ES, a location optional; agent of CX with an environment optional. */
const PROJECT = /^(projects\/)?[a-z0-9:.-]{1,100}(\/locations\/[a-z0-9-]{1,50})?$/u
const AGENT =
  /^projects\/[a-z0-9:.-]{1,100}\/locations\/[a-z0-9-]{1,50}\/agents\/[\w-]{1,100}(\/environments\/[\w-]{1,100})?$/u
/** Assistant of Watson, an environment optional; flow of Langflow. */
const ASSISTANT = /^[\w-]{1,100}(\/environments\/[\w-]{1,100})?$/u
const FLOW = /^[\w-]{1,200}$/u
const VERSION = /^(\d{4})-(\d{2})-(\d{2})$/u

/** A calendar day as YYYY-MM-DD. */
const isDay = (value: string): boolean =>
  VERSION.test(value) && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString().startsWith(value)

const brokenUnless = (isValid: boolean, rule: string): string | undefined => (isValid ? undefined : rule)

/** Names of the rules that fields of a system break, beyond the declaration (D-3.3.04, D-3.3.06). */
const ML_RULES: Readonly<
  Partial<Record<MlSystemName, (fields: Fields) => Readonly<Record<string, string | undefined>>>>
> = {
  dialogflow({ channel_id: id, extradetails: edition, channel_authentication_details: account }) {
    const isCx = trimmedText(edition) === 'CX'
    return {
      extradetails: brokenUnless(isCx || trimmedText(edition) === 'ES', 'dialogflowedition'),
      channel_id: brokenUnless(
        (isCx ? AGENT : PROJECT).test(trimmedText(id)),
        isCx ? 'dialogflowagent' : 'dialogflowproject',
      ),
      // Sealed values were checked before.
      channel_authentication_details: brokenUnless(
        typeof account !== 'string' || readServiceAccount(account) !== undefined,
        'serviceaccount',
      ),
    }
  },
  watson: ({ channel_id: id, extradetails: version }) => ({
    extradetails: brokenUnless(isDay(trimmedText(version)), 'watsonversion'),
    channel_id: brokenUnless(ASSISTANT.test(trimmedText(id)), 'watsonassistant'),
  }),
  langflow: ({ channel_id: id }) => ({ channel_id: brokenUnless(FLOW.test(trimmedText(id)), 'langflowflow') }),
}

const formatErrors = (rules: Readonly<Record<string, string | undefined>>): readonly FieldError[] =>
  Object.entries(rules).flatMap(([path, rule]) =>
    rule === undefined ? [] : [{ path, code: 'format', params: { rule } }],
  )

const mlChannelErrorsOf = (fields: Fields): readonly FieldError[] =>
  formatErrors(own<(typeof ML_RULES)[MlSystemName]>(ML_RULES, trimmedText(fields.type))?.(fields) ?? {})

/** Without an edition Dialogflow is ES. */
const withEdition = (fields: Fields): Fields =>
  fields.type === 'dialogflow' && trimmedText(fields.extradetails) === '' ? { ...fields, extradetails: 'ES' } : fields

export const mlChannelBehaviour = {
  commands: {},
  onCreate(given, { facts }) {
    const fields = withEdition(named(given, mlSystem(String(given.type))))
    const errors = mlChannelErrorsOf(fields)
    if (errors.length > 0) return refused('validation.failed', { errors })
    return accepted(
      mlSystem(String(fields.type))?.fields.includes('webhook')
        ? { ...fields, webhook: `/ml/${facts.id}/webhook` }
        : fields,
    )
  },
  onChange(state, changes) {
    const { type = null } = state.fields
    const edited = trimmedText(changes.extradetails) === '' && 'extradetails' in changes && type === 'dialogflow'
    const next = { ...named(changes, mlSystem(String(type))), ...(edited ? { extradetails: 'ES' } : {}) }
    const errors = mlChannelErrorsOf({ ...state.fields, ...next })
    return errors.length === 0 ? accepted(next) : refused('validation.failed', { errors })
  },
} satisfies Behaviour<ChannelFacts>

const SECURE = /^https:/iu
/** Names between commas: none of them empty, none with a semicolon. */
const NAMES = /^[^,;\n]+(?:,[^,;\n]+)*$/u
const CONFIG_LIMITS = { forgotten_after: 10_080, alert_at: 100_000 } as const

const isGiven = (value: Json | undefined): boolean =>
  typeof value === 'string' ? value.trim() !== '' : value !== null && value !== undefined

/** Fields, and paths of the profile after `channel_extra_info.`, that an agent channel lacks (D-4.02). */
export const agentChannelGaps = (fields: Fields): readonly string[] => {
  const system = agentSystem(String(fields.type))
  if (system === undefined) return ['type']
  const isThere = (name: string) => isGiven(fields[name])
  const empty = system.needs.filter(name => !isThere(name))
  if (system.adapter === 'own' || !isThere('channel_extra_info')) return empty
  const { profile, faults } = readAgentProfile(fields.channel_extra_info)
  const gaps = faults.map(({ path }) => (path === '' ? 'channel_extra_info' : `channel_extra_info.${path}`))
  return [...new Set([...empty, ...gaps, ...(profile === undefined ? [] : fieldsMissing(profile, isThere))])]
}

const MAX_GAPS = 20

const stateOf = (fields: Fields): Fields => {
  const missing = agentChannelGaps(fields).slice(0, MAX_GAPS)
  return { configured: missing.length === 0, missing }
}

const isNames = (value: Json | undefined): boolean =>
  typeof value !== 'string' || value === '' || (NAMES.test(value) && value.split(',').every(name => name.trim() !== ''))

const isConfig = (value: Json | undefined): boolean =>
  value === null ||
  value === undefined ||
  (isObject(value) &&
    Object.entries(value).every(([name, given]) => {
      const limit = Object.hasOwn(CONFIG_LIMITS, name) ? CONFIG_LIMITS[name as keyof typeof CONFIG_LIMITS] : undefined
      return limit !== undefined && Number.isInteger(given) && Number(given) >= 1 && Number(given) <= limit
    }))

/** Characters of a profile's JSON: its rules are parsed in the thread of commands. */
const MAX_PROFILE = 20_000

const profileLength = (value: Json | undefined): number =>
  typeof value === 'string' ? value.length : JSON.stringify(value ?? null).length

/** Field rules of each type beyond the declaration (D-5.06, D-5.07). */
const agentChannelErrorsOf = (fields: Fields): readonly FieldError[] => {
  const { type, url } = fields
  const isHttpsOnly = agentSystem(String(type))?.isHttpsOnly === true
  if (profileLength(fields.channel_extra_info) > MAX_PROFILE)
    return [{ path: 'channel_extra_info', code: 'toolong', params: { max: MAX_PROFILE } }]
  return formatErrors({
    url: brokenUnless(!isHttpsOnly || typeof url !== 'string' || url === '' || SECURE.test(url), 'https'),
    monitoring_services: brokenUnless(isNames(fields.monitoring_services), 'commas'),
    supervisor_monitoring_services: brokenUnless(isNames(fields.supervisor_monitoring_services), 'commas'),
    queue_tracker_config: brokenUnless(isConfig(fields.queue_tracker_config), 'queueconfig'),
  })
}

export const agentChannelBehaviour = {
  commands: {},
  onCreate(given, { facts }) {
    const { nodesWithoutDesk: nodes = [] } = facts
    if (nodes.length > 0) return refused('desk.nodes', { params: { nodes: nodes.join(', ') } })
    const fields = named(given, agentSystem(String(given.type)))
    const errors = agentChannelErrorsOf(fields)
    if (errors.length > 0) return refused('validation.failed', { errors })
    const webhook = agentSystem(String(fields.type))?.fields.includes('webhook')
      ? { webhook: `/agent/${facts.id}/webhook` }
      : {}
    return accepted({ ...fields, ...webhook, ...stateOf(fields) })
  },
  onChange(state, changes) {
    const next = named(changes, agentSystem(String(state.fields.type)))
    const fields = { ...state.fields, ...next }
    const errors = agentChannelErrorsOf(fields)
    if (errors.length > 0) return refused('validation.failed', { errors })
    // Whether the desk can take chats depends on its queues, and is recorded when they change.
    const recorded = fields.type === 'parley' ? { configured: state.fields.configured ?? false } : {}
    const changed = Object.entries({ ...stateOf(fields), ...recorded }).filter(
      ([name, value]) => !jsonEqual(value, state.fields[name] ?? null),
    )
    return accepted({ ...next, ...Object.fromEntries(changed) })
  },
} satisfies Behaviour<ChannelFacts>
