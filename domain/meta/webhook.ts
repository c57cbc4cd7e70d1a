import { isObject } from '#domain/flow/document/json.ts'
import type { Json, JsonObject } from '#schemas/event.ts'

/** One change that Meta tells over a webhook. */
export interface WebhookChange {
  /** WhatsApp business account. */
  readonly waba: string
  /** `messages`, `message_template_status_update` … */
  readonly field: string
  /** When it happened, ms since 1970; 0 where that is not said. */
  readonly time: number
  readonly value: JsonObject
}

const objects = (value: Json | undefined): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The changes of a webhook's body, in its order; what has another form is left out. */
export const readWebhook = ({ entry }: JsonObject): readonly WebhookChange[] =>
  objects(entry).flatMap(({ id, time, changes }) =>
    objects(changes).flatMap(({ field, value }) =>
      typeof field === 'string' && isObject(value)
        ? [{ waba: String(id), field, time: typeof time === 'number' ? time * 1000 : 0, value }]
        : [],
    ),
  )
