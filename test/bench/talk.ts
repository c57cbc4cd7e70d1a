import { setTimeout as pause } from 'node:timers/promises'
import { type Draft, NO_STREAM, seal, type Tail } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { ask, releaseOf, say, start } from '#domain/conversation/fixture/talk.ts'
import { FLOWS } from '#test/walk/real-flow.ts'
import { type Figure, isShort, type QuickFigure, quantile, rounded } from './figure.ts'
import { openGateway } from './talk-gateway.ts'
import { measureInterpreter } from './talk-interpreter.ts'
import { corpusRelease, openTalkStore, Talker, talkHard, talkSteadily } from './talk-store.ts'

const SECONDS = isShort ? 5 : 10
const TALKERS = 100
const STEADY_RATE = 300
const ALL_TIMERS = 1_000_000

const figure = (
  what: string,
  measured: string,
  target: string,
  met: boolean | null,
  detail: Figure['detail'],
): Figure => ({
  id: 'P11',
  what,
  measured,
  target,
  met,
  detail,
})

const interpreter = (): readonly Figure[] => {
  const { stepsPerSecond, turn, turnP99 } = measureInterpreter()
  return [
    figure(
      'interpreter alone, one core',
      `${Math.round(stepsPerSecond)} steps/s`,
      '≥ 20000 steps/s',
      stepsPerSecond >= 20_000,
      {
        stepsPerSecond: Math.round(stepsPerSecond),
      },
    ),
    figure(
      'a turn of 200 blocks, p50 / p99',
      `${rounded(turn, 2)} / ${rounded(turnP99, 2)} ms`,
      '≤ 10 ms',
      turn <= 10,
      {
        turn: rounded(turn, 2),
        turnP99: rounded(turnP99, 2),
      },
    ),
  ]
}

/** A loop that only appends two sealed events and folds them: exchanges of each second, and ms of processor time of one. */
const bareLoop = async (store: EventStore, seconds = SECONDS) => {
  let exchanges = 0
  const until = performance.now() + seconds * 1000
  const before = process.cpuUsage()
  await Promise.all(
    Array.from({ length: TALKERS }, async (_, n) => {
      const stream = `conversation-bare-${n}`
      let tail: Tail = NO_STREAM
      let folded: object = {}
      while (performance.now() < until) {
        for (const type of ['MessageReceived', 'TurnTaken']) {
          const id = crypto.randomUUID()
          const data = { turn: exchanges, words: 'x'.repeat(type === 'TurnTaken' ? 900 : 200) }
          const draft: Draft = {
            id,
            type,
            version: 1,
            data,
            time: new Date().toISOString(),
            actor: null,
            level: null,
            correlation: id,
            causation: null,
          }
          const [event] = seal(stream, tail, [draft])
          if (event === undefined) return
          await store.append(stream, tail.revision, [event])
          tail = { revision: tail.revision + 1, hash: event.hash }
          folded = { ...folded, ...event.data }
        }
        exchanges += 1
      }
    }),
  )
  const { user, system } = process.cpuUsage(before)
  return { rate: exchanges / seconds, processor: (user + system) / 1000 / exchanges }
}

const turns = async (): Promise<readonly Figure[]> => {
  const figures: Figure[] = []
  for (const { name } of FLOWS) {
    const { world, node, close } = await openTalkStore(corpusRelease(name))
    await talkHard(node, TALKERS, 3)
    const hard = await talkHard(node, TALKERS, SECONDS)
    const steady = await talkSteadily(node, STEADY_RATE, SECONDS)
    const { rate: bare } = await bareLoop(world.store)
    await close()
    const detail = {
      rate: Math.round(hard.rate),
      processor: rounded(hard.processor, 2),
      bare: Math.round(bare),
      p50: rounded(steady.p50),
      p95: rounded(steady.p95),
    }
    figures.push(
      figure(
        `turns of ${name}, embedded store, ${TALKERS} people; processor time of one; bare loop`,
        `${detail.rate}/s; ${detail.processor} ms; ${detail.bare}/s`,
        '≥ 2000/s',
        hard.rate >= 2000,
        detail,
      ),
      figure(
        `a turn of ${name} at ${STEADY_RATE}/s, p50 / p95`,
        `${detail.p50} / ${detail.p95} ms`,
        'p95 ≤ 25 ms',
        steady.p95 <= 25,
        detail,
      ),
    )
  }
  return figures
}

