import type { z } from 'zod'
import type { Questions } from '#realtime/cluster/node-requests.ts'
import {
  type BotLogPart,
  botLogPart,
  type botLogQuery,
  botLogQuestion,
  type botLogSchema,
} from '#schemas/api/bot-service.ts'
import type { BotLog } from './bot-log.ts'

const ABOUT = 'bot log'

type Query = z.output<typeof botLogQuery>
type Lines = Omit<z.output<typeof botLogSchema>, 'heard'>
type Line = Lines['items'][number]

interface SharedBotLogOptions {
  readonly botLog: BotLog
  readonly questions: Pick<Questions, 'answer' | 'ask'>
}

const placeOf = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .split(',')
      .filter(entry => entry !== '')
      .map(entry => [entry.slice(0, 8), Number(entry.slice(9))]),
  )
const textOf = (place: ReadonlyMap<string, number>): string => [...place].map(([log, n]) => `${log}:${n}`).join(',')

const idOf = (log: string, n: number) => `${log}:${n}`

/** The lines of a bot in the logs of all nodes. Each node has its own log and ids. */
export class SharedBotLog {
  readonly #botLog: BotLog
  readonly #questions: SharedBotLogOptions['questions']

  constructor({ botLog, questions }: SharedBotLogOptions) {
    this.#botLog = botLog
    this.#questions = questions
    questions.answer(ABOUT, async content => {
      const { bot, ...query } = botLogQuestion.parse(content)
      return { ...this.#own(bot, query) }
    })
  }

  async read(bot: string, query: Query): Promise<Lines> {
    const own = this.#own(bot, query)
    const { answers, silent } = await this.#questions.ask(ABOUT, JSON.parse(JSON.stringify({ bot, ...query })))
    const others = answers.flatMap(answer => {
      const part = botLogPart.safeParse(answer)
      return part.success ? [part.data] : []
    })
    const parts = [own, ...others.filter(({ log }) => log !== own.log)]
    const items = merged(parts, query)
    return {
      items,
      // A silent node keeps its place: no line is missing when it answers again.
      newest: textOf(
        new Map([...placeOf(query.after ?? ''), ...parts.map(({ log, newest }) => [log, newest] as const)]),
      ),
      older: items.length < query.size ? null : textOf(olderThan(parts, items, placeOf(query.before ?? ''))),
      counts: {
        info: sum(parts, ({ counts }) => counts.info),
        warn: sum(parts, ({ counts }) => counts.warn),
        error: sum(parts, ({ counts }) => counts.error),
      },
      silent: [...silent],
    }
  }

  #own(bot: string, { after, before, ...query }: Query): BotLogPart {
    const { id: log } = this.#botLog
    const { items, newest, counts } = this.#botLog.read(bot, {
      ...query,
      // The lines of a log that was not read before are not new.
      ...(after === undefined ? {} : { after: placeOf(after).get(log) ?? Number.MAX_SAFE_INTEGER }),
      ...(before === undefined ? {} : { before: placeOf(before).get(log) }),
    })
    return { log, items: [...items], newest, counts }
  }
}

const sum = (parts: readonly BotLogPart[], count: (part: BotLogPart) => number): number =>
  parts.reduce((total, part) => total + count(part), 0)

/** The first lines of all parts by time, each part in its own order. */
const merged = (parts: readonly BotLogPart[], { after, size }: Query): Line[] => {
  const lines = parts.flatMap(({ log, items }) => items.map(item => ({ ...item, log })))
  const sign = after === undefined ? -1 : 1
  return lines
    .sort((a, b) => sign * (a.time.localeCompare(b.time) || a.log.localeCompare(b.log) || a.id - b.id))
    .slice(0, size)
    .map(({ log, ...item }) => ({ ...item, id: idOf(log, item.id) }))
}

/** The place before which the lines follow that are not among the items. */
const olderThan = (
  parts: readonly BotLogPart[],
  items: readonly Line[],
  before: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> => {
  const shown = new Set(items.map(({ id }) => id))
  const places = parts.map(({ log, items: all }) => {
    const left = all.find(({ id }) => !shown.has(idOf(log, id)))
    return [log, left === undefined ? (all.at(-1)?.id ?? 0) : left.id + 1] as const
  })
  return new Map([...before, ...places])
}
