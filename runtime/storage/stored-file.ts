import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { StoredFile } from '#commands/file/port.ts'
import { FILE_TYPES } from '#schemas/field/file-type.ts'
import type { Upload } from './port.ts'

/** An upload that nothing holds may be used this long. */
export const UNUSED_MS = 86_400_000
/** It is swept this much later, so that no sweep meets its first use. */
export const SWEEP_GRACE_MS = 3_600_000

const storedSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(FILE_TYPES),
  size: z.int(),
  owner: z.string(),
})

/** What is kept beside a file's content. */
export const readStoredFile = (text: string): StoredFile => storedSchema.parse(JSON.parse(text))

/** Begins with the content's hash, so that files spread over folders; the rest cannot be guessed. */
export const newStoredFile = ({ content, name, type, owner }: Upload): StoredFile => {
  const id = createHash('sha256').update(content).digest('hex').slice(0, 32) + randomBytes(16).toString('hex')
  return { id, name, type, size: content.length, owner }
}
