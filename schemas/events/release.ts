import { z } from 'zod'

const revisions = z.record(z.string(), z.int().min(1))

/**
 * `ReleaseMade` in `release-<bot>`: content of a running bot from then on (RUNTIME 1). The release's number is its
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
