import { z } from 'zod'
import type { Json } from '#schemas/event.ts'
import { isObject, listOf } from '#schemas/json.ts'

const id = z.union([z.string(), z.number()]).transform(String).pipe(z.string().min(1).max(500))
const personSchema = z.object({
  name: z
    .string()
    .max(500)
    .nullish()
    .transform(name => name ?? ''),
  avatar: z
    .string()
    .max(4000)
    .nullish()
    .transform(avatar => avatar ?? ''),
})
const agent = z
  .union([
    z.string().transform(name => ({ name })),
    personSchema,
    z.null().transform(() => ({})),
    z.undefined().transform(() => ({})),
  ])
  .pipe(personSchema)
const file = z.object({
  name: z.string().max(500).default('file'),
  type: z.string().max(200).default(''),
  url: z.url({ protocol: /^https?$/u }).max(4000),
})

const MAX_FILES = 10

const eventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('queued'), id, position: z.int().min(1).exactOptional() }),
  z.object({ kind: z.literal('joined'), id, agent: agent.prefault({}) }),
  z.object({
    kind: z.literal('message'),
    id,
    from: z.enum(['agent', 'system']).default('agent'),
    agent: agent.prefault({}),
    text: z.string().max(100_000).default(''),
    files: z.array(file).max(MAX_FILES).default([]),
  }),
  z.object({ kind: z.literal('typing'), isTyping: z.boolean().default(true) }),
  z.object({ kind: z.literal('transferred'), id }),
  z.object({ kind: z.literal('left'), id }),
  z.object({ kind: z.literal('closed'), id }),
  z.object({ kind: z.literal('error'), id, code: z.string().max(100).default('error') }),
])

/** An event of a chat with an agent, as a rule of a declared system gives it. */
type DeclaredAgentEvent = z.output<typeof eventSchema> | { readonly kind: 'unread' }

const MAX_EVENTS = 500

/** A message with the files that can be read, at most MAX_FILES of them: its text reaches the person in any case. */
const withReadableFiles = (given: Json): Json =>
  isObject(given) && Array.isArray(given.files)
    ? { ...given, files: given.files.filter(each => file.safeParse(each).success).slice(0, MAX_FILES) }
    : given

const fileCount = (given: Json): number => (isObject(given) ? listOf(given.files).length : 0)

/**
 * The events of a rule's value: a list, a single one, or nothing. Values and files of another form, and those beyond the
 * limits, are left out; `unread` at the end says so.
 */
export const readAgentEvents = (value: Json): readonly DeclaredAgentEvent[] => {
  const all = value === null ? [] : Array.isArray(value) ? listOf(value) : [value]
  let isWhole = all.length <= MAX_EVENTS
  const events = all.slice(0, MAX_EVENTS).flatMap((given): readonly DeclaredAgentEvent[] => {
    const readable = withReadableFiles(given)
    const read = eventSchema.safeParse(readable)
    isWhole &&= read.success && fileCount(readable) === fileCount(given)
    if (!read.success) return []
    const { data } = read
    return data.kind === 'message' && data.text.trim() === '' && data.files.length === 0 ? [] : [data]
  })
  return isWhole ? events : [...events, { kind: 'unread' }]
}
