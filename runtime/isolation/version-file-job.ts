import { checkVersion, openVersion, type VersionFileChunk } from '#commands/version/version-job.ts'
import type { JobSteps } from './work.ts'

export const checkFile = (_: null, { bytes, tell }: JobSteps<Uint8Array>) => checkVersion(bytes, tell)

export const openFile = (_: null, { bytes, tell }: JobSteps<VersionFileChunk>) => openVersion(bytes, tell)
