import type { JsonObject } from '#schemas/event.ts'
import { basic, digits, object, objects, type ProviderRequest, type Wire, words } from './wire.ts'

const SENDER = '+5511900000000'
const ACCOUNT = 'AC00000000000000000000000000000000'

/** Path for the receipts of a message. */
const callbackPath = ({ body }: ProviderRequest): string => {
  const { pathname, search } = new URL(words(body.StatusCallback))
  return pathname + search
}

const twilio = (from: string, id: string, more: JsonObject): JsonObject => ({
  ...{ SmsMessageSid: id, NumMedia: '0', ProfileName: 'Ana', SmsSid: id, WaId: from, SmsStatus: 'received' },
  ...{ Body: '', To: `whatsapp:${SENDER}`, NumSegments: '1', MessageSid: id, AccountSid: ACCOUNT },
  ...{ From: `whatsapp:+${from}`, ApiVersion: '2010-04-01' },
  ...more,
})

export const TWILIO: Wire = {
  type: 'whatsapp_twilio',
  fields: { account_id: ACCOUNT, auth_token: 'twilio-token', sender_number: SENDER },
  isForm: true,
  signed: 'twilio-token',
  proof: ['authorization', basic(ACCOUNT, 'twilio-token')],
  said: (from, id, text) => twilio(from, id, { Body: text }),
  pressed: (from, id, option) =>
    twilio(from, id, {
      MessageType: 'button',
      Body: option.title,
      ButtonText: option.title,
      ButtonPayload: option.id,
    }),
  picture: (from, id, file) =>
    twilio(from, id, { NumMedia: '1', MediaUrl0: `{origin}${file}`, MediaContentType0: 'image/png' }),
  receipt: (request, id, state) => ({
    path: callbackPath(request),
    body: {
      ...{ SmsSid: id, SmsStatus: state, MessageStatus: state, MessageSid: id, AccountSid: ACCOUNT },
      ...{ To: words(request.body.To), From: `whatsapp:${SENDER}`, ApiVersion: '2010-04-01' },
      ...(state === 'failed' ? { ErrorCode: '63016' } : {}),
    },
  }),
  answer: sid => ({ status: 201, body: { sid, status: 'queued' } }),
  refusal: { status: 400, body: { code: 21211, message: 'no' }, code: '21211' },
  shown({ body }, content) {
    const types = object(content(words(body.ContentSid)).types)
    const variables = object(JSON.parse(words(body.ContentVariables) || '{}'))
    const filled = (value: unknown) =>
      words(value).replaceAll(/\{\{(\d+)\}\}/gu, (_, name: string) => words(variables[name]))
    const quick = object(types['twilio/quick-reply'])
    return {
      to: digits(body.To),
      text: words(body.Body) || filled(quick.body),
      options: objects(quick.actions).map(({ id, title }) => ({ id: filled(id), title: words(title) })),
      picture: words(body.MediaUrl),
    }
  },
}

/** Its API for text messages, which also carries WhatsApp: no other is publicly documented. */
export const AVAYA: Wire = {
  type: 'whatsapp_avaya',
  fields: {
    ...{ account_id: ACCOUNT, auth_token: 'avaya-token', sender_number: SENDER },
    channel_verify_token: 'verify-avaya',
  },
  isForm: true,
  proof: ['authorization', basic(ACCOUNT, 'avaya-token')],
  said: (from, id, text) => ({
    ...{ AccountSid: ACCOUNT, ApiVersion: 'v2', To: SENDER, From: `+${from}`, SmsSid: id, SmsStatus: 'received' },
    ...{ Body: text, Timestamp: new Date().toISOString() },
  }),
  receipt: (request, id, state) => ({
    path: callbackPath(request),
    body: {
      ...{ AccountSid: ACCOUNT, SmsSid: id, SmsStatus: 'sent', DlrStatus: state, From: SENDER },
      ...(state === 'failed' ? { ErrorMessage: 'Unreachable' } : {}),
    },
  }),
  answer: sid => ({ status: 200, body: { sid, status: 'queued' } }),
  refusal: { status: 400, body: { code: 2001, message: 'no' }, code: '2001' },
  shown: ({ body }) => ({ to: digits(body.To), text: words(body.Body), options: [], picture: '' }),
}
