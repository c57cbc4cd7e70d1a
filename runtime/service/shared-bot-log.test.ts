import { afterEach, expect, test } from 'vitest'
import type { Json } from '#schemas/event.ts'
import { BotLogFile } from './bot-log.ts'
import { SharedBotLog } from './shared-bot-log.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

type Answer = (content: Json) => Promise<Json>

/** Nodes that answer each other at once, unless they are silent. */
const openNodes = (names: readonly string[]) => {
  const clock = { time: Date.UTC(2026, 10, 28) }
  const answers = new Map<string, Answer>()
  const silent = new Set<string>()
  const nodes = names.map(name => {
    const failed = (error: unknown) => {
      throw error
    }
    const botLog = new BotLogFile({ file: '', failed, now: () => clock.time })
    closing.push(() => botLog.close())
    const others = () => names.filter(other => other !== name)
    const shared = new SharedBotLog({
      botLog,
      questions: {
        answer: (_about, handler) => void answers.set(name, handler),
        ask: async (_about, content) => ({
          answers: await Promise.all(
            others().flatMap(other => (silent.has(other) ? [] : [answers.get(other)?.(content) as Promise<Json>])),
          ),
          silent: others().filter(other => silent.has(other)),
        }),
      },
    })
    return { botLog, shared }
  })
  const log = (node: number, code: string, bot = 'b1') => {
    clock.time += 1
    nodes[node]?.botLog.log({ level: 'warn', code, bot })
  }
  const read = (query: object = {}) => {
    const [first] = nodes
    if (first === undefined) throw new Error('there is no node')
    return first.shared.read('b1', { size: 100, ...query })
  }
  return { log, read, silent }
}
const codes = ({ items }: { readonly items: readonly { readonly code: string }[] }) => items.map(({ code }) => code)

test('shows the lines of all nodes by time, each with its own id [P-1543]', async () => {
  const { log, read } = openNodes(['one', 'two', 'three'])
  for (const [node, code] of [
    [0, 'a'],
    [1, 'b'],
    [2, 'c'],
    [0, 'd'],
  ] as const)
    log(node, code)
  log(1, 'other', 'b2')
  const all = await read()
  expect(codes(all)).toEqual(['d', 'c', 'b', 'a'])
  expect(new Set(all.items.map(({ id }) => id)).size).toBe(4)
  expect(all).toMatchObject({ counts: { info: 0, warn: 4, error: 0 }, silent: [], older: null })
})

test('reads page by page without a missing or repeated line [P-1543]', async () => {
  const { log, read } = openNodes(['one', 'two'])
  const written = Array.from({ length: 23 }, (_, n) => `line${n}`)
  for (const [n, code] of written.entries()) log(n % 5 === 0 ? 1 : 0, code)
  const seen: string[] = []
  let older: string | null | undefined
  do {
    const page = await read({ size: 4, ...(older === undefined ? {} : { before: older }) })
    seen.push(...codes(page))
    older = page.older
  } while (older !== null)
  expect(seen).toEqual(written.toReversed())
})

test('reads what came after a place, also from a node that was silent meanwhile [P-1543]', async () => {
  const { log, read, silent } = openNodes(['one', 'two', 'three'])
  log(0, 'old')
  log(1, 'old too')
  silent.add('three')
  log(2, 'before it was heard')
  const { newest } = await read()
  log(1, 'x')
  log(0, 'y')
  silent.add('two')
  const partly = await read({ after: newest })
  expect([codes(partly), partly.silent]).toEqual([['y'], ['two', 'three']])
  silent.clear()
  const rest = await read({ after: partly.newest })
  expect([codes(rest), rest.silent]).toEqual([['x'], []])
  log(2, 'z')
  expect(codes(await read({ after: rest.newest }))).toEqual(['z'])
})
