import type { z } from 'zod'
import type { Effect, EffectAnswer, EffectKind } from '#domain/conversation/effect.ts'
import { type BotMessage, pressedWords, shownActions, type TurnInput } from '#domain/conversation/message.ts'
import type { TurnSettings } from '#domain/conversation/release.ts'
import type { ConversationState, Frame } from '#domain/conversation/state.ts'
import { holderOf } from '#domain/conversation/variables.ts'
import type { simulationSchema } from '#schemas/api/simulation.ts'
import type { JsonObject } from '#schemas/event.ts'
import { record } from '#schemas/json.ts'
import type { NluReasons } from '../nlu/open-nlu.ts'
import type { ActiveSimulation } from './open-simulations.ts'
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

type Understood = z.input<typeof simulationSchema>['understood'][number]

const MAX_RANKED = 5
const NO_REASONS = { for: [], against: [] }
const copied = ({ for: pro, against }: NluReasons) => ({ for: [...pro], against: [...against] })

const byConfidence = (intents: readonly { readonly name: string; readonly confidence: number }[]) =>
  intents.toSorted((a, b) => b.confidence - a.confidence).slice(0, MAX_RANKED)

/** Recognition result of a model or brain, by the rules of a turn; undefined for other effects. */
const understoodBy = (
  effect: Effect,
  answer: EffectAnswer,
  { nlu }: TurnSettings,
): Omit<Understood, 'turn' | 'reasons'> | undefined => {
  if (effect.kind === 'nlu' && answer.kind === 'nlu') {
    const asked = { by: 'nlu' as const, text: effect.text }
    if (!answer.ok) return { ...asked, error: answer.code, intent: null, threshold: 0, ranking: [], entities: [] }
    const ranking = byConfidence(answer.intents)
    const threshold = nlu.intentConfidence ?? answer.threshold ?? 0
    const [best] = ranking
    const intent = best !== undefined && best.confidence >= threshold ? best.name : null
    return { ...asked, intent, threshold, ranking, entities: answer.entities.map(each => ({ ...each })) }
  }
  if (effect.kind === 'brain' && answer.kind === 'brain') {
    const asked = { by: 'brain' as const, text: effect.text, threshold: 0, entities: [] }
    if (!answer.ok) return { ...asked, error: answer.code, intent: null, ranking: [] }
    const { intent, confidence } = answer
    return { ...asked, intent, ranking: intent === null ? [] : [{ name: intent, confidence }] }
  }
  return undefined
}

/** Recognition results of each turn so far, with reasons. A step back removes them. */
const understoodTexts = async ({ simulation, explain }: ActiveSimulation): Promise<readonly Understood[]> => {
  const found = simulation.played.flatMap(({ calls }, place) =>
    calls.map(async ({ effect, answer }) => {
      const understood = understoodBy(effect, answer, simulation.settings)
      if (understood === undefined) return []
      const reasons = understood.by === 'nlu' ? await explain(understood.text).catch(() => undefined) : undefined
      return [{ turn: place + 1, ...understood, reasons: copied(reasons ?? NO_REASONS) }]
    }),
  )
  return (await Promise.all(found)).flat()
}

type View = z.input<typeof simulationSchema>
type Message = View['said'][number]

/** Shown in place of a masked answer. */
const DOTS = '••••••'

const masked = (values: JsonObject, names: readonly string[]): JsonObject =>
  record(Object.entries(values).map(([name, value]) => [name, names.includes(name) && value !== null ? DOTS : value]))

/** Time after the person's last message in which WhatsApp accepts words. */
const WINDOW_MS = 24 * 3_600_000
const BY_CLOCK: ReadonlySet<TurnInput['kind']> = new Set(['schedule', 'timeout', 'reminder'])

/** Whether WhatsApp would get templates in a turn: the person was silent for longer than its window. */
const isOutside = (played: readonly PlayedTurn[], place: number): boolean => {
  const last = played.slice(0, place + 1).findLast(({ input }) => !BY_CLOCK.has(input.kind))
  return last !== undefined && (played[place]?.now ?? 0) - last.now > WINDOW_MS
}

