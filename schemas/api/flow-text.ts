import { z } from 'zod'
import { type FlowFile, flowFileSchema } from '../flow/file.ts'
import { named } from './common.ts'
import { flag } from './query.ts'
import { personSchema } from './write.ts'

const id = z.string().min(1).max(200)
const word = z.string().min(1).max(500)

/** Which blocks say a variable, by its name, or lead to a dialog, handler or task, by its id. */
export const flowUsesQuery = z.strictObject({
  of: z.enum(['variable', 'dialog', 'handler', 'dialogtask']),
  value: word,
})

/** Which dialog is run by others. */
export const flowCallersQuery = z.strictObject({ dialog: id })

/** Ids of dialogs that run one as a sub-dialog, at any depth. */
export const flowCallersSchema = named('FlowCallers', z.object({ items: z.array(z.string()) }))

/** Search in the texts of a bot's flows, or of one task's. */
export const flowFindQuery = z.strictObject({
  text: word,
  exact: flag.default(false),
  word: flag.default(false),
  dialogtask: id.optional(),
})

const flow = { kind: z.enum(['dialog', 'handler']), id: z.string(), name: z.string() }

const hit = z.object({
  /** '' for a handler's own code. */
  block: z.string(),
  type: z.string(),
  title: z.string(),
  section: z.string(),
  /** Dotted; '' where the block as a whole leads there. */
  field: z.string(),
  /** Path of the text in the block, items by their ids. */
  path: z.array(z.string()),
  /** Its place in a list of short texts. */
  at: z.int().optional(),
  offset: z.int(),
  length: z.int(),
  part: z.enum(['title', 'text', 'expression', 'target']),
  /** The text, with some context before and after. */
  before: z.string(),
  text: z.string(),
  after: z.string(),
})

export const flowHitsSchema = named(
  'FlowHits',
  z.object({
    items: z.array(
      z.object({
        ...flow,
        dialogtask: z.object({ id: z.string(), name: z.string() }),
        revision: z.int(),
        hits: z.array(hit),
      }),
    ),
    /** Of all hits, those beyond the most that are answered included. */
    total: z.int(),
    /** Flows that were not looked through to their end: the time was over. Absent where all were. */
    unfinished: z.array(z.object(flow)).optional(),
  }),
)

export type FlowHit = Readonly<Omit<z.infer<typeof hit>, 'path'>> & { readonly path: readonly string[] }
type FlowWithHits = Readonly<Omit<z.infer<typeof flowHitsSchema>['items'][number], 'hits'>> & {
  readonly hits: readonly FlowHit[]
}
export interface FlowHits extends Readonly<Omit<z.infer<typeof flowHitsSchema>, 'items' | 'unfinished'>> {
  readonly items: readonly FlowWithHits[]
  readonly unfinished?:
    | readonly Readonly<NonNullable<z.infer<typeof flowHitsSchema>['unfinished']>[number]>[]
    | undefined
}

/** Flows of a bot that cannot be published for their errors. */
export const flowErrorsSchema = named(
  'FlowErrors',
  z.object({
    items: z.array(
      z.object({
        ...flow,
        dialogtask: z.object({ id: z.string(), name: z.string() }),
        errors: z.int(),
      }),
    ),
    /** Flows that were not checked: the time was over. Absent where all were. */
    unfinished: z.array(z.object(flow)).optional(),
  }),
)

export type FlowErrors = z.output<typeof flowErrorsSchema>

export const nothingQuery = z.strictObject({})

/** Variables of the bot, by id, that no flow of it says. */
export const unusedVariablesSchema = named(
  'UnusedVariables',
  z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) }),
)

export const variableRenamingBody = named('VariableRenaming', z.strictObject({ variable: word, name: word }))

const chosen = z.strictObject({
  block: z.string().max(500),
  path: z.array(z.string().max(500)).max(50),
  at: z.int().min(0).optional(),
  offset: z.int().min(0),
})

/** Replacement of a text, and the hits to replace. */
export const flowReplacementBody = named(
  'FlowReplacement',
  z.strictObject({
    text: word,
    by: z.string().max(5000),
    exact: z.boolean().default(false),
    word: z.boolean().default(false),
    flows: z
      .array(z.strictObject({ id, hits: z.array(chosen).min(1).max(10_000) }))
      .min(1)
      .max(1000),
  }),
)

const REWRITTEN = {
  flows: z.int(),
  texts: z.int(),
  left: z.array(z.object({ ...flow, block: z.string(), field: z.string() })),
}
export type FlowsRewritten = z.infer<z.ZodObject<typeof REWRITTEN>>

/**
 * Changed and skipped parts of a rename or replacement, by flow. A repeated request whose first answer was lost gets
 * only the revision.
 */
export const flowsRewrittenSchema = named(
  'FlowsRewritten',
  z.object({ revision: z.int(), ...z.object(REWRITTEN).partial().shape }),
)

/** A flow file; a handler's with its code. The interface says more of a block than the schema checks. */
type FlowAnswer = FlowFile & { readonly js?: string }
export const flowSchema: z.ZodType<FlowAnswer, FlowAnswer> = named(
  'FlowFile',
  flowFileSchema.extend({ js: z.string().optional() }) as unknown as z.ZodType<FlowAnswer, FlowAnswer>,
)

export const flowReplacedSchema = named('FlowReplaced', z.object({ revision: z.int(), unknown: z.array(z.string()) }))

export const flowRestoreBody = named(
  'FlowRestoration',
  z.strictObject({
    revision: z.int().min(1),
    blocks: z.array(z.string().max(1000)).min(1).max(10_000).optional(),
    /** Only these fields of the blocks, named as in a difference; the blocks must exist then and now. */
    fields: z.array(z.string().max(10_000)).min(1).max(10_000).optional(),
  }),
)

const mention = z.object({ id: z.string(), type: z.string(), title: z.string() })
const linkMention = z.object({ id: z.string(), from: z.string(), to: z.string() })

/** Changes of an edit: `FlowSummary` of schemas/flow/summary.ts. */
export const flowSummarySchema = named(
  'FlowSummary',
  z.object({
    added: z.array(mention),
    changed: z.array(mention.extend({ fields: z.array(z.string()) })),
    removed: z.array(mention),
    links: z.object({
      added: z.array(linkMention),
      changed: z.array(linkMention),
      removed: z.array(linkMention),
    }),
    script: z.boolean(),
  }),
)

export const flowHistorySchema = named(
  'FlowHistory',
  z.object({
    items: z.array(
      z.object({
        revision: z.int(),
        /** With `fold`: the first of the revisions that are joined. */
        first: z.int().optional(),
        time: z.iso.datetime(),
        authors: z.array(personSchema),
        summary: flowSummarySchema,
        source: z.looseObject({ kind: z.string() }).optional(),
      }),
    ),
    total: z.int(),
  }),
)

const difference = z.object({
  added: z.array(z.looseObject({ id: z.string() })),
  removed: z.array(z.looseObject({ id: z.string() })),
  changed: z.array(z.looseObject({ id: z.string() })),
})
export const flowDifferenceSchema = named('FlowDifference', z.object({ nodes: difference, links: difference }))
