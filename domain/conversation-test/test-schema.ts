import { z } from 'zod'
import type { Json, JsonObject } from '#schemas/event.ts'

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  sec: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}
const PART = /(\d+(?:[.,]\d+)?)\s*([a-z]*)/gu
/** One year: no test waits longer. */
const MAX_MS = 366 * 86_400_000

/** `41 s`, `2 min`, `1 h 30 min`, `500 ms`, `3 d`; a number alone is seconds. In ms; undefined for anything else. */
export const readDuration = (text: string): number | undefined => {
  const written = text.trim().toLowerCase()
  if (written.replace(PART, '').trim() !== '') return undefined
  let total = 0
  for (const [, count = '', unit = ''] of written.matchAll(PART)) {
    const ms = unit === '' ? 1000 : UNIT_MS[unit]
    if (ms === undefined) return undefined
    total += Number(count.replace(',', '.')) * ms
  }
  return total > 0 && total <= MAX_MS ? Math.round(total) : undefined
}

/** In the largest unit that says it exactly. */
export const writeDuration = (ms: number): string => {
  for (const unit of ['d', 'h', 'min', 's']) {
    const each = UNIT_MS[unit] ?? 1
    if (ms >= each && ms % each === 0) return `${ms / each} ${unit}`
  }
  return `${ms} ms`
}

/** The format `parley-test`, version 1. */

const text = z.string().min(1).max(4000)
const name = z.string().min(1).max(200)
const json = z.json() as z.ZodType<Json>
const object = z.record(z.string(), json) as z.ZodType<JsonObject>
const names = z.array(name).max(500)

const isPattern = (source: string): boolean => {
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}
const pattern = text.refine(isPattern, { params: { code: 'pattern' } })
const duration = z.string().refine(written => readDuration(written) !== undefined, { params: { code: 'duration' } })

const givenSchema = z.strictObject({
  /** Starts at a task's main dialog, at a dialog, or at a block. Default: a new conversation of the bot. */
  task: name.optional(),
  dialog: name.optional(),
  block: name.optional(),
  channel: name.optional(),
  locale: z.enum(['en', 'pt', 'es']).optional(),
  /** The clock at the beginning; without it the moment is always the same. */
  now: z.iso.datetime({ offset: true }).optional(),
  user: object.optional(),
  userdata: object.optional(),
  variables: object.optional(),
})

const entities = z.union([
  object,
  z.array(z.strictObject({ name, value: json, confidence: z.number().min(0).max(1).optional() })).max(100),
])
const understood = {
  intent: name.optional(),
  confidence: z.number().min(0).max(1).optional(),
  entities: entities.optional(),
}
const failure = { error: name.optional() }
const ms = z.number().min(0).max(600_000).optional()

const restAnswer = z.strictObject({
  status: z.int().min(100).max(599).optional(),
  body: json.optional(),
  ...failure,
  ms,
})
const mlOption = z.strictObject({ title: text, value: text.optional(), url: text.optional() })
const mlText = z.union([
  text,
  z.strictObject({ text: z.string().max(4000).optional(), options: z.array(mlOption).min(1).max(100) }),
])
export type MlText = z.output<typeof mlText>
const mlAnswer = z.strictObject({
  texts: z.array(mlText).max(50).optional(),
  payload: json.optional(),
  ...understood,
  ...failure,
})
const botAnswer = z.strictObject({ texts: z.array(text).max(50).optional(), waits: z.boolean().optional(), ...failure })
const handlerAnswer = z.strictObject({ result: json.optional(), ...failure })
const feedAnswer = z.strictObject({
  items: z
    .array(
      z.strictObject({
        title: z.string(),
        description: z.string().default(''),
        link: z.string().default(''),
        image: z.string().default(''),
      }),
    )
    .max(100)
    .optional(),
  ...failure,
})
/** The answers one after another, the last of them again and again; or the members of a single one. */
const answered = <A extends z.ZodObject>(answer: A) => ({
  ...answer.partial().shape,
  answers: z.array(answer).min(1).max(200).optional(),
})

