import { z } from 'zod'

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
