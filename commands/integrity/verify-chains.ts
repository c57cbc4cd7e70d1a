import type { StoredEvent } from '#schemas/event.ts'
import { AUDIENCE_PREFIXES } from '#schemas/events/audience.ts'
import { RUN_PREFIXES } from '#schemas/events/campaign-run.ts'
import type { Finding } from '#schemas/events/seal.ts'
import { diagnose } from './diagnose.ts'
import { isIntact, NO_STREAM } from './hash-chain.ts'
import { StreamHeadTable } from './stream-heads.ts'
import type { Log } from './verify-log.ts'

/** Streams of conversations and audiences: no seal covers them, because they are removed in time or hold what is forgotten, but each is a chain. */
export const CONVERSATION_PREFIXES: readonly string[] = [
  ...AUDIENCE_PREFIXES,
  ...RUN_PREFIXES,
  'conversation-',
  'botuser-',
  'chatperson-',
  'conversationday-',
  'delivery-',
  'inbox-',
]

const MAX_FINDINGS = 200
const STEP = 5000

interface CheckedChains {
  readonly events: number
  readonly streams: number
  readonly findings: readonly Finding[]
}

/**
 * Recomputes the chain of every conversation stream. Streams removed whole leave no trace; in a server's partly
 * scavenged log a stream may start in its middle.
 */
export const verifyChains = async (log: Log, progress?: (events: number) => void): Promise<CheckedChains> => {
  using tails = new StreamHeadTable()
  const suspects = new Set<string>()
  let events = 0
  for await (const event of log.readAll({ filter: { streamPrefixes: CONVERSATION_PREFIXES } })) {
    if (events % STEP === 0) progress?.(events)
    events += 1
    const { stream, revision, hash } = event
    const known = tails.get(stream)
    const isComplete = known !== undefined || revision === 1
    const isNext = known === undefined || revision === known.revision + 1
    if (isComplete && !(isNext && isIntact((known ?? NO_STREAM).hash, event))) suspects.add(stream)
    tails.set(stream, { revision, hash }, known === undefined)
  }
  const findings: Finding[] = []
  for (const stream of [...suspects].slice(0, MAX_FINDINGS)) {
    const all: StoredEvent[] = []
    for await (const event of log.read(stream)) all.push(event)
    const named = diagnose(all)
    const unnamed: Finding = { kind: 'changed', stream, revision: null, text: 'its chain does not hold' }
    findings.push(...(named.length > 0 ? named : [unnamed]))
  }
  return { events, streams: tails.size, findings }
}