/** Stubs for outside calls, by kind. Texts may contain the wildcard `*`. */
export const STUB_SCHEMAS = {
  /** Method and address, or the path of it: `GET /clientes/*`. */
  rest: z.strictObject({ rest: text, ...answered(restAnswer) }),
  feed: z.strictObject({ feed: text, ...answered(feedAnswer) }),
  /** Text of the person, with its expected recognition. */
  nlu: z.strictObject({ nlu: text, ...understood, ...failure }),
  /** The message, the matched question, and its answers. */
  brain: z.strictObject({
    brain: text,
    intent: name.optional(),
    confidence: z.number().min(0).max(1).optional(),
    texts: z.array(text).max(100).optional(),
    ...failure,
  }),
  ml: z.strictObject({ ml: text, ...answered(mlAnswer) }),
  /** Name or id of the bot. */
  bot: z.strictObject({ bot: text, ...answered(botAnswer) }),
  /** The queue. */
  agent: z.strictObject({ agent: text, accepts: z.boolean().optional(), ...failure }),
  /** Name or id of a handler, or title or id of a block with an inline script. `run`: runs the real script. */
  handler: z.strictObject({ handler: text, run: z.literal(true).optional(), ...answered(handlerAnswer) }),
} as const

const card = z.union([
  text,
  z.strictObject({
    title: text.optional(),
    subtitle: text.optional(),
    text: text.optional(),
    image: text.optional(),
    buttons: names.optional(),
  }),
])

const botSchema = z.strictObject({
  text: z.string().max(8000).optional(),
  contains: text.optional(),
  matches: pattern.optional(),
  type: name.optional(),
  options: z.array(z.string().max(500)).max(200).optional(),
  card: card.optional(),
  wait: name.optional(),
})

const calledSchema = z
  .array(
    z.strictObject({
      rest: text.optional(),
      feed: text.optional(),
      nlu: text.optional(),
      brain: text.optional(),
      ml: text.optional(),
      bot: text.optional(),
      agent: text.optional(),
      handler: text.optional(),
      times: z.int().min(0).max(1000).optional(),
    }),
  )
  .max(100)

const expectSchema = z.strictObject({
  at: name.optional(),
  visited: names.optional(),
  notvisited: names.optional(),
  variables: object.optional(),
  tags: names.optional(),
  called: calledSchema.optional(),
  ended: z.union([z.boolean(), z.enum(['flow', 'timeout', 'person'])]).optional(),
  idle: z.boolean().optional(),
  status: z.enum(['waiting', 'idle', 'agent', 'ended']).optional(),
  retained: z.boolean().optional(),
})

const place = z.union([
  text,
  z.strictObject({
    address: text.optional(),
    latitude: z.number().min(-90).max(90).optional(),
    longitude: z.number().min(-180).max(180).optional(),
  }),
])
const file = z.union([text, object])

const eventSchema = z.union([
  z.enum(['open', 'leave', 'agent', 'reminder', 'timeout']),
  z.strictObject({ open: text }),
  /** Reason the agent left: `closed`, `timeout` and so on. */
  z.strictObject({ agent: name }),
  /** The block that planned it. */
  z.strictObject({ schedule: name }),
  z.strictObject({ submit: json }),
  z.strictObject({ order: json }),
])

/** Value of each kind of step. */
export const STEP_SCHEMAS = {
  user: text,
  choose: text,
  press: text,
  attach: z.union([file, z.array(file).min(1).max(10)]),
  locate: place,
  /** `restart`, `agent`, or title or id of a task. */
  menu: text,
  wait: duration,
  event: eventSchema,
  bot: z.union([text, botSchema]),
  expect: expectSchema,
} as const

export type StepKind = keyof typeof STEP_SCHEMAS
export type StubKind = keyof typeof STUB_SCHEMAS

/** `line`: line in the file, from 1. */
export type TestStep = {
  [K in StepKind]: { readonly kind: K; readonly value: z.output<(typeof STEP_SCHEMAS)[K]>; readonly line: number }
}[StepKind]
export type TestStub = { [K in StubKind]: { readonly kind: K } & z.output<(typeof STUB_SCHEMAS)[K]> }[StubKind]
export type StubOf<K extends StubKind> = Extract<TestStub, { kind: K }>

/** All but stubs and steps, which are read one by one. */
export const headSchema = z.strictObject({
  format: z.literal('parley-test'),
  version: z.literal(1),
  name,
  description: z.string().max(2000).optional(),
  loose: z.boolean().default(false),
  given: givenSchema.default({}),
  stubs: z.array(z.unknown()).max(500).default([]),
  steps: z.array(z.unknown()).min(1).max(1000),
})

export type TestGiven = z.output<typeof givenSchema>
export type BotExpectation = z.output<typeof botSchema>
export type StateExpectation = z.output<typeof expectSchema>
export type CalledExpectation = z.output<typeof calledSchema>[number]

/** A test as it is run. */
export interface TestFile {
  readonly name: string
  readonly description?: string
  /** Messages of the bot that no step names are passed over. */
  readonly loose: boolean
  readonly given: TestGiven
  readonly stubs: readonly TestStub[]
  readonly steps: readonly TestStep[]
}
