import { openVersion, type VersionFileChunk } from '#commands/version/version-job.ts'
import type { JobSteps } from '../work.ts'

export const run = (_: null, { bytes, tell }: JobSteps<VersionFileChunk>) => openVersion(bytes, tell)
