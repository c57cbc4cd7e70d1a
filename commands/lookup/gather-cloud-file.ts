import type { CloudFileFacts } from '#domain/cloud-file.ts'
import type { LoadFacts } from '../pipeline/command-context.ts'

/** The level that placeOf() has allowed. */
export const gatherCloudFile: LoadFacts<CloudFileFacts> = async (_context, { command }) => ({
  level: String(command.input.hierarchylevel ?? command.caller.level),
})
