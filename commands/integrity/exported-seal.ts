import { z } from 'zod'
import { type LogSealed, logSealedSchema, SEAL_STREAM } from '#schemas/events/seal.ts'
import type { EventStore } from '../store/port.ts'
import { isSigned } from './signing.ts'

/** A seal as it leaves the log: with the hash of the event that holds it. */
export interface ExportedSeal {
  readonly hash: string
  readonly seal: LogSealed
}

const lineSchema = z.object({ hash: z.string(), seal: logSealedSchema })

/** The file cannot be used. The message is the one line to print. */
class SealFileRefused extends Error {
  override readonly name = 'SealFileRefused'
}

/** One line of JSON for each seal of a log, oldest first. */
export async function* exportSeals(log: Pick<EventStore, 'read'>): AsyncGenerator<string> {
  for await (const { hash, data } of log.read(SEAL_STREAM)) yield `${JSON.stringify({ hash, seal: data })}\n`
}

/** Reads output of `exportSeals`. @throws SealFileRefused for an invalid line or signature, or mixed keys or logs */
export const readKeptSeals = (text: string): ExportedSeal[] => {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const kept = lines.map((line, index) => {
    const read = lineSchema.safeParse(parsed(line))
    if (!read.success) throw new SealFileRefused(`Line ${index + 1} of the kept seals is no seal`)
    if (!isSigned(read.data.seal))
      throw new SealFileRefused(`Line ${index + 1} of the kept seals is not signed by its key`)
    return read.data
  })
  if (kept.length === 0) throw new SealFileRefused('The file of kept seals is empty')
  if (new Set(kept.map(({ seal }) => `${seal.log} ${seal.key}`)).size > 1)
    throw new SealFileRefused('The kept seals are of several logs')
  return kept
}

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
