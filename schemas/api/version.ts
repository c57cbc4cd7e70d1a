import { z } from 'zod'
import { versionFileSchema } from '../version-file.ts'
import { flowSummarySchema } from './flow.ts'
import { json } from './json.ts'
import { named } from './name.ts'

export const versionFileAnswer = named('VersionFile', versionFileSchema)

const flow = z.object({
  id: z.string().nullable(),
  name: z.string(),
  dialogtask: z.string(),
  state: z.enum(['added', 'changed', 'removed']),
  summary: flowSummarySchema.pick({ added: true, changed: true, removed: true }),
})

/** What applying a version would change. */
export const versionPreviewSchema = named(
  'VersionPreview',
  z.object({
    dialogs: z.array(flow),
    handlers: z.array(flow),
    settings: z.array(z.object({ path: z.string(), before: json, after: json })),
  }),
)

export const versionUploadQuery = z.strictObject({ bot: z.string().max(200) })
