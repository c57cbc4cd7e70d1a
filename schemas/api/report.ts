import { z } from 'zod'
import { named } from './common.ts'

/** Seconds for which the address of a frame is good. */
export const EMBED_LIFE_S = 600

const id = z.string().max(200)

/** With a bot: those offered under it. */
export const reportsQuery = z.strictObject({ bot: id.optional() })
export const embedQuery = z.strictObject({ bot: id.optional() })

/** The reports that the caller may see, by name. */
export const reportsSchema = named(
  'Reports',
  z.object({
    /** Settings that are missing: without them no report can be shown. */
    missing: z.array(z.enum(['METABASE_URL', 'METABASE_SECRET'])),
    items: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        type: z.enum(['dashboard', 'question']),
        global: z.boolean(),
        /** It has a parameter that is the bot it is shown under. */
        needsbot: z.boolean(),
        download: z.boolean(),
        /** Names of the groups that grant it, in alphabetical order. */
        groups: z.array(z.string()),
      }),
    ),
  }),
)

/** The address of a frame, good until `expires`. It carries a token: it belongs in no log. */
export const embedSchema = named('ReportEmbed', z.object({ url: z.string(), expires: z.iso.datetime() }))
