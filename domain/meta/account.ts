import { z } from 'zod'
import { metaaccount } from '#schemas/entities/metaaccount.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, jsonEqual } from '#schemas/json.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
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
  number_verified: number.code_verification_status === 'VERIFIED',
  name_verified: (number.name_status ?? number.unified_cert_status) === 'APPROVED',
})

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
