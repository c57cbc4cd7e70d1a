import { z } from 'zod'
import { LANGUAGES } from '../language.ts'
import { json, named } from './common.ts'

const id = z.string().max(200)
const variables = z.record(z.string().max(500), json)
const until = z.array(id).max(100).default([])
/** By hand, by what the block was answered last here, or for real. */
const mode = z.enum(['ask', 'sample', 'real'])

/** Dialog to simulate, from its start or a block, with given values. */
export const simulationBody = named(
  'NewSimulation',
  z.strictObject({
    /** Without one the bot's default task begins. */
    dialog: id.optional(),
    block: id.optional(),
    source: z.enum(['live', 'published']).default('live'),
    /** Number of a release of the bot, which is run in place of the source. */
    release: z.int().min(1).optional(),
    variables: variables.default({}),
    /** Variables of the dialog. */
    locals: variables.default({}),
    user: variables.default({}),
    channel: z.string().max(100).default('webchat'),
    locale: z.enum(LANGUAGES).optional(),
    /** The clock, UTC; without one it is the present. */
    now: z.iso.datetime().optional(),
    effects: z.strictObject({ rest: mode.default('ask') }).default({ rest: 'ask' }),
    /** Waits before the first block. */
    paused: z.boolean().default(false),
    /** Stops before these blocks. */
    until,
    /** The simulation of the same person that this one takes the place of. */
    replaces: id.optional(),
  }),
)

/** An action of an adaptive card itself. */
const cardAction = z.looseObject({ type: z.string().startsWith('Action.') })
const action = z.object({ id: z.string(), type: z.string(), title: z.string(), value: z.string().optional() })

const message = z.looseObject({
  id: z.int(),
  /** Counted from 1. */
  turn: z.int(),
  from: z.enum(['bot', 'user']),
  type: z.string(),
  text: z.string().optional(),
  block: z.string().nullable(),
  /** Delay after the previous message, ms. */
  delay: z.number().optional(),
  /** Of the bot: ms from the input of its turn until it was shown. */
  after: z.number().optional(),
  actions: z.array(z.union([cardAction, action])),
  wait: z
    .object({
      kind: z.string(),
      list: z.string(),
      mask: z.boolean(),
      skip: z.boolean(),
      unit: z.string(),
      calendar: z.string(),
    })
    .optional(),
  /** Template of the block; `sent`: WhatsApp would get it in place of the text, by the clock of the simulation. */
  template: z.object({ id: z.string(), values: z.record(z.string(), z.string()), sent: z.boolean() }).optional(),
})

const step = z.object({
  turn: z.int(),
  frame: z.int(),
  dialog: z.string(),
  block: z.string(),
  type: z.string(),
  /** The connector it left by; null where it waits, ends or goes elsewhere. */
  out: z.string().nullable(),
  /** ms of its calls and expressions. */
  ms: z.number(),
  wrote: z.array(z.string()),
  tries: z.int().optional(),
  problem: z.object({ code: z.string(), at: z.string().optional() }).optional(),
})

const call = z.object({
  /** Counted from 1. */
  turn: z.int(),
  block: z.string(),
  method: z.string(),
  url: z.string(),
  /** Request body; absent: none. */
  body: z.string().optional(),
  /** Absent while it waits for an answer. */
  outcome: z.string().optional(),
  ms: z.int().optional(),
})

/** Time the bot spent, without the person's. */
const span = z.object({
  turn: z.int(),
  /** Null before a turn came to its first block. */
  dialog: z.string().nullable(),
  block: z.string().nullable(),
  /** A call to the outside, expressions and scripts, or a delayed message. */
  kind: z.enum(['service', 'own', 'typing']),
  /** Kind of the effect, such as `rest` or `nlu`; null for typing. */
  by: z.string().nullable(),
  /** ms since the conversation began. */
  start: z.number(),
  ms: z.number(),
})

const confident = z.object({ name: z.string(), confidence: z.number() })
const reasons = z.array(z.object({ text: z.string(), weight: z.number() }))

