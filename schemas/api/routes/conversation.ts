import { z } from 'zod'
import { json, named } from '../common.ts'
import {
  botDropoffQuery,
  conversationDetailSchema,
  conversationExportQuery,
  conversationPageSchema,
  conversationPathSchema,
  conversationQuery,
  conversationReadersSchema,
  conversationReplaySchema,
  conversationTranscriptSchema,
  dropoffQuery,
  dropoffSchema,
  forgetBody,
  forgottenSchema,
  transcriptQuery,
} from '../conversation.ts'
import { csvRoute, fileBody } from '../file.ts'
import { runningBotsSchema } from '../home.ts'
import {
  checkStoryBody,
  compareBody,
  comparisonSchema,
  evaluationQuery,
  evaluationSchema,
  nluDownloadQuery,
  nluFileAnswer,
  nluUploadQuery,
  nluUploadSchema,
  parseBody,
  storyFaultsSchema,
  trainingSchema,
  understandingSchema,
  unrecognizedSchema,
} from '../nlu.ts'
import {
  rehearsalBody,
  rehearsalSchema,
  rehearsalWaysQuery,
  rehearsalWaysSchema,
  rehearsedQuery,
  rehearsedSchema,
} from '../rehearsal.ts'
import { defineRoutes } from '../route.ts'
import { draftLinkSchema, simulationTestFile } from '../simulation.ts'

const id = z.string().max(200)

/** A moment of a bot's drawings: as they are drawn, as they are published, or as they stood at a time (ISO 8601 UTC). */
const moment = z.union([z.enum(['draft', 'published']), z.iso.datetime({ offset: true })])

/** `flows`: ids of dialogs and handlers, separated by commas; only their edits are moments. */
const testMomentsQuery = z.strictObject({
  flows: z
    .string()
    .max(20_000)
    .transform(value => new Set(value.split(',').filter(part => part !== '')))
    .optional(),
})

/** The columns of the matrix of tests, the newest first. Of `draft` and `published` the flow is null. */
const testMomentsSchema = named(
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
const runTestsBody = named(
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

const testRunSchema = named(
  'ConversationTestOutcomes',
  z.object({
    outcomes: z.array(outcome),
    /** Number of all tests of the bot, also of those that were not asked for. */
    total: z.int(),
    /** Without `readdialog` empty. */
    outputs: z.array(output),
    /** Revisions that were run, by dialog. */
    dialogs: z.record(z.string(), z.int()),
  }),
)

const keptTestBody = named('KeptConversationTest', z.strictObject({ name: z.string().min(1).max(200) }))

/** A file of another kind: Rasa's stories, lines of `who: words`, a table of them, or activities of Bot Framework. */
const readTestsBody = named(
  'ConversationTestSource',
  z.strictObject({ name: z.string().max(200), text: z.string().min(1).max(1_000_000) }),
)

/** The tests that it holds, as `parley-test`, and what could not be read, by line. Nothing is stored. */
const readTestsSchema = named(
  'ConversationTestsRead',
  z.object({
    tests: z.array(z.object({ name: z.string(), file: z.string(), steps: z.int() })),
    faults: z.array(z.object({ line: z.int(), code: z.string(), text: z.string().optional() })),
  }),
)

/** Messages and steps of conversations. */
export const conversationRoutes = defineRoutes({
  'GET /conversation': { query: conversationQuery, status: 200, answer: conversationPageSchema },
  'GET /conversation/export': csvRoute(conversationExportQuery),
  'GET /conversation/{id}': { status: 200, answer: conversationDetailSchema },
  'GET /conversation/{id}/transcript': { query: transcriptQuery, status: 200, answer: conversationTranscriptSchema },
  'GET /conversation/{id}/path': { status: 200, answer: conversationPathSchema },
  'GET /conversation/{id}/replay': { status: 200, answer: conversationReplaySchema },
  'GET /conversation/{id}/readers': { status: 200, answer: conversationReadersSchema },
  'POST /conversation/{id}/forget': { body: forgetBody, status: 200, answer: forgottenSchema },
  'POST /conversation/{id}/test': { body: keptTestBody, status: 200, answer: simulationTestFile },
  'GET /bot/{id}/tests': { tag: 'conversationtest', query: testMomentsQuery, status: 200, answer: testMomentsSchema },
  'POST /bot/{id}/tests': { tag: 'conversationtest', body: runTestsBody, status: 200, answer: testRunSchema },
  'POST /bot/{id}/readtests': { tag: 'conversationtest', body: readTestsBody, status: 200, answer: readTestsSchema },
  'POST /bot/{id}/rehearsal': { tag: 'rehearsal', body: rehearsalBody, status: 201, answer: rehearsalSchema },
  'GET /rehearsal/{id}': { status: 200, answer: rehearsalSchema },
  'POST /rehearsal/{id}/stop': { status: 200, answer: rehearsalSchema },
  'GET /rehearsal/{id}/ways': { query: rehearsalWaysQuery, status: 200, answer: rehearsalWaysSchema },
  'GET /rehearsal/{id}/conversation': { query: rehearsedQuery, status: 200, answer: rehearsedSchema },
  'GET /bot/{id}/dropoff': { tag: 'conversation', query: botDropoffQuery, status: 200, answer: dropoffSchema },
  'GET /dialog/{id}/draftlink': { status: 200, answer: draftLinkSchema },
  'GET /dialog/{id}/dropoff': { tag: 'conversation', query: dropoffQuery, status: 200, answer: dropoffSchema },
})

/** Understanding of texts, training, and training data as files. */
export const nluRoutes = defineRoutes({
  'POST /nluproject/{id}/parse': { body: parseBody, status: 200, answer: understandingSchema },
  'GET /nluproject/{id}/training': { status: 200, answer: trainingSchema },
  'GET /nluproject/{id}/evaluation': { query: evaluationQuery, status: 200, answer: evaluationSchema },
  'POST /nluproject/{id}/compare': { body: compareBody, status: 200, answer: comparisonSchema },
  'GET /nluproject/{id}/unrecognized': { status: 200, answer: unrecognizedSchema },
  'POST /nluproject/{id}/checkstory': { body: checkStoryBody, status: 200, answer: storyFaultsSchema },
  'GET /nluproject/{id}/download': { query: nluDownloadQuery, status: 200, answer: nluFileAnswer, file: true },
  'POST /nluproject/{id}/upload': {
    consumes: 'multipart/form-data',
    query: nluUploadQuery,
    body: fileBody,
    status: 200,
    answer: nluUploadSchema,
  },
  'GET /nluproject/{id}/running': { status: 200, answer: runningBotsSchema },
  'GET /nlusettings/{id}/running': { status: 200, answer: runningBotsSchema },
  'GET /brain/{id}/running': { status: 200, answer: runningBotsSchema },
  'GET /agentchannel/{id}/running': { status: 200, answer: runningBotsSchema },
  'POST /brain/{id}/parse': { body: parseBody, status: 200, answer: understandingSchema },
  'GET /brain/{id}/training': { status: 200, answer: trainingSchema },
  'GET /brain/{id}/evaluation': { query: evaluationQuery, status: 200, answer: evaluationSchema },
  'POST /brain/{id}/compare': { body: compareBody, status: 200, answer: comparisonSchema },
})
