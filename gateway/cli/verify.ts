import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CONVERSATION_FOLDER } from '#commands/backup/archive.ts'
import { openLog } from '#commands/integrity/open-log.ts'
import { OUTSIDE } from '#commands/integrity/sealer.ts'
import { readKeptSeals } from '#commands/integrity/signing.ts'
import { type Log, type Verification, verifyChains, verifyLog } from '#commands/integrity/verify-log.ts'
import { verifyMetrics } from '#runtime/metrics/recount.ts'
import type { Finding } from '#schemas/events/seal.ts'
import { type ExitCode, type Run, WrongUsage } from './command.ts'
import { openProgress } from './progress.ts'

const count = (value: number) => value.toLocaleString('en')

/** `parley verify`: says what holds and, line by line, what does not. */
export const verify: Run = async ({ settings, options }) => {
  const kept = typeof options.seal === 'string' ? readKeptSeals(readFileSync(options.seal, 'utf8')) : undefined
  const key = typeof options.key === 'string' ? options.key : undefined
  if (key !== undefined && !/^[\w-]{43}$/.test(key))
    throw new WrongUsage('--key must be what "parley seals key" prints.')
  await using source = await openLog(settings)
  const found = await checkLog(source.log, source.events, { key, kept })
  const looking = openProgress("Checking the store's own files")
  const beneath = source.inspect()
  looking.done('done')
  const chains = await checkConversations(source.conversations)
  return tell(found, [...beneath, ...chains], kept?.length)
}

/** Verifies the chains of conversations, which no seal covers. */
export const checkConversations = async (log: Log | undefined): Promise<readonly Finding[]> => {
  if (log === undefined) return []
  const progress = openProgress('Verifying conversations')
  const { events, streams, findings } = await verifyChains(log, done => progress.at(done))
  progress.done(`${count(events)} events in ${count(streams)} streams`)
  return findings
}

/** Verifies with progress shown. */
export const checkLog = async (
  log: Log,
  events: number | undefined,
  options: Omit<Parameters<typeof verifyLog>[1] & object, 'progress'> = {},
): Promise<Verification> => {
  const progress = openProgress('Verifying')
  const found = await verifyLog(log, { ...options, progress: done => progress.at(done, events) })
  progress.done(`${count(found.events + found.outside)} events read`)
  return found
}

/** @returns the exit code */
export const tell = (found: Verification, beneath: readonly Finding[], kept: number | undefined): ExitCode => {
  const { newest, outside } = found
  const findings = [...beneath, ...found.findings]
  const amiss = found.amiss + beneath.length
  const lines = [
    `${count(found.events)} events in ${count(found.streams)} streams.`,
    newest === undefined
      ? 'No seals yet.'
      : `${count(found.seals)} seals, the last one (number ${newest.number}) of ${newest.time}; ${count(found.unsealed)} events came after it.`,
    ...(found.key === undefined ? [] : [`Public key of the seals: ${found.key}`]),
    ...(kept === undefined ? [] : [`Held against ${count(kept)} seals kept elsewhere.`]),
    `Outside of the seals (${count(outside)} events): ${OUTSIDE.map(({ prefix, reason }) => `${prefix}… (${reason})`).join('; ')}.`,
    ...findings.map(({ kind, stream, revision, text }) =>
      [kind.toUpperCase(), stream, ...(revision === null ? [] : [`revision ${revision}`]), text].join('  '),
    ),
    ...(amiss > findings.length ? [`… and ${count(amiss - findings.length)} more`] : []),
    amiss === 0
      ? 'The chain holds.'
      : `The chain does not hold: ${count(amiss)} ${amiss === 1 ? 'finding' : 'findings'}.`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  return amiss === 0 ? 0 : 1
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** `parley metrics verify`: recounts the figures of conversations and prints each difference. */
export const verifyFigures: Run = async ({ settings, options }) => {
  const text = (name: string) => (typeof options[name] === 'string' ? String(options[name]) : undefined)
  const [bot, from, to] = ['bot', 'from', 'to'].map(text)
  for (const day of [from, to])
    if (day !== undefined && !DAY.test(day)) throw new WrongUsage('--from and --to must be days such as 2026-11-29.')
  await using source = await openLog(settings)
  if (source.conversations === undefined) {
    process.stdout.write('There are no conversations yet.\n')
    return 0
  }
  const progress = openProgress('Counting conversations')
  const file = join(resolve(settings.PARLEY_DATA), CONVERSATION_FOLDER, 'metrics.sqlite')
  const { counters, differences, lines } = await verifyMetrics(
    { file, log: source.conversations },
    { bot, from, to },
    done => progress.at(done),
  )
  progress.done(`${count(counters)} counters compared`)
  const verdict =
    differences === 0
      ? `The figures are those of the log: ${count(counters)} counters.`
      : `The figures differ from the log: ${count(differences)} of ${count(counters)} counters.`
  const more = differences > lines.length ? [`… and ${count(differences - lines.length)} more`] : []
  process.stdout.write(`${[...lines, ...more, verdict].join('\n')}\n`)
  return differences === 0 ? 0 : 1
}
