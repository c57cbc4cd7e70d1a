import { SIMULATED_TYPE } from '#schemas/channel-type.ts'
import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import { CONVERSATION_ORIGINS, type ConversationOrigin } from '#schemas/events/conversation.ts'
import { isObject, objectsOf, textOf } from '#schemas/json.ts'
import { isRatingScale, type RatingScale } from '#schemas/rating.ts'
import { type MessageCost, withPrice } from '../campaign/price.ts'
import { bucketOf } from '../desk/figures/histogram.ts'
import { localTime, momentOf } from '../flow/condition/condition-date.ts'

/** Time zone of conversations that began before bots had one. */
export const DEFAULT_ZONE = 'America/Sao_Paulo'
/** Version of the definitions of conversations that began before they named one. */
const FIRST_VERSION = 1

/** Cause of a request for an agent: a block of the flow, the menu, or a takeover by a user. */
type Handoff = 'flow' | 'menu' | 'takeover'

interface FactRating {
  readonly scale: RatingScale
  readonly score?: number
}

/**
 * A conversation as its figures need it: plain JSON, folded from its events, without words. Times are ms since 1970, days
 * are `YYYY-MM-DD` in the time zone that the bot had when the conversation began.
 */
export interface ConversationFact {
  readonly bot: string
  /** Id that the same person has in all conversations on a channel. */
  readonly person: string
  readonly started: number
  readonly day: string
  /** 0 to 23. */
  readonly hour: number
  readonly zone: string
  readonly release: number
  /** Type of the channel. */
  readonly channel: string
  readonly origin: ConversationOrigin
  /** Version of the definitions by which it is counted. */
  readonly version: number
  /** Another release continued it. */
  readonly moved: boolean
  /** Events in earlier parts of the conversation: turns name their input by a revision that counts through all parts. */
  readonly base: number
  /** Revision and time of messages that no turn has answered. */
  readonly inputs: readonly (readonly [revision: number, at: number])[]
  /** Days with a message of the person, ascending. */
  readonly days: readonly string[]
  readonly received: number
  readonly said: number
  readonly turns: number
  /** Turns with a free text of the person for the bot, those of them that were not recognized, and turns of unknown input. */
  readonly texts: number
  readonly unrecognized: number
  readonly unclear: number
  /** Number of the bot's answers by bucket of their time, and the sum of these times in ms. */
  readonly answers: Readonly<Record<string, number>>
  readonly answerMs: number
  readonly withAgent: boolean
  /** A question of the bot waits. */
  readonly isWaiting: boolean
  /** The input of the last turn. */
  readonly input: string
  readonly hasFailed: boolean
  readonly retained: boolean
  readonly handoff?: Handoff
  readonly connected: boolean
  /** Dialogs whose start block was entered, and those of which a goal was entered, in the first release. */
  readonly entered: readonly string[]
  readonly completed: readonly string[]
  /** A goal was entered, in any release. */
  readonly reachedGoal: boolean
  /** Prices in the receipts of its messages, and of the campaign's message that it answers, by their price data. */
  readonly costs: Readonly<Record<string, MessageCost>>
  /** Revision of the newest event of its deliveries. */
  readonly delivered: number
  /** Ratings by the number of their question. */
  readonly ratings: Readonly<Record<string, FactRating>>
  readonly ended?: number
  readonly reason: string
  /** It ended while a question of the bot waited. */
  readonly leftQuestion: boolean
  /** The same person began another conversation with the bot within 72 h of its end: looked up, not folded. */
  readonly reopened: boolean
}

type FactEvent = Pick<StoredEvent, 'type' | 'data' | 'time' | 'revision'>

const originOf = ({ origin, channeltype }: JsonObject): ConversationOrigin => {
  if (channeltype === SIMULATED_TYPE) return 'simulated'
  return CONVERSATION_ORIGINS.find(one => one === origin) ?? 'person'
}

const DAY_MS = 86_400_000

/** The day (YYYY-MM-DD) so many days before one. */
export const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10)

/** Day of a moment in a time zone. */
export const dayIn = (moment: number, zone: string): string =>
  new Date(localTime(moment, zone)).toISOString().slice(0, 10)

/** The days of one time zone that days of another touch. */
export const touchedDays = (
  { from, to }: { readonly from: string; readonly to: string },
  zone: string,
  other: string,
): { readonly from: string; readonly to: string } => ({
  from: dayIn(momentOf(Date.parse(from), zone), other),
  to: dayIn(momentOf(Date.parse(to) + DAY_MS, zone) - 1, other),
})

const newFact = ({ data, time }: FactEvent): ConversationFact => {
  const started = Date.parse(time)
  const zone = textOf(data.timezone) || DEFAULT_ZONE
  return {
    bot: textOf(data.bot),
    person: textOf(data.person),
    started,
    day: dayIn(started, zone),
    hour: new Date(localTime(started, zone)).getUTCHours(),
    zone,
    release: Number(data.release),
    channel: textOf(data.channeltype),
    origin: originOf(data),
    version: typeof data.definitions === 'number' ? data.definitions : FIRST_VERSION,
    ...{ moved: false, base: 0, inputs: [], days: [], received: 0, said: 0, turns: 0 },
    ...{ texts: 0, unrecognized: 0, unclear: 0, answers: {}, answerMs: 0 },
    ...{ withAgent: false, isWaiting: false, input: '', hasFailed: false, retained: false, connected: false },
    ...{
      entered: [],
      completed: [],
      reachedGoal: false,
      costs: {},
      delivered: 0,
      ratings: {},
      reason: '',
      leftQuestion: false,
      reopened: false,
    },
  }
}

const withItem = (items: readonly string[], item: string): readonly string[] =>
  items.includes(item) ? items : [...items, item].toSorted()

