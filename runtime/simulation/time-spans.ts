import type { EffectKind } from '#domain/conversation/effect.ts'
import type { PlayedTurn } from './simulation.ts'

/** `own`: expressions and scripts; `typing`: delay of a message that imitates typing. */
type SpanKind = 'service' | 'own' | 'typing'

/** Span of the bot's time, in ms; the person's time is left out. */
interface TimeSpan {
  /** Counted from 1. */
  readonly turn: number
  /** Null before the first block of a turn. */
  readonly dialog: string | null
  readonly block: string | null
  readonly kind: SpanKind
  /** The effect that took the time; null for typing. */
  readonly by: EffectKind | null
  /** ms since the start of the conversation. */
  readonly start: number
  readonly ms: number
}

/** Time spans of a conversation, in ms. */
interface SpentTimes {
  readonly spans: readonly TimeSpan[]
  readonly bot: number
  readonly services: number
  readonly person: number
  /** Time at which each message was shown, since the input of its turn. */
  readonly shownAfter: readonly (readonly number[])[]
}

const INSIDE: ReadonlySet<EffectKind> = new Set(['evaluate', 'script', 'holiday', 'pause'])

/** Time spans of one turn, block by block: first effects, then delays of messages. */
const turnSpans = ({ reached, spent, said }: PlayedTurn, turn: number, begin: number) => {
  const spans: TimeSpan[] = []
  const shownAfter: number[] = []
  let at = begin
  const add = (place: number, kind: SpanKind, by: EffectKind | null, ms: number) => {
    if (ms <= 0) return
    const { dialog, block } = reached[place - 1] ?? { dialog: null, block: null }
    const last = spans.at(-1)
    const isSame = last?.block === block && last.kind === kind && last.by === by && last.start + last.ms === at
    if (isSame) spans[spans.length - 1] = { ...last, ms: last.ms + ms }
    else spans.push({ turn, dialog, block, kind, by, start: at, ms })
    at += ms
  }
  for (let place = 0; place <= reached.length; place += 1) {
    for (const { kind, ms } of spent.filter(each => each.reached === place))
      add(place, INSIDE.has(kind) ? 'own' : 'service', kind, Math.round(ms))
    const until = reached[place]?.said ?? said.length
    for (let message = shownAfter.length; message < until; message += 1) {
      add(place, 'typing', null, said[message]?.delay ?? 0)
      shownAfter.push(at - begin)
    }
  }
  return { spans, shownAfter, end: at }
}

/** Time spans of all played turns, one turn after another. */
export const timesOf = (played: readonly PlayedTurn[]): SpentTimes => {
  const spans: TimeSpan[] = []
  const shownAfter: (readonly number[])[] = []
  let end = 0
  for (const [place, turn] of played.entries()) {
    const made = turnSpans(turn, place + 1, end)
    spans.push(...made.spans)
    shownAfter.push(made.shownAfter)
    end = made.end
  }
  const services = spans.reduce((sum, { kind, ms }) => (kind === 'service' ? sum + ms : sum), 0)
  const person = played.reduce((sum, { waited }) => sum + waited, 0)
  return { spans, bot: end, services, person, shownAfter }
}
