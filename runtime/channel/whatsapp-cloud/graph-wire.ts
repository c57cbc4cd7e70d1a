import type { JsonObject } from '#schemas/event.ts'

/** Bodies of Meta's Graph API, as Meta writes them: the simulated number answers with them, and so do doubles of tests. */

/** Body of an error; `status` of its answer is not part of it. */
export const graphErrorBody = (code: number, message: string, subcode?: number): JsonObject => ({
  error: {
    message,
    type: code === 190 ? 'OAuthException' : 'GraphMethodException',
    code,
    ...(subcode === undefined ? {} : { error_subcode: subcode }),
    fbtrace_id: 'AXsgnV2Cm3ZMGF3dF_cfYIn',
  },
})

/** Answer to a message that was taken. `to`: as it was written; `waId`: digits of WhatsApp's own id. */
export const sentBody = (to: string, waId: string, id: string): JsonObject => ({
  messaging_product: 'whatsapp',
  contacts: [{ input: to, wa_id: waId }],
  messages: [{ id, message_status: 'accepted' }],
})

const DEFAULT_PAGE = 25

/** One page of a list, by its cursor: the number of rows before it. */
export const listBody = (rows: readonly JsonObject[], query: URLSearchParams): JsonObject => {
  const size = Number(query.get('limit') ?? DEFAULT_PAGE)
  const from = Number(query.get('after') ?? 0)
  const next = from + size < rows.length ? { next: 'https://graph.example/next' } : {}
  return { data: rows.slice(from, from + size), paging: { cursors: { after: String(from + size) }, ...next } }
}

/** The apps that are subscribed to an account. */
export const subscribedAppsBody = (apps: readonly { readonly id: string; readonly name: string }[]): JsonObject => ({
  data: apps.map(app => ({ whatsapp_business_api_data: { ...app, link: '' } })),
})

interface WebhookNumber {
  readonly waba: string
  readonly phoneNumberId: string
  readonly display: string
}

/** Body of a webhook call: one change of one number. */
export const changeBody = (
  { waba, phoneNumberId, display }: WebhookNumber,
  value: JsonObject,
  field = 'messages',
): JsonObject => {
  const metadata = { display_phone_number: display, phone_number_id: phoneNumberId }
  const content = field === 'messages' ? { messaging_product: 'whatsapp', metadata, ...value } : value
  return { object: 'whatsapp_business_account', entry: [{ id: waba, changes: [{ field, value: content }] }] }
}

/** Value of a change with messages of one person. */
export const messagesValue = (waId: string, name: string, messages: readonly JsonObject[]): JsonObject => ({
  contacts: [{ profile: { name }, wa_id: waId }],
  messages: [...messages],
})

/** Seconds since 1970, as Meta writes them. */
export const graphTime = (ms: number): string => String(Math.floor(ms / 1000))
