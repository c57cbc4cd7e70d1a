import { z } from 'zod'
import { json, named } from './common.ts'

const id = z.string().max(200)

/** A moment of a bot's drawings: as they are drawn, as they are published, or as they stood at a time (ISO 8601 UTC). */
const moment = z.union([z.enum(['draft', 'published']), z.iso.datetime({ offset: true })])

/** `flows`: ids of dialogs and handlers, separated by commas; only their edits are moments. */
export const testMomentsQuery = z.strictObject({
  flows: z
    .string()
    .max(20_000)
    .transform(value => new Set(value.split(',').filter(part => part !== '')))
    .optional(),
})

/** The columns of the matrix of tests, the newest first. Of `draft` and `published` the flow is null. */
export const testMomentsSchema = named(
  'ConversationTestMoments',
  z.object({
    items: z.array(
      z.object({
        at: z.string(),
        time: z.string().nullable(),
        /** The flow that changed, and its revision from then on. */
        flow: z
          .object({ kind: z.enum(['dialog', 'handler']), id: z.string(), name: z.string(), revision: z.int() })
          .nullable(),
        authors: z.array(z.looseObject({ id: z.string() })),
      }),
    ),
  }),
)

/**
 * `tests`: these alone; `dialog`: those alone that begin in it; `gating`: those alone that gate. `publish`: against what
 * would be published if these flows were published as they are drawn; it goes before `at`.
 */
export const runTestsBody = named(
  'ConversationTestRun',
  z.strictObject({
    at: moment.default('draft'),
    tests: z.array(id).max(1000).optional(),
    dialog: id.optional(),
    gating: z.boolean().default(false),
    publish: z
      .strictObject({ dialogs: z.array(id).max(1000).default([]), handlers: z.array(id).max(1000).default([]) })
      .optional(),
    /** Without paths and outputs. */
    brief: z.boolean().default(false),
  }),
)

const outcome = z.object({
  id: z.string(),
  name: z.string(),
  /** Of the test's file. */
  revision: z.int(),
  gating: z.boolean(),
  passed: z.boolean(),
  ms: z.number(),
  step: z.int().optional(),
  line: z.int().optional(),
  kind: z.string().optional(),
  /** The block to which the failure belongs; absent where no block ran. */
  at: z.object({ dialog: z.string(), block: z.string(), title: z.string() }).optional(),
  expected: json.optional(),
  got: json.optional(),
  /** Messages behind the wrong one that no step names. */
  more: z.array(json).optional(),
  /** Values of the conversation at its end. */
  values: z.record(z.string(), json),
  /** Ids of the dialogs and handlers that ran. */
  flows: z.array(z.string()),
  path: z.array(
    z.object({
      step: z.int(),
      dialog: z.string(),
      block: z.string(),
      title: z.string(),
      out: z.string().nullable(),
    }),
  ),
})

/** An output that leads on. `changed`: of a block that publishing would change. */
const output = z.object({
  dialog: z.string(),
  block: z.string(),
  title: z.string(),
  out: z.string(),
  to: z.string(),
  taken: z.boolean(),
  changed: z.boolean(),
})

export const testRunSchema = named(
  'ConversationTestOutcomes',
  z.object({
    outcomes: z.array(outcome),
    /** Without `readdialog` empty. */
    outputs: z.array(output),
    /** Revisions that were run, by dialog. */
    dialogs: z.record(z.string(), z.int()),
  }),
)

export const keptTestBody = named('KeptConversationTest', z.strictObject({ name: z.string().min(1).max(200) }))

/** A file of another kind: Rasa's stories, lines of `who: words`, a table of them, or activities of Bot Framework. */
export const readTestsBody = named(
  'ConversationTestSource',
  z.strictObject({ name: z.string().max(200), text: z.string().min(1).max(1_000_000) }),
)

/** The tests that it holds, as `parley-test`, and what could not be read, by line. Nothing is stored. */
export const readTestsSchema = named(
  'ConversationTestsRead',
  z.object({
    tests: z.array(z.object({ name: z.string(), file: z.string(), steps: z.int() })),
    faults: z.array(z.object({ line: z.int(), code: z.string(), text: z.string().optional() })),
  }),
)
