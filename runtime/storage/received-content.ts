import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { StoredFile } from '#commands/port.ts'
import { FILE_TYPES, type FileType } from '#schemas/field/file-type.ts'
import { createSniffer } from './sniff-type.ts'
import type { Upload } from './storage-port.ts'

/** Hash, size and type of a content, taken while it passes. */
export const createMeter = (name: string) => {
  const hash = createHash('sha256')
  const sniffer = createSniffer(name)
  let size = 0
  return {
    add(chunk: Buffer): void {
      hash.update(chunk)
      sniffer.add(chunk)
      size += chunk.length
    },
    end: async (): Promise<{
      readonly hash: string
      readonly size: number
      readonly type: FileType | undefined
    }> => ({ hash: hash.digest('hex'), size, type: await sniffer.end() }),
  }
}

/** Time within which an upload must be used, ms. */
export const UNUSED_MS = 86_400_000
/** Extra time before the sweep, ms, so that no sweep coincides with the first use. */
export const SWEEP_GRACE_MS = 3_600_000

const storedSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(FILE_TYPES),
  size: z.int(),
  owner: z.string(),
})

/** Parses the metadata stored beside a file. */
export const readStoredFile = (text: string): StoredFile => storedSchema.parse(JSON.parse(text))

const CONVERSATION = /^chat ([\w-]{1,100})$/

/** The conversation that owns a file, in a form that can be part of a path; undefined for other owners. */
export const ownerConversation = (owner: string): string | undefined => CONVERSATION.exec(owner)?.[1]

/** Characters of an id. */
export const ID_LENGTH = 64

/** Name of the mark that a conversation owns a file. */
export const ownedName = ({ id, size }: Pick<StoredFile, 'id' | 'size'>): string => `${id}.${size}`

/** Bytes that the name of a mark tells; undefined for marks of earlier versions. */
export const ownedBytes = (name: string): number | undefined => {
  const size = name.slice(ID_LENGTH + 1)
  return /^\d{1,15}$/.test(size) ? Number(size) : undefined
}

/** An id of a file whose content is not known yet. */
export const randomFileId = (): string => randomBytes(32).toString('hex')

/** The id starts with the content's hash, to spread files over folders; the rest is random. */
export const newStoredFile = ({ content, name, type, owner }: Upload): StoredFile => {
  const id = createHash('sha256').update(content).digest('hex').slice(0, 32) + randomBytes(16).toString('hex')
  return { id, name, type, size: content.length, owner }
}