/** Inputs without words of the person. */
const WORDLESS: ReadonlySet<unknown> = new Set(['opening', 'menu'])

const received = (fact: ConversationFact, { data, time, revision }: FactEvent): ConversationFact => {
  const at = Date.parse(time)
  const inputs = [...fact.inputs, [fact.base + revision, at] as const]
  if (WORDLESS.has(data.kind)) return { ...fact, inputs }
  const isAnswer = fact.received === 0 && fact.turns <= 1 && typeof data.campaign === 'string'
  return {
    ...fact,
    costs: isAnswer ? withPrice(fact.costs, data.price) : fact.costs,
    inputs,
    received: fact.received + 1,
    days: withItem(fact.days, dayIn(at, fact.zone)),
    origin: isAnswer && fact.origin === 'person' ? 'campaign' : fact.origin,
  }
}

/** Blocks that are the goals of a dialog without markers of goals. */
const ENDS: ReadonlySet<unknown> = new Set(['enddialog', 'endconversation'])
/** Whether a step entered a goal of its dialog. Steps say so where their dialog has markers of goals. */
const isGoal = ({ type, goal }: JsonObject): boolean => (typeof goal === 'boolean' ? goal : ENDS.has(type))

/** Input whose kind the turn does not name: it is a message, else a timer, a schedule or an agent. */
const kindOf = (data: JsonObject, ofMessage: boolean): string =>
  textOf(data.inputkind) || (ofMessage ? 'unknown' : 'none')

const turned = (fact: ConversationFact, { type, data, time }: FactEvent): ConversationFact => {
  const at = Date.parse(time)
  const asked = fact.inputs.find(([revision]) => revision === data.input)
  const input = kindOf(data, asked !== undefined)
  const steps = objectsOf(data.steps)
  const goals = steps.filter(isGoal)
  const isOwn = data.release === undefined || data.release === fact.release
  const dialogsOf = (known: readonly string[], of: readonly JsonObject[]) =>
    isOwn ? of.reduce((all, { dialog }) => withItem(all, textOf(dialog)), known) : known
  const isText = input === 'text' && !fact.withAgent
  const said = Array.isArray(data.blocks) ? data.blocks.length : 0
  const isAnswer = asked !== undefined && !fact.withAgent
  const ms = isAnswer ? Math.max(0, at - asked[1]) : 0
  const bucket = String(bucketOf(ms))
  const { wait } = data
  const after: ConversationFact = {
    ...fact,
    inputs: fact.inputs.filter(one => one !== asked),
    turns: fact.turns + 1,
    said: fact.said + said,
    texts: fact.texts + Number(isText),
    unrecognized: fact.unrecognized + Number(isText && isObject(data.unrecognized)),
    unclear: fact.unclear + Number(input === 'unknown' && !fact.withAgent),
    answers: isAnswer ? { ...fact.answers, [bucket]: (fact.answers[bucket] ?? 0) + 1 } : fact.answers,
    answerMs: fact.answerMs + ms,
    withAgent: data.status === 'agent',
    isWaiting: isObject(wait),
    input,
    hasFailed: type === 'TurnFailed',
    retained: fact.retained || data.retained === true,
    entered: dialogsOf(
      fact.entered,
      steps.filter(step => step.type === 'start'),
    ),
    completed: dialogsOf(fact.completed, goals),
    reachedGoal: fact.reachedGoal || goals.length > 0,
  }
  const reason = textOf(data.ended)
  return reason === '' ? after : ended({ ...after, isWaiting: fact.isWaiting, withAgent: fact.withAgent }, reason, at)
}

const ended = (fact: ConversationFact, reason: string, at: number): ConversationFact =>
  fact.ended === undefined
    ? { ...fact, ended: at, reason, leftQuestion: fact.isWaiting && !fact.withAgent, isWaiting: false, inputs: [] }
    : fact

const handedOver = (fact: ConversationFact): Handoff =>
  fact.input === 'menu' ? 'menu' : fact.input === 'agent' ? 'takeover' : 'flow'

const rated = (fact: ConversationFact, { rating, scale, score }: Readonly<Record<string, Json>>): ConversationFact => {
  const key = String(rating)
  const known = fact.ratings[key]
  if (!isRatingScale(scale)) return fact
  const of = typeof score === 'number' ? { scale, score } : (known ?? { scale })
  return { ...fact, ratings: { ...fact.ratings, [key]: of } }
}

/** A conversation after an event of its deliveries, each of which counts once. */
export const foldDelivery = (
  fact: ConversationFact,
  { data, revision }: Pick<StoredEvent, 'data' | 'revision'>,
): ConversationFact =>
  revision <= fact.delivered ? fact : { ...fact, delivered: revision, costs: withPrice(fact.costs, data.price) }

/** A conversation after an event of one of its streams; undefined before its first event. */
export const foldConversationFact = (
  fact: ConversationFact | undefined,
  event: FactEvent,
): ConversationFact | undefined => {
  const { type, data, time } = event
  if (fact === undefined) return type === 'ConversationStarted' ? newFact(event) : undefined
  switch (type) {
    case 'MessageReceived':
      return received(fact, event)
    case 'TurnTaken':
    case 'TurnFailed':
      return turned(fact, event)
    case 'ConversationMoved':
      return { ...fact, moved: true }
    case 'ConversationContinued':
      return { ...fact, base: Number((data.bases as readonly number[]).at(-1)) }
    case 'AgentRequested':
      return { ...fact, handoff: fact.handoff ?? handedOver(fact) }
    case 'AgentConnected':
      return { ...fact, connected: true }
    case 'RatingAsked':
    case 'ConversationRated':
      return rated(fact, data)
    case 'ConversationEnded':
      return ended(fact, textOf(data.reason), Date.parse(time))
    default:
      return fact
  }
}
