import type { Json } from '#schemas/event.ts'
import { accepted, type FieldError, refused } from '#schemas/refusal.ts'
import type { Behaviour, Live } from './behaviour.ts'
import { type ChannelFacts, named } from './channel.ts'
import { isObject } from './flow/document/json.ts'

type Fields = Live['fields']

/** Required fields by type. Types not listed have no public API and need a profile. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  rocketchat: ['url', 'verifytoken'],
  tiledesk: ['url', 'channel_id', 'verifytoken'],
  aacc: ['url', 'defaultqueue'],
  avayaccaas: ['url', 'channel_id', 'channel_password', 'provider_id', 'channel_extra_info'],
  cxone: ['channel_auth_url', 'channel_id', 'channel_password', 'defaultqueue'],
  five9: ['channel_id', 'defaultqueue', 'verifytoken'],
}
const PROFILE_NEEDS = ['url', 'channel_extra_info'] as const

const SECURE = /^https:/iu
/** Names between commas: none of them empty, none with a semicolon. */
const NAMES = /^[^,;\n]+(?:,[^,;\n]+)*$/u
const CONFIG_LIMITS = { forgotten_after: 10_080, alert_at: 100_000 } as const

const isGiven = (value: Json | undefined): boolean =>
  typeof value === 'string' ? value.trim() !== '' : value !== null && value !== undefined

const isConfigured = (fields: Fields): boolean =>
  (NEEDED[String(fields.type)] ?? PROFILE_NEEDS).every(name => isGiven(fields[name]))

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

/** Field rules of each type beyond the declaration (D-5.06, D-5.07). */
const errorsOf = (fields: Fields): readonly FieldError[] => {
  const { type, url } = fields
  const rules: readonly (readonly [string, string | undefined])[] = [
    ['url', type === 'presence' && typeof url === 'string' && url !== '' && !SECURE.test(url) ? 'https' : undefined],
    ['monitoring_services', isNames(fields.monitoring_services) ? undefined : 'commas'],
    ['supervisor_monitoring_services', isNames(fields.supervisor_monitoring_services) ? undefined : 'commas'],
    ['queue_tracker_config', isConfig(fields.queue_tracker_config) ? undefined : 'queueconfig'],
  ]
  return rules.flatMap(([path, rule]) => (rule === undefined ? [] : [{ path, code: 'format', params: { rule } }]))
}

/** Systems that report events by calling the bot. */
const CALLING = new Set([
  'rocketchat',
  'tiledesk',
  'avayaccaas',
  'five9',
  'emc',
  'avayaacr',
  'avayasmcc',
  'presence',
  'xgen',
  'gocontact',
])

export const agentChannelBehaviour = {
  commands: {},
  onCreate(given, { facts }) {
    const fields = named(given, given.type)
    const errors = errorsOf(fields)
    if (errors.length > 0) return refused('validation.failed', { errors })
    const webhook = CALLING.has(String(fields.type)) ? { webhook: `/agent/${facts.id}/webhook` } : {}
    return accepted({ ...fields, ...webhook, configured: isConfigured(fields) })
  },
  onChange(state, changes) {
    const next = named(changes, state.fields.type)
    const fields = { ...state.fields, ...next }
    const errors = errorsOf(fields)
    if (errors.length > 0) return refused('validation.failed', { errors })
    const configured = isConfigured(fields)
    return accepted(configured === state.fields.configured ? next : { ...next, configured })
  },
} satisfies Behaviour<ChannelFacts>
