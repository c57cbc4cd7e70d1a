import { parentPort, workerData } from 'node:worker_threads'
import type { LogVerified } from '#schemas/events/seal.ts'
import type { Settings } from '#schemas/settings.ts'
import { openLog } from './open-log.ts'
import { verifyLog } from './verify-log.ts'

export interface VerifyData {
  readonly settings: Settings
  /** The log's own public key. */
  readonly key: string
}

/** Answers with what the verification found, or why there was none. */
export type FromVerify = { readonly verified: LogVerified } | { readonly failed: string }

/** Findings that are kept. */
const MAX_FINDINGS = 100

const { settings, key } = workerData as VerifyData

const verify = async (): Promise<LogVerified> => {
  const started = performance.now()
  await using source = await openLog(settings)
  const found = await verifyLog(source.log, { key })
  const beneath = source.inspect()
  return {
    events: found.events,
    streams: found.streams,
    seals: found.seals,
    sealed: found.newest?.number ?? null,
    unsealed: found.unsealed,
    findings: [...beneath, ...found.findings].slice(0, MAX_FINDINGS),
    amiss: found.amiss + beneath.length,
    milliseconds: Math.round(performance.now() - started),
  }
}

let answer: FromVerify
try {
  answer = { verified: await verify() }
} catch (error) {
  answer = { failed: error instanceof Error ? error.message : String(error) }
}
parentPort?.postMessage(answer)
