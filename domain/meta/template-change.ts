import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, textOf } from '#schemas/json.ts'

/** Change of a business account that Meta reports by a webhook. */
export interface WebhookChange {
  /** WhatsApp business account. */
  readonly waba: string
  /** `account_update`, `message_template_status_update` … */
  readonly field: string
  /** ms since 1970; 0 when Meta does not send it. */
  readonly time: number
  readonly value: JsonObject
}

/** Template update from a webhook: the template, and the input of the command `review`. */
interface TemplateChange {
  readonly name: string
  /** With an underscore, however it came. */
  readonly language: string
  readonly review: JsonObject
}

/** Ids over 2^53 lose digits where they come as numbers: they are left out. */
const idOf = (value: Json | undefined): string =>
  typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : textOf(value)

/** Codes that people know in other words. */
const WORDS: Readonly<Record<string, string>> = { INVALID_FORMAT: 'Invalid Format' }

const membersOf = (value: Json | undefined, ...names: readonly string[]): readonly string[] =>
  isObject(value) ? names.map(name => textOf(value[name])) : []

/** Meta's reason with what it says besides, for people. */
const reasonOf = (value: JsonObject): string | null => {
  const code = textOf(value.reason)
  const words = [
    WORDS[code] ?? code,
    ...membersOf(value.rejection_info, 'reason', 'recommendation'),
    ...membersOf(value.other_info, 'title', 'description'),
    ...membersOf(value.disable_info, 'disable_date'),
  ].filter(word => word !== '' && word !== 'NONE')
  return words.length === 0 ? null : words.join(': ').slice(0, 1000)
}

const REVIEWS: Readonly<Record<string, (value: JsonObject) => JsonObject>> = {
  message_template_status_update: value => ({ status: textOf(value.event), reason: reasonOf(value) }),
  message_template_quality_update: value => ({ quality: textOf(value.new_quality_score) }),
  template_category_update: value => ({ category: textOf(value.new_category) }),
}

/** Undefined for what is about no template. `now`: ISO time, of what does not say when it happened. */
export const readTemplateChange = ({ field, time, value }: WebhookChange, now: string): TemplateChange | undefined => {
  const review = Object.hasOwn(REVIEWS, field) ? REVIEWS[field]?.(value) : undefined
  if (review === undefined) return undefined
  const id = idOf(value.message_template_id)
  return {
    name: textOf(value.message_template_name),
    language: textOf(value.message_template_language).replace('-', '_'),
    review: {
      ...review,
      time: time === 0 ? now : new Date(time).toISOString(),
      ...(id === '' ? {} : { external_id: id }),
    },
  }
}
