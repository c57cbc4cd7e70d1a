import { afterEach, expect, test } from 'vitest'
import { BotLogFile } from './bot-log.ts'

const HOUR = 3_600_000
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const open = (maxLines?: number) => {
  const clock = { time: Date.UTC(2026, 10, 23, 12) }
  const failed = (error: unknown) => {
    throw error
  }
  const botLog = new BotLogFile({
    file: '',
    failed,
    now: () => clock.time,
    ...(maxLines === undefined ? {} : { maxLines }),
  })
  closing.push(() => botLog.close())
  const codes = (query: object = {}, bot = 'b1') =>
    botLog.read(bot, { size: 100, ...query }).items.map(({ code, count }) => `${code} ${count}`)
  return { botLog, prune: () => botLog.prune(), clock, codes }
}

test('the same of the same block is one line an hour, which counts [R-96]', () => {
  const { botLog, clock, codes } = open()
  const entry = { level: 'warn', code: 'expression.failed', bot: 'b1', release: 2, dialog: 'd', block: 'k' } as const
  botLog.log(entry)
  botLog.log({ ...entry, conversation: 'c2' })
  expect(codes()).toEqual(['expression.failed 2'])
  clock.time += HOUR - 1
  botLog.log(entry)
  botLog.log({ ...entry, block: 'other' })
  expect(codes()).toEqual(['expression.failed 1', 'expression.failed 3'])
  clock.time += 1
  botLog.log(entry)
  expect(codes()).toEqual(['expression.failed 1', 'expression.failed 1', 'expression.failed 3'])
})

test('filters by level, words and following lines, separately for each bot [R-96]', () => {
  const { botLog, codes } = open()
  botLog.log({ level: 'error', code: 'turn.failed', bot: 'b1', block: 'Saudar', dialog: 'd' })
  botLog.log({ level: 'info', code: 'service.up', bot: 'b1', service: 'runtime' })
  botLog.log({ level: 'error', code: 'turn.failed', bot: 'b2' })
  expect(codes({ level: 'error' })).toEqual(['turn.failed 1'])
  expect(codes({ search: 'saudar' })).toEqual(['turn.failed 1'])
  expect(codes({ search: '%' })).toEqual([])
  const { newest } = botLog.read('b1', { size: 1 })
  botLog.log({ level: 'warn', code: 'one', bot: 'b1' })
  botLog.log({ level: 'warn', code: 'two', bot: 'b1' })
  expect(codes({ after: newest })).toEqual(['one 1', 'two 1'])
  expect(codes({ before: newest })).toEqual(['turn.failed 1'])
  expect(codes({}, 'b2')).toEqual(['turn.failed 1'])
  expect(codes({ service: 'runtime' })).toEqual(['service.up 1'])
  botLog.log({ level: 'warn', code: 'two', bot: 'b1' })
  const { counts } = botLog.read('b1', { size: 1, level: 'error' })
  expect(counts).toEqual({ info: 1, warn: 3, error: 1 })
})

test('it keeps seven days, and so many lines of a bot [R-96]', () => {
  const { botLog, prune, clock, codes } = open(3)
  for (const code of ['a', 'b', 'c', 'd', 'e']) botLog.log({ level: 'info', code, bot: 'b1' })
  botLog.log({ level: 'info', code: 'x', bot: 'b2' })
  expect(codes()).toHaveLength(5)
  prune()
  expect(codes()).toEqual(['e 1', 'd 1', 'c 1'])
  expect(codes({}, 'b2')).toEqual(['x 1'])
  clock.time += 7 * 24 * HOUR + 1
  prune()
  expect(codes()).toEqual([])
})
