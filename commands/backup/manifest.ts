import { z } from 'zod'
import { FILE_PART } from './archive.ts'

export const MANIFEST = 'backup.json'

/** The conversation log, a separate store in the data folder (docs/adr/0022). */
export const CONVERSATION_PART = 'conversations.sqlite'
export const CONVERSATION_FOLDER = 'conversations'

/** Names that a backup may hold, and what a data folder may lack. */
export const PARTS = [
  'events.sqlite',
  CONVERSATION_PART,
  'keys.sqlite',
  'forgotten.txt',
  'parley.key',
  'parley.key.next',
  FILE_PART,
] as const

const partSchema = z.object({
  name: z.enum(PARTS),
  bytes: z.int(),
  sha256: z.string().regex(/^[\da-f]{64}$/),
})

/** Manifest of a backup; written last, so a backup without it is invalid. */
export const manifestSchema = z.object({
  format: z.literal('parley-backup'),
  version: z.literal(1),
  time: z.iso.datetime(),
  /** Id of the store. */
  store: z.string(),
  events: z.int(),
  parts: z.array(partSchema),
})

export type Manifest = z.infer<typeof manifestSchema>

/** A backup cannot be made or used. The message is the one line to print. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}
