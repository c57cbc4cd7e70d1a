import { z } from 'zod'
import { named } from './name.ts'

const id = z.string().min(1).max(200)
const flag = z.enum(['true', 'false', '1', '0']).transform(value => value === 'true' || value === '1')
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
        kind: z.enum(['dialog', 'handler']),
        id: z.string(),
        name: z.string(),
        dialogtask: z.object({ id: z.string(), name: z.string() }),
        revision: z.int(),
        hits: z.array(hit),
      }),
    ),
    /** Of all hits, those beyond the most that are answered included. */
    total: z.int(),
    /** Flows that were not looked through to their end: the time was over. Absent where all were. */
    unfinished: z.array(z.object({ kind: z.enum(['dialog', 'handler']), id: z.string(), name: z.string() })).optional(),
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
        kind: z.enum(['dialog', 'handler']),
        id: z.string(),
        name: z.string(),
        dialogtask: z.object({ id: z.string(), name: z.string() }),
        errors: z.int(),
      }),
    ),
    /** Flows that were not checked: the time was over. Absent where all were. */
    unfinished: z.array(z.object({ kind: z.enum(['dialog', 'handler']), id: z.string(), name: z.string() })).optional(),
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
  left: z.array(
    z.object({
      kind: z.enum(['dialog', 'handler']),
      id: z.string(),
      name: z.string(),
      block: z.string(),
      field: z.string(),
    }),
  ),
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
