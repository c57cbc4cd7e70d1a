import { z } from 'zod'
import { metaaccount } from '#schemas/entities/metaaccount.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, jsonEqual } from '#schemas/json.ts'
import { accepted, type RefusalCode, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, DomainEvent, NamedCommand } from '../behaviour.ts'
import type { ChannelFacts } from '../channel.ts'
import { eventOf } from '../entity.ts'

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** The tier has two names: the portfolio's, and the number's of older versions. */
const limitOf = ({ whatsapp_business_manager_messaging_limit: portfolio, messaging_limit_tier: tier }: JsonObject) =>
  textOf(portfolio) ?? textOf(isObject(portfolio) ? portfolio.current_limit : undefined) ?? textOf(tier)

/** Account fields from `GET /{phone-number-id}`. */
export const numberFields = (number: JsonObject): JsonObject => ({
  display_phone_number: textOf(number.display_phone_number),
  verified_name: textOf(number.verified_name),
  quality_rating: textOf(number.quality_rating),
  account_mode: textOf(number.account_mode),
  messaging_limit: limitOf(number),
  throughput: isObject(number.throughput) ? textOf(number.throughput.level) : null,
  number_status: textOf(number.status),
  number_verified: number.code_verification_status === 'VERIFIED',
  name_verified: (number.name_status ?? number.unified_cert_status) === 'APPROVED',
})

const TIER = /^TIER_(\d{1,6})(K?)$/u

/** People in 24 hours; infinite for an unlimited or unknown tier. */
export const messagingLimit = (tier: string): number => {
  const [, count, thousands] = TIER.exec(tier) ?? []
  return count === undefined ? Number.POSITIVE_INFINITY : Number(count) * (thousands === 'K' ? 1000 : 1)
}

/** Fields about a limit that Meta lowered: it counts until the number has the former one again. `now`: ISO time. */
export const loweredLimit = (before: JsonObject, after: JsonObject, now: string): JsonObject => {
  const [old, current, lost] = [before.messaging_limit, after.messaging_limit, before.limit_before].map(value =>
    typeof value === 'string' && value !== '' ? value : undefined,
  )
  if (old === undefined || current === undefined) return {}
  if (messagingLimit(current) < messagingLimit(old)) return { limit_before: lost ?? old, limit_lowered_at: now }
  const isBack = lost !== undefined && messagingLimit(current) >= messagingLimit(lost)
  return isBack ? { limit_before: null, limit_lowered_at: null } : {}
}

/** Names of the restrictions of an account that concern messages. */
type Restriction = 'BANNED' | 'BAN_PLANNED' | 'REMOVED' | 'NO_ANSWERS' | 'NO_TEMPLATES'

const restricted = (restriction: Restriction | null, at: number = Number.NaN): JsonObject => ({
  restriction,
  restriction_at: Number.isNaN(at) ? null : new Date(at).toISOString(),
})

/** The worse of the announced restrictions of messages, with the later end. */
const ofKinds = (kinds: Json | undefined): JsonObject => {
  const listed = (Array.isArray(kinds) ? kinds : []).filter(isObject)
  const named = (type: string) => listed.filter(({ restriction_type: own }) => own === type)
  const endOf = (found: readonly JsonObject[]) =>
    Math.max(...found.map(({ expiration }) => (typeof expiration === 'number' ? expiration * 1000 : Number.NaN)))
  const answers = named('RESTRICTED_CUSTOMER_INITIATED_MESSAGING')
  if (answers.length > 0) return restricted('NO_ANSWERS', endOf(answers))
  const templates = named('RESTRICTED_BIZ_INITIATED_MESSAGING')
  return templates.length > 0 ? restricted('NO_TEMPLATES', endOf(templates)) : {}
}

/** Fields of an account in a webhook `account_update`; none for what restricts no messages. */
export const accountNotice = ({ event, ban_info: ban, restriction_info: kinds }: JsonObject): JsonObject => {
  switch (event) {
    case 'DISABLED_UPDATE': {
      const { waba_ban_state: state, waba_ban_date: date } = isObject(ban) ? ban : {}
      if (state === 'REINSTATE') return restricted(null)
      const day = Date.parse(`${textOf(date) ?? ''} UTC`)
      return state === 'SCHEDULE_FOR_DISABLE' ? restricted('BAN_PLANNED', day) : restricted('BANNED')
    }
    case 'ACCOUNT_RESTRICTION':
      return ofKinds(kinds)
    case 'ACCOUNT_DELETED':
    case 'ACCOUNT_OFFBOARDED':
      return restricted('REMOVED')
    case 'ACCOUNT_RECONNECTED':
      return restricted(null)
    default:
      return {}
  }
}

