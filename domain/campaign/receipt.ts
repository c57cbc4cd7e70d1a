import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '../flow/document/json.ts'

/** What Meta says of one message, once or several times and in any order. */
interface MetaReceipt {
  /** Meta's id of it. */
  readonly message: string
  /** What was sent along with it. */
  readonly callback: Json
  /** sent, delivered, read, failed … */
  readonly status: string
  /** ms since 1970 */
  readonly time: number
  readonly code: string | null
  /** Digits of the number; empty where Meta leaves it out. */
  readonly recipient: string
  /** Meta's id of the person (BSUID); empty where Meta leaves it out. */
  readonly scoped: string
}

/** A message of a person. */
interface MetaReply {
  /** Digits of the number; empty where Meta leaves it out. */
  readonly from: string
  /** Meta's id of the person for this business (BSUID); empty where Meta leaves it out. */
  readonly scoped: string
  /** Meta's id of the message that it answers; empty where it answers none. */
  readonly context: string
  readonly time: number
  /** Text, or payload and label of a button. */
  readonly said: readonly string[]
}

const objects = (value: Json | undefined): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
const textAt = (object: Json | undefined, name: string): string => {
  const value = isObject(object) ? object[name] : undefined
  return typeof value === 'string' ? value : ''
}
const DIGITS = /^\d{5,20}$/u
const digits = (text: string): string => (DIGITS.test(text) ? text : '')
const timeOf = (object: JsonObject): number => Number(textAt(object, 'timestamp') || 0) * 1000

export const readReceipts = ({ statuses }: JsonObject): readonly MetaReceipt[] =>
  objects(statuses).flatMap(status => {
    const [message, word] = [textAt(status, 'id'), textAt(status, 'status')]
    if (message === '' || word === '') return []
    const [error] = objects(status.errors)
    const code = typeof error?.code === 'number' ? String(error.code) : null
    return [
      {
        message,
        callback: status.biz_opaque_callback_data ?? null,
        status: word,
        time: timeOf(status),
        code,
        recipient: digits(textAt(status, 'recipient_id')),
        scoped: textAt(status, 'recipient_user_id'),
      },
    ]
  })

/** What a person wrote or pressed: its text, or the payload and label of a button. */
const wordsOf = (message: JsonObject): readonly string[] => {
  const button = isObject(message.interactive) ? message.interactive.button_reply : undefined
  return [
    textAt(message.text, 'body'),
    textAt(message.button, 'payload'),
    textAt(message.button, 'text'),
    textAt(button, 'id'),
    textAt(button, 'title'),
  ]
}

export const readReplies = ({ messages }: JsonObject): readonly MetaReply[] =>
  objects(messages)
    .filter(message => textAt(message, 'type') !== 'system')
    .map(message => ({
      from: digits(textAt(message, 'from')),
      scoped: textAt(message, 'from_user_id'),
      context: textAt(message.context, 'id'),
      time: timeOf(message),
      said: wordsOf(message).filter(text => text !== ''),
    }))

/** People who told Meta that they want no marketing of the business, or want it again. */
export const optOutOf = ({ user_preferences: preferences }: JsonObject) =>
  objects(preferences).flatMap(preference => {
    const [phone, scoped] = [digits(textAt(preference, 'wa_id')), textAt(preference, 'user_id')]
    const value = textAt(preference, 'value')
    if ((phone === '' && scoped === '') || (value !== 'stop' && value !== 'resume')) return []
    return [{ phone, scoped, value } as const]
  })
