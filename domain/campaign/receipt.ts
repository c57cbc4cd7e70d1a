import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '../flow/document/json.ts'

const objects = (value: Json | undefined): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
const DIGITS = /^\d{5,20}$/u

/** People who told Meta that they want no marketing of the business, or want it again. */
export const optOutOf = ({ user_preferences: preferences }: JsonObject) =>
  objects(preferences).flatMap(({ wa_id: phone, value }) =>
    typeof phone === 'string' && DIGITS.test(phone) ? [{ phone, isStop: value === 'stop' }] : [],
  )