/** Sends `count` reminders at one moment while another user talks. */
const timers = async (count: number): Promise<Figure> => {
  const release = releaseOf({ main: { start, a: ask('text', 'nome', 'b'), b: say('Oi, {{nome}}', 'a') } })
  const { world, node, close } = await openTalkStore(release)
  for (let first = 0; first < count; first += 500)
    await Promise.all(
      Array.from({ length: 500 }, (_, n) => node.open({ channel: 'web', user: { id: `t${first + n}` }, begins: true })),
    )
  const waiting = () => node.index.due(world.now + 40_000, count).length
  while (waiting() < count) await pause(100)
  const times: number[] = []
  const talker = new Talker(node, 'talker', times)
  await talker.take()
  const began = performance.now()
  world.now += 40_000
  const isDue = () => node.index.due(world.now, 1).length > 0
  while (isDue()) {
    await talker.take()
    await pause(20)
  }
  const seconds = (performance.now() - began) / 1000
  await close()
  const behind = (seconds * ALL_TIMERS) / count
  const longest = Math.max(...times)
  return figure(
    `${count} reminders due at one moment; somebody's turn meanwhile, p95 / longest`,
    `${rounded(seconds)} s, so ${Math.round(behind)} s for a million; ${rounded(quantile(times, 0.95))} / ${Math.round(longest)} ms`,
    '≤ 300 s for a million, turn ≤ 100 ms',
    behind <= 300 && longest <= 100,
    { seconds: rounded(seconds), perSecond: Math.round(count / seconds), longest: Math.round(longest) },
  )
}

const chats = async (count: number): Promise<readonly Figure[]> => {
  const gateway = await openGateway()
  try {
    const p95 = await gateway.firstMessage()
    const { megabytes, processor } = await gateway.openChats(count)
    return [
      figure('first message of the bot after opening, p95', `${rounded(p95)} ms`, '≤ 100 ms', p95 <= 100, {
        p95: rounded(p95),
      }),
      figure(`${count} open chats, resident memory`, `${megabytes} MB`, '≤ 600 MB for 10000', megabytes <= 600, {
        megabytes,
      }),
      figure(`${count} open chats, idle processor`, `${rounded(processor)} %`, '≤ 3 %', processor <= 3, {
        processor: rounded(processor),
      }),
    ]
  } finally {
    await gateway.close()
  }
}

interface TalkSizes {
  readonly timers: number
  readonly chats: number
  /** One of the parts; without it all of them. */
  readonly part: string | undefined
}

/** P11: the conversation runtime. */
export const talk = async (sizes: TalkSizes): Promise<readonly Figure[]> => {
  const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
    interpreter: async () => interpreter(),
    turns,
    timers: async () => [await timers(sizes.timers)],
    chats: () => chats(sizes.chats),
  }
  const figures: Figure[] = []
  for (const [name, measure] of Object.entries(parts)) {
    if (sizes.part === undefined || sizes.part === name) figures.push(...(await measure()))
  }
  return figures
}

const QUICK_SECONDS = 4

/** P11's turns in half a minute. */
export const quickTurns = async (): Promise<readonly QuickFigure[]> => {
  const figures: QuickFigure[] = []
  for (const { name } of FLOWS) {
    const { world, node, close } = await openTalkStore(corpusRelease(name))
    await talkHard(node, TALKERS, 2)
    const { processor, rate } = await talkHard(node, TALKERS, QUICK_SECONDS)
    const bare = await bareLoop(world.store, QUICK_SECONDS / 2)
    await close()
    figures.push(
      { what: `processor time of a turn of ${name}, of a bare loop`, value: processor / bare.processor },
      { what: `turns of ${name}/s`, value: rate },
    )
  }
  return figures
}
