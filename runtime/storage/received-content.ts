import { createHash } from 'node:crypto'
import type { FileType } from '#schemas/field/file-type.ts'
import { createSniffer } from './sniff-type.ts'

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
