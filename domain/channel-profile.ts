import { z } from 'zod'
import { parseJsonField } from '#schemas/json.ts'
import type { FieldError } from '#schemas/refusal.ts'
import {
  faultyRules,
  headerNameSchema as header,
  hmacSchema,
  retrySchema,
  ruleSchema as rule,
} from './declared-http.ts'

const path = z
  .string()
  .max(2000)
  .regex(/^(?:\/\S*)?$/)

/**
 * Protocol of a provider without a public API. `body`, `receive` and `id` are JSONata: over the normal message, the
 * received data, the answer.
 */
const profileSchema = z.strictObject({
  /** Proof of a call: the channel's verify token as it is, or an HMAC of the body with it. */
  verify: z.union([z.strictObject({ scheme: z.literal('token') }), hmacSchema]).default({ scheme: 'token' }),
  /** Proof of the sender: auth_token, or username and password. */
  authenticate: z
    .union([
      z.strictObject({ scheme: z.enum(['none', 'bearer', 'basic']) }),
      z.strictObject({ scheme: z.literal('header'), header }),
    ])
    .default({ scheme: 'bearer' }),
  send: z.strictObject({
    method: z.enum(['POST', 'PUT']).default('POST'),
    /** Appended to the channel's url; {to}, {from} and {key} are the person, the sender and the message. */
    path,
    headers: z.record(header, z.string().max(1000)).default({}),
    /** Without it Meta's own body is sent, where the type says so. */
    body: rule.optional(),
    /** Body of a message template, or its path and body. Without it the channel sends no templates. */
    template: z.union([rule, z.strictObject({ path, body: rule })]).optional(),
  }),
  /** Path behind the channel's url that answers 2xx when the provider is there and takes the credentials. */
  available: z
    .string()
    .max(2000)
    .regex(/^\/\S*$/)
    .optional(),
  /** List of normal events. */
  receive: rule.optional(),
  answer: z
    .strictObject({
      id: rule.optional(),
      /** Statuses of what was not taken and is sent again. */
      retry: retrySchema,
    })
    .default({ retry: [429, 503] }),
})

export type ChannelProfile = z.output<typeof profileSchema>

/** Path and body rule of message templates; undefined: the channel sends none. */
export const templateRule = ({
  send,
}: ChannelProfile): { readonly path: string; readonly body: string } | undefined => {
  const { template, path: at } = send
  return typeof template === 'string' ? { path: at, body: template } : template
}

/** Reads a profile; undefined for what is none. */
export const readProfile = (text: string): ChannelProfile | undefined => {
  const read = profileSchema.safeParse(parseJsonField(text))
  return read.success ? read.data : undefined
}

/** Errors of a profile on save. `isMapped`: the message format has no other source. */
export const profileErrors = (text: string, isMapped: boolean): readonly FieldError[] => {
  const wrong = (name: string): FieldError => ({
    path: 'channel_extra_info',
    code: 'format',
    params: { rule: 'profile', name },
  })
  const read = profileSchema.safeParse(parseJsonField(text))
  if (!read.success) return [wrong(read.error.issues[0]?.path.join('.') || 'JSON')]
  const { send, receive, answer } = read.data
  const needed = isMapped ? [['send.body', send.body] as const, ['receive', receive] as const] : []
  const missing = needed.flatMap(([name, source]) => (source === undefined ? [name] : []))
  const faulty = faultyRules({
    ...{ 'send.body': send.body, 'send.template': templateRule(read.data)?.body },
    ...{ receive, 'answer.id': answer.id },
  })
  return [...missing, ...faulty].map(wrong)
}