/** Result of the bot's model or brain for a text. Confidences are from 0 to 1. */
const understood = z.object({
  /** Counted from 1. */
  turn: z.int(),
  by: z.enum(['nlu', 'brain']),
  text: z.string(),
  /** Cause of an incomplete answer: `timeout`, `nomodel`, `noproject` … */
  error: z.string().optional(),
  /** Null where none is as sure as the bot wants. */
  intent: z.string().nullable(),
  threshold: z.number(),
  ranking: z.array(confident),
  entities: z.array(z.object({ name: z.string(), value: json, confidence: z.number() })),
  /** Main reasons for and against the best intent. */
  reasons: z.object({ for: reasons, against: reasons }),
})

/** A conversation that is tried: all of it, from its beginning. */
export const simulationSchema = named(
  'Simulation',
  z.object({
    simulation: z.string(),
    /** `paused`: before `at`; `calling`: a call waits for its answer. */
    status: z.enum(['paused', 'calling', 'waiting', 'idle', 'agent', 'ended']),
    at: z.object({ dialog: z.string(), block: z.string() }).nullable(),
    said: z.array(message),
    steps: z.array(step),
    state: z.object({
      dialog: variables,
      conversation: variables,
      user: variables,
      tags: z.array(z.string()),
      intent: variables,
      entities: variables,
      frames: z.array(z.object({ id: z.int(), kind: z.string(), dialog: z.string(), block: z.string().nullable() })),
      locale: z.string(),
      /** The clock of the simulation, UTC. */
      now: z.string(),
      tries: z.int().nullable(),
    }),
    calls: z.array(call),
    /** The clock at the beginning, UTC. */
    started: z.string(),
    spans: z.array(span),
    /** ms in all: of the bot, in it of calls to the outside, and of the person between the turns. */
    times: z.object({ bot: z.number(), services: z.number(), person: z.number() }),
    understood: z.array(understood),
    /** The NLU project whose model understands. */
    nluproject: z.string().nullable(),
    /** The last turn went beyond a limit. */
    failed: z.object({ limit: z.string(), block: z.string().nullable(), loop: z.array(z.string()) }).optional(),
  }),
)

/** As a person says it in a chat: a text, a pressed action, a place, files, products or the inputs of a card. */
export const simulationSay = named(
  'SimulationInput',
  z.strictObject({
    type: z.enum(['text', 'choice', 'location', 'attachment', 'order', 'submit', 'menu']).default('text'),
    text: z.string().max(4000).optional(),
    /** Of a choice: the action's id; of the menu: `restart`, `agent` or the id of a task. */
    value: z.string().max(4000).optional(),
    /** The message whose action it is. */
    of: z.int().optional(),
    data: json.optional(),
    attachments: z.array(variables).max(10).optional(),
    /** Stops before the first block. */
    paused: z.boolean().default(false),
    /** Stops before these blocks. */
    until,
  }),
)

export const simulationRun = named('SimulationRun', z.strictObject({ until }))
/** A block that has run, before which the conversation goes back. */
export const simulationRerun = named(
  'SimulationRerun',
  z.strictObject({ dialog: id, block: id, paused: z.boolean().default(false), until }),
)
export const simulationEmpty = z.strictObject({})
/** A variable of the dialog, the conversation or the person. */
export const simulationSet = named(
  'SimulationValue',
  z.strictObject({
    scope: z.enum(['dialog', 'conversation', 'user']).default('conversation'),
    name: z.string().min(1).max(500),
    value: json,
  }),
)
export const simulationClock = named('SimulationClock', z.strictObject({ now: z.iso.datetime() }))
/** Answer to a waiting call; `real` makes the call. */
export const simulationAnswer = named(
  'SimulationAnswer',
  z.strictObject({
    real: z.boolean().default(false),
    status: z.int().min(100).max(599).default(200),
    body: json.optional(),
    /** No answer at all, by this code. */
    error: z.string().max(100).optional(),
    /** Stops before these blocks. */
    until,
  }),
)
/** A test of what was said so far: a file `parley-test`. */
export const simulationTest = named('SimulationTest', z.strictObject({ name: z.string().min(1).max(200) }))
export const simulationTestFile = named('SimulationTestFile', z.object({ file: z.string() }))

/** Link to the draft of a dialog; null where it has none. The field `sharedraftuntil` of the dialog begins and ends it. */
export const draftLinkSchema = named(
  'DraftLink',
  z.object({ address: z.string().nullable(), until: z.string().nullable() }),
)
