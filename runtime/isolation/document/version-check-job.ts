import { checkVersion } from '#commands/version/version-job.ts'
import type { JobSteps } from '../work.ts'

export const run = (_: null, { bytes, tell }: JobSteps<Uint8Array>) => checkVersion(bytes, tell)
