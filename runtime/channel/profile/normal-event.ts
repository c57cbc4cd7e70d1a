import { z } from 'zod'
import type { Json } from '#schemas/event.ts'
import type { ProviderEvent } from '../port.ts'
import { list } from '../shared/member.ts'

const id = z.union([z.string(), z.number()]).transform(String).pipe(z.string().min(1).max(500))
const text = z.string().min(1).max(100_000)
const user = z.union([
  id.transform(given => ({ id: given })),
  z.object({ id, name: z.string().max(500).optional(), data: z.record(z.string(), z.json()).optional() }),
])
const media = z.object({
  ref: z.string().min(1).max(4000),
  type: z.string().max(200).default(''),
  name: z.string().max(500).optional(),
})

const content = z.union([
  z.object({ kind: z.literal('text'), text }),
  z.object({ kind: z.literal('choice'), value: text, title: text }),
  z.object({ kind: z.literal('media'), media: z.array(media).min(1).max(10), text: text.optional() }),
  z.object({ kind: z.literal('location'), data: z.record(z.string(), z.json()) }),
  z.object({ kind: z.literal('order'), data: z.record(z.string(), z.json()) }),
  z.object({ kind: z.literal('contacts'), data: z.json() }),
])

const message = z.object({
  kind: z.literal('message'),
  id,
  from: user,
  to: z.string().max(500).default(''),
  /** ms since 1970. */
  time: z.number().default(0),
  /** Shorthand for `content` of kind text. */
  text: text.optional(),
  content: content.optional(),
  replyTo: id.optional(),
  payload: z.string().max(2000).optional(),
})

const receipt = z.object({
  kind: z.literal('receipt'),
  id,
  to: z.string().max(500).default(''),
  state: z.enum(['queued', 'sent', 'delivered', 'read', 'played', 'failed']),
  time: z.number().default(0),
  code: id.optional(),
  callback: z.string().max(500).optional(),
})

const echo = z.object({ kind: z.literal('echo'), id, to: z.string().max(500).default('') })

/** An event without empty members. */
const stated = (event: Record<string, unknown>): ProviderEvent =>
  Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined)) as unknown as ProviderEvent

const eventOf = (given: Json): ProviderEvent => {
  const read = z.union([message, receipt, echo]).safeParse(given)
  if (!read.success) return { kind: 'unknown', type: 'event', to: '' }
  if (read.data.kind !== 'message') return stated(read.data)
  const { text: said, content: held, ...rest } = read.data
  const told = held ?? (said === undefined ? undefined : { kind: 'text', text: said })
  return told === undefined ? { kind: 'unknown', type: 'message', to: rest.to } : stated({ ...rest, content: told })
}

const MAX_EVENTS = 1000

/** Normalized events of a mapping's result: a list, a single event, or nothing. */
export const normalEvents = (given: Json): readonly ProviderEvent[] =>
  given === null ? [] : (Array.isArray(given) ? list(given) : [given]).slice(0, MAX_EVENTS).map(eventOf)