const botMessage = (turn: number, after: number, message: BotMessage, isTemplate: boolean): Message => ({
  ...message.content,
  id: message.id,
  turn,
  from: 'bot',
  block: message.block,
  ...(message.delay === 0 ? {} : { delay: message.delay }),
  after,
  actions: shownActions(message) as Message['actions'],
  ...(message.asks === undefined ? {} : { wait: message.asks }),
  ...(message.template === undefined ? {} : { template: { ...message.template, sent: isTemplate } }),
})

const personsWords = (input: TurnInput): string | undefined => {
  switch (input.kind) {
    case 'text':
      return input.text
    case 'choice':
      return pressedWords(input.action)
    case 'location':
      return typeof input.location.address === 'string' ? input.location.address : JSON.stringify(input.location)
    case 'attachment':
      return input.attachments.map(({ name, contentUrl }) => String(name ?? contentUrl ?? '')).join(', ')
    case 'order':
    case 'submit':
      return JSON.stringify(input.data)
    default:
      return undefined
  }
}

const personsMessage = (turn: number, input: TurnInput, isMasked: boolean): readonly Message[] => {
  const text = personsWords(input)
  if (text === undefined) return []
  return [{ id: 0, turn, from: 'user', type: input.kind, text: isMasked ? DOTS : text, block: null, actions: [] }]
}

const waitOf = (frame: Frame | undefined) => frame?.wait

const statusOf = (state: ConversationState, pending: Effect | undefined): View['status'] => {
  if (pending !== undefined) return pending.kind === 'pause' ? 'paused' : 'calling'
  return state.status === 'active' ? 'idle' : state.status
}

const placeOf = (state: ConversationState, pending: Effect | undefined): View['at'] => {
  if (pending?.kind === 'pause') return { dialog: pending.dialog, block: pending.block }
  const frame = state.frames.at(-1)
  return frame === undefined || frame.block === null ? null : { dialog: frame.dialog, block: frame.block }
}

/** Variables of the running dialog; after its end those that it had then. */
const localsOf = ({ state, turns }: ActiveSimulation['simulation']): JsonObject => {
  const top = state.frames.at(-1)
  if (top !== undefined) return holderOf(state, top).locals
  const ended = turns.findLast(({ result }) => result?.endedLocals !== undefined)?.result?.endedLocals ?? []
  return record(ended.flatMap(values => Object.entries(values)))
}

const stateOf = (simulation: ActiveSimulation['simulation']): View['state'] => {
  const { state, now } = simulation
  const top = state.frames.at(-1)
  return {
    dialog: masked(localsOf(simulation), state.masked),
    conversation: masked(state.variables, state.masked),
    user: masked(state.userdata, state.masked),
    tags: [...state.tags],
    intent: state.intent,
    entities: state.entities,
    frames: state.frames.map(({ id, kind, dialog, block }) => ({ id, kind, dialog, block })),
    locale: state.locale,
    now: new Date(now).toISOString(),
    tries: waitOf(top)?.tries ?? null,
  }
}

/** A simulation as the API returns it. */
export const simulationView = async (held: ActiveSimulation): Promise<View> => {
  const { id, simulation, calls, nluproject } = held
  const { state, pending, turns } = simulation
  const failed = turns.at(-1)?.result?.failed
  const { spans, shownAfter, ...times } = timesOf(simulation.played)
  return {
    simulation: id,
    status: statusOf(state, pending),
    at: placeOf(state, pending),
    said: turns.flatMap(({ input, said }, place) => {
      const before = place === 0 ? undefined : turns[place - 1]?.state.frames.at(-1)
      return [
        ...personsMessage(place + 1, input, waitOf(before)?.masked === true),
        ...said.map((message, at) =>
          botMessage(place + 1, shownAfter[place]?.[at] ?? 0, message, isOutside(simulation.played, place)),
        ),
      ]
    }),
    steps: turns.flatMap(({ steps }, place) =>
      steps.map(step => ({ ...step, turn: place + 1, wrote: [...step.wrote] })),
    ),
    state: stateOf(simulation),
    calls: [...calls],
    started: new Date(state.started).toISOString(),
    spans: spans.map(span => ({ ...span })),
    times,
    understood: [...(await understoodTexts(held))],
    nluproject,
    ...(failed === undefined ? {} : { failed: { ...failed, loop: [...failed.loop] } }),
  }
}
