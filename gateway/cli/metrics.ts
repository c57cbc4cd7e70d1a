import { join, resolve } from 'node:path'
import { CONVERSATION_FOLDER } from '#commands/backup/archive.ts'
import { openLog } from '#commands/integrity/open-log.ts'
import { verifyMetrics } from '#runtime/metrics/verify-metrics.ts'
import { type Run, WrongUsage } from './command.ts'
import { openProgress } from './progress.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const count = (value: number) => value.toLocaleString('en')

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
