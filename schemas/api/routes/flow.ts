import { z } from 'zod'
import { fieldProblemSchema, json, named } from '../common.ts'
import { fileBody } from '../file.ts'
import {
  flowCallersQuery,
  flowCallersSchema,
  flowDifferenceSchema,
  flowErrorsSchema,
  flowFindQuery,
  flowHistorySchema,
  flowHitsSchema,
  flowReplacedSchema,
  flowReplacementBody,
  flowRestoreBody,
  flowSchema,
  flowsRewrittenSchema,
  flowUsesQuery,
  nothingQuery,
  unusedVariablesSchema,
  variableRenamingBody,
} from '../flow-text.ts'
import { commentQuery, flowDiffQuery, flowHistoryQuery, readerQuery } from '../query.ts'
import { defineRoutes } from '../route.ts'
import { versionFileAnswer, versionPreviewSchema, versionUploadQuery } from '../version.ts'
import { createdSchema, personSchema, revisionSchema } from '../write.ts'

/** A block as its flow file has it, and a value for each variable that its expressions read. */
const tryBody = named(
  'Try',
  z.strictObject({
    properties: z.record(z.string().max(500), json).default({}),
    values: z.record(z.string().max(500), json).default({}),
  }),
)

/** Why there is no answer: a refusal's code, its text in the caller's language, and where in the block. */
const failure = z.object({ code: z.string(), detail: z.string(), errors: z.array(fieldProblemSchema).optional() })

/** ms from the first look at the address to the last byte of the answer. */
const time = z.int()
const headers = z.array(z.object({ name: z.string(), value: z.string() }))

const tryCallAnswer = named(
  'TryCallAnswer',
  z.object({
    time,
    /** Request after expressions ran. */
    request: z.object({ method: z.string(), url: z.string() }).optional(),
    answer: z
      .object({
        status: z.int(),
        /** URL after redirects. */
        url: z.string(),
        redirects: z.int(),
        headers,
        /** As text; empty when it is none. */
        body: z.string(),
        binary: z.boolean(),
        /** Bytes that were read. */
        size: z.int(),
        /** There was more. */
        truncated: z.boolean(),
      })
      .optional(),
    failure: failure.optional(),
  }),
)

const tryFeedAnswer = named(
  'TryFeedAnswer',
  z.object({
    time,
    status: z.int().optional(),
    feed: z
      .object({
        title: z.string(),
        /** As many as the block asks for; texts without tags, '' where an item has none. */
        items: z.array(z.object({ title: z.string(), description: z.string(), link: z.string(), image: z.string() })),
      })
      .optional(),
    failure: failure.optional(),
  }),
)

const tryScriptAnswer = named(
  'TryScriptAnswer',
  z.object({
    /** ms */
    time: z.int(),
    value: json.optional(),
    console: z.array(z.object({ level: z.enum(['log', 'info', 'warn', 'error', 'debug']), text: z.string() })),
    error: z.object({ message: z.string(), line: z.int().optional(), column: z.int().optional() }).optional(),
    /** It was stopped by a limit, or not begun because too many wait. */
    ended: z.enum(['time', 'memory', 'stack', 'busy']).optional(),
    failure: failure.optional(),
  }),
)

const comment = z.object({
  id: z.string(),
  revision: z.int(),
  /** Mentions appear as `<@id>`. */
  text: z.string(),
  author: personSchema.nullable(),
  mentioned: z.array(personSchema),
  created_at: z.iso.datetime(),
  edited_at: z.iso.datetime().nullable(),
})

/** Threads about a flow, newest first, and how many of each block are open. */
const commentPageSchema = named(
  'CommentThreads',
  z.object({
    items: z.array(
      comment.extend({
        block: z.string(),
        /** It was removed and stays for its answers, without its text. */
        withdrawn: z.boolean(),
        resolved: z.boolean(),
        resolved_by: personSchema.nullable(),
        resolved_at: z.iso.datetime().nullable(),
        answers: z.array(comment),
      }),
    ),
    total: z.int(),
    page: z.int(),
    size: z.int(),
    open: z.record(z.string(), z.int()),
  }),
)

const readersSchema = named('FlowReaders', z.object({ items: z.array(personSchema) }))

/** Flows, their comments, and versions. `kind` is `dialog` or `handler`. */
export const flowRoutes = defineRoutes({
  'GET /{kind}/{id}/flow': { status: 200, answer: flowSchema },
  'PUT /{kind}/{id}/flow': { body: flowSchema, status: 200, answer: flowReplacedSchema },
  'GET /{kind}/{id}/flow/history': { query: flowHistoryQuery, status: 200, answer: flowHistorySchema },
  'GET /{kind}/{id}/flow/at/{revision}': { status: 200, answer: flowSchema },
  'GET /{kind}/{id}/flow/diff': { query: flowDiffQuery, status: 200, answer: flowDifferenceSchema },
  'POST /{kind}/{id}/flow/restore': { body: flowRestoreBody, status: 200, answer: revisionSchema },
  'GET /{kind}/{id}/comment': { query: commentQuery, status: 200, answer: commentPageSchema },
  'GET /{kind}/{id}/reader': { query: readerQuery, status: 200, answer: readersSchema },
  'POST /{kind}/{id}/try/call': { body: tryBody, status: 200, answer: tryCallAnswer },
  'POST /{kind}/{id}/try/feed': { body: tryBody, status: 200, answer: tryFeedAnswer },
  'POST /{kind}/{id}/try/script': { body: tryBody, status: 200, answer: tryScriptAnswer },
  'GET /bot/{id}/flow/uses': { query: flowUsesQuery, status: 200, answer: flowHitsSchema },
  'GET /bot/{id}/flow/find': { query: flowFindQuery, status: 200, answer: flowHitsSchema },
  'GET /bot/{id}/flow/callers': { query: flowCallersQuery, status: 200, answer: flowCallersSchema },
  'GET /bot/{id}/flow/errors': { query: nothingQuery, status: 200, answer: flowErrorsSchema },
  'GET /bot/{id}/flow/unused': { query: nothingQuery, status: 200, answer: unusedVariablesSchema },
  'POST /bot/{id}/flow/rename': { body: variableRenamingBody, status: 200, answer: flowsRewrittenSchema },
  'POST /bot/{id}/flow/replace': { body: flowReplacementBody, status: 200, answer: flowsRewrittenSchema },
  'GET /version/{id}/download': { status: 200, answer: versionFileAnswer, file: true },
  'GET /version/{id}/preview': { status: 200, answer: versionPreviewSchema },
  'POST /version/upload': {
    consumes: 'multipart/form-data',
    query: versionUploadQuery,
    body: fileBody,
    status: 201,
    answer: createdSchema,
  },
})
