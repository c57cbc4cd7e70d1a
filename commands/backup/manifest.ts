import { z } from 'zod'
import { FILE_PART } from './file-part.ts'

export const MANIFEST = 'backup.json'

/** The log of conversations, a store of its own in the data folder (docs/adr/0022). */
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

/** What a backup says of itself; written last, so that one without it is none. */
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
