import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '../flow/document/json.ts'

const objects = (value: Json | undefined): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const DIGITS = /^\d{5,20}$/u

/** Marketing opt-outs (`stop`) and opt-ins (`resume`) that people gave to Meta. */
export const optOutOf = ({ user_preferences: preferences }: JsonObject) =>
  objects(preferences).flatMap(({ wa_id: number, user_id: id, value }) => {
    const [phone, scoped] = [DIGITS.test(text(number)) ? text(number) : '', text(id)]
    if ((phone === '' && scoped === '') || (value !== 'stop' && value !== 'resume')) return []
    return [{ phone, scoped, value } as const]
  })
