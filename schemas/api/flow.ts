import { z } from 'zod'
import { type FlowFile, flowFileSchema } from '../flow/file.ts'
import { named } from './name.ts'
import { personSchema } from './write.ts'

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
