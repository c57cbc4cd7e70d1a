import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { submittedOf } from '#runtime/channel/microsoft/activity.ts'
import type { chatMessageBody, sentActivity } from '#schemas/api/chat.ts'
import type { Json } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'

export type SentActivity = z.output<typeof sentActivity>
type Body = z.output<typeof chatMessageBody>

const ID = /^[\w.:-]{1,100}$/

/** The client's own id of an activity, so that the same sent twice is stored once. */
const idOf = ({ channelData }: SentActivity): string => {
  const own = channelData?.clientActivityID ?? ''
  return ID.test(own) ? own : randomUUID()
}

/** A button of {@link activityOf} that is answered by its id. */
const pressed = (value: Json | undefined): Pick<Body, 'of' | 'value'> | undefined =>
  isObject(value) && typeof value.of === 'string' && typeof value.action === 'string'
    ? { of: value.of, value: value.action }
    : undefined

/** Message of an activity; undefined if it has none. */
export const sentMessage = (activity: SentActivity, attachments: readonly string[] = []): Body | undefined => {
  if (activity.type !== 'message') return undefined
  const [id, { text = '', value }] = [idOf(activity), activity]
  if (attachments.length > 0) return { id, type: 'attachment', text, attachments: [...attachments] }
  const button = pressed(value)
  if (button !== undefined) return { id, type: 'choice', ...button }
  if (text === '' && typeof value === 'string') return { id, type: 'text', text: value }
  // The inputs of an adaptive card.
  if (text === '' && isObject(value)) return { id, type: 'submit', ...submittedOf(value) }
  return text === '' ? undefined : { id, type: 'text', text }
}
