import { z } from 'zod'
import { named } from './common.ts'

/** Whole bots to begin from, in the language of the request. */
export const botTemplatesSchema = named(
  'BotTemplates',
  z.object({
    items: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        description: z.string(),
        segment: z.string(),
        /** Number of its blocks, and of its conversation tests. */
        blocks: z.int(),
        tests: z.int(),
      }),
    ),
  }),
)

/** `hierarchylevel`: default that of the session. */
export const fromTemplateBody = z.strictObject({
  name: z.string().min(1).max(255),
  hierarchylevel: z.string().max(100).optional(),
})

export const fromTemplateSchema = named('BotFromTemplate', z.object({ bot: z.string(), dialog: z.string() }))
