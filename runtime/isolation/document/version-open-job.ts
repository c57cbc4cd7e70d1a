import { type OpenedPart, openVersion } from '#commands/version/version-job.ts'
import type { JobSteps } from '../work.ts'

export const run = (_: null, { bytes, tell }: JobSteps<OpenedPart>) => openVersion(bytes, tell)
