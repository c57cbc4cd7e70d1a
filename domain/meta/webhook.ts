import type { JsonObject } from '#schemas/event.ts'

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
