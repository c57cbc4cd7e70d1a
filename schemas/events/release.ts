import { z } from 'zod'

const revisions = z.record(z.string(), z.int().min(1))

/**
 * `ReleaseMade` in `release-<bot>`: content of a running bot from then on. The release's number is its
 * revision.
 */
export const releaseMadeSchema = z.object({
  bot: z.string(),
  /** Published revision of each dialog and handler, by id. */
  dialogs: revisions,
  handlers: revisions,
  nlumodel: z.string().nullable(),
  /** SHA-256 of the members above. */
  hash: z.string(),
})

export type ReleaseMade = z.infer<typeof releaseMadeSchema>

export const releaseStream = (bot: string): string => `release-${bot}`

/**
 * `VersionContentStored` in `versioncontent-<version id>`: a piece of a version file, gzip, base64. Only a complete
 * group counts, the newest one.
 */
const versionContentSchema = z.object({
  group: z.string(),
  k: z.int().min(1),
  n: z.int().min(1),
  piece: z.string(),
})

export type VersionContentStored = z.infer<typeof versionContentSchema>

export const versionContentStream = (id: string): string => `versioncontent-${id}`