/** Data of `GET /{waba-id}`. */
export const accountFields = ({ account_review_status: review }: JsonObject): JsonObject => ({
  account_verified: review === 'APPROVED',
})

/** Whether an app is among those of `GET /{waba-id}/subscribed_apps`. */
export const isSubscribed = ({ data }: JsonObject, app: string): boolean =>
  Array.isArray(data) &&
  data.some(item => {
    const own = isObject(item) ? item.whatsapp_business_api_data : undefined
    return isObject(own) && own.id === app
  })

const READ_FIELDS = Object.entries(metaaccount.fields).flatMap(([name, field]) => (field.readonly ? [name] : []))

/** Given by the gateway with what Meta said. Of what did not change nothing is written. */
export const recordAccount: NamedCommand = {
  input: z.strictObject({ fields: z.partialRecord(z.enum(READ_FIELDS as [string, ...string[]]), z.json()) }),
  decide({ fields }, { fields: found }): Result<readonly DomainEvent[]> {
    const given = isObject(found) ? found : {}
    const changed = Object.fromEntries(
      Object.entries(given).filter(([name, value]) => !jsonEqual(value, fields[name] ?? null)),
    )
    return accepted(Object.keys(changed).length === 0 ? [] : [eventOf(metaaccount, 'Checked', { fields: changed })])
  },
}

export const metaAppBehaviour = {
  commands: {},
  onCreate: (fields, { facts }) => accepted({ ...fields, webhook: `/meta/${facts.id}/webhook` }),
} satisfies Behaviour<ChannelFacts>

const MAX_ERROR_LENGTH = 300

/** Codes of the Graph API by their meaning for the account's owner. */
const TOKEN: ReadonlySet<number> = new Set([0, 102, 190, 463, 467])
const LIMITS: ReadonlySet<number> = new Set([4, 17, 32, 613, 80007, 80008, 130429, 133008, 133009, 133016])
const MISSING: ReadonlySet<number> = new Set([33, 803])
/** Subcode of 100: an object that is not there, or that the token may not see. */
const MISSING_SUBCODE = 33

const numberAt = (error: Json | undefined, name: string): number => {
  const value = isObject(error) ? error[name] : undefined
  return typeof value === 'number' ? value : Number.NaN
}

const textAt = (error: Json | undefined, name: string): string => {
  const value = isObject(error) ? error[name] : undefined
  return typeof value === 'string' ? value : ''
}

const isPermission = (code: number): boolean => code === 3 || code === 10 || (code >= 200 && code <= 299)

const codeOf = (status: number, code: number, subcode: number): RefusalCode => {
  if (TOKEN.has(code)) return 'meta.token'
  if (isPermission(code)) return 'meta.permission'
  if (MISSING.has(code) || (code === 100 && subcode === MISSING_SUBCODE)) return 'meta.notfound'
  if (LIMITS.has(code) || status === 429) return 'meta.toomany'
  if (status >= 500) return 'meta.failed'
  if (Number.isNaN(code)) return status === 401 ? 'meta.token' : status === 404 ? 'meta.notfound' : 'meta.refused'
  return 'meta.refused'
}

/** Prefers Meta's text for people to its text for programs; hides texts that contain a secret. */
const told = (error: Json | undefined, secrets: readonly string[]): string => {
  const text = textAt(error, 'error_user_msg') || textAt(error, 'message') || '—'
  const details = isObject(error) ? textAt(error.error_data, 'details') : ''
  const whole = details === '' || text.includes(details) ? text : `${text} ${details}`
  return secrets.some(secret => secret !== '' && whole.includes(secret)) ? '—' : whole.slice(0, MAX_ERROR_LENGTH)
}

/**
 * Refusal for a failed answer of the Graph API: params {status, code, error}, and `rule` if the code has a specific
 * text (133005 …).
 */
export const graphRefusal = (status: number, body: Json | undefined, secrets: readonly string[]): Result<never> => {
  const error = isObject(body) ? body.error : undefined
  const code = numberAt(error, 'code')
  const params = {
    status,
    code: Number.isNaN(code) ? status : code,
    subcode: numberAt(error, 'error_subcode') || 0,
    error: told(error, secrets),
    ...(Number.isNaN(code) ? {} : { rule: String(code) }),
  }
  return refused(codeOf(status, code, numberAt(error, 'error_subcode')), { params })
}
