import type { FastifyBaseLogger } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Follower } from '#commands/store/follow.ts'
import type { EventStore } from '#commands/store/port.ts'
import { TURN_LIMIT_NAMES } from '#domain/conversation/limits.ts'
import type { ReadModels } from '#projections/port.ts'
import type { OpenRooms } from '#realtime/rooms.ts'
import type { ConversationsWithExchange } from '#runtime/conversation/compose-conversations.ts'
import { effectOutcome, isAbsent, isBelowThreshold } from '#runtime/conversation/engine/run-turn.ts'
import type { Meters } from '#runtime/parts.ts'

/** Prometheus metrics of one gateway. Has its own registry, so that several gateways fit into one process. */
export interface Metrics {
  readonly registry: Registry
  readonly requests: Histogram<'method' | 'route' | 'status'>
  readonly appends: Counter<'outcome'>
  readonly appendSeconds: Histogram
  readonly signIns: Counter<'outcome'>
  readonly stored: Histogram
  readonly deliveries: Counter
  readonly rejectedFrames: Counter
  readonly hints: Counter<'outcome'>
  readonly gaps: Counter
  readonly limited: Counter<'limit' | 'scope'>
  readonly replacements: Counter
  readonly cuts: Counter<'reason'>
  readonly turns: Counter<'result'>
  readonly takeOvers: Counter<'work'>
  readonly mails: Counter<'outcome'>
  readonly turnSeconds: Histogram<'outcome'>
  readonly effects: Histogram<'kind' | 'outcome'>
  readonly channelDeliveries: Counter<'channel' | 'outcome'>
  readonly nlu: Histogram
  readonly nluBelowThreshold: Counter
  readonly webhookDeliveries: Counter<'outcome'>
  readonly refusedTokens: Counter
  /** Evaluated when the metrics are read. */
  observe(name: string, help: string, value: () => number | Promise<number>): void
  /** One figure for each value of a label. */
  observeEach(name: string, help: string, label: string, values: () => Iterable<readonly [string, number]>): void
}

const SECOND_MS = 1_000
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Their labels are known: an increase from 0 to 1 shows too. */
const counterOf = <T extends string>(
  registers: Registry[],
  name: string,
  help: string,
  label: T,
  values: readonly string[],
): Counter<T> => {
  const made = new Counter<T>({ name, help, labelNames: [label], registers })
  for (const value of values) made.inc({ [label]: value } as Record<T, string>, 0)
  return made
}

/** Figures of the connection to the store, and of the work of conversations and campaigns. */
const workCounters = (
  registers: Registry[],
): Pick<Metrics, 'replacements' | 'cuts' | 'turns' | 'takeOvers' | 'webhookDeliveries' | 'mails'> => ({
  replacements: new Counter({
    name: 'parley_store_client_replacements_total',
    help: 'Clients of the event store without answers that were replaced',
    registers,
  }),
  cuts: counterOf(
    registers,
    'parley_store_subscription_cuts_total',
    'Subscriptions of the event store that ended: slow (consumer too slow), silent or failed',
    'reason',
    ['slow', 'silent', 'failed'],
  ),
  turns: counterOf(
    registers,
    'parley_turns_total',
    'Turns by result: done, internal (a fault of the program, never expected), or the limit that was exceeded',
    'result',
    ['done', 'internal', ...TURN_LIMIT_NAMES],
  ),
  webhookDeliveries: counterOf(
    registers,
    'parley_webhook_deliveries_total',
    'Attempts to send an event to a webhook: arrived, failing (tried again later) or givenup',
    'outcome',
    ['arrived', 'failing', 'givenup'],
  ),
  takeOvers: counterOf(
    registers,
    'parley_takeovers_total',
    'Work taken over from another node: turn, agentchat or sender (the number of a campaign)',
    'work',
    ['turn', 'agentchat', 'sender'],
  ),
  mails: counterOf(
    registers,
    'parley_mail_total',
    'Attempts to send mail: sent, later (tried again), bounced or givenup (after 24 hours)',
    'outcome',
    ['sent', 'later', 'bounced', 'givenup'],
  ),
})

type TalkFigures = Pick<Metrics, 'turnSeconds' | 'effects' | 'channelDeliveries' | 'nlu' | 'nluBelowThreshold'>

/** Figures of conversations. No label names a bot, a level or a person: their number has no bound. */
const talkFigures = (registers: Registry[]): TalkFigures => ({
  turnSeconds: new Histogram({
    name: 'parley_turn_seconds',
    help: 'Time from the begin of a turn until it is stored, by its result',
    ...{ labelNames: ['outcome'], registers, buckets: SECONDS },
  }),
  effects: new Histogram({
    name: 'parley_effect_seconds',
    help: 'Time of effects of turns by kind: done, failed, or absent (the bot has no such service)',
    ...{ labelNames: ['kind', 'outcome'], registers, buckets: SECONDS },
  }),
  channelDeliveries: new Counter({
    name: 'parley_channel_deliveries_total',
    help: 'Calls of providers with a message by type of channel: sent, retry, unauthorized, unknown or final (refused)',
    ...{ labelNames: ['channel', 'outcome'], registers },
  }),
  nlu: new Histogram({
    name: 'parley_nlu_seconds',
    help: 'Time in which texts were understood',
    ...{ registers, buckets: SECONDS },
  }),
  nluBelowThreshold: new Counter({
    name: 'parley_nlu_below_threshold_total',
    help: 'Texts whose likeliest intent was less certain than their model asks for',
    registers,
  }),
})

export const openMetrics = (): Metrics => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 })
  const counter = <T extends string = never>(name: string, help: string, labelNames: readonly T[] = []) =>
    new Counter<T>({ name, help, labelNames, registers })
  const histogram = <T extends string = never>(name: string, help: string, labelNames: readonly T[] = []) =>
    new Histogram<T>({ name, help, labelNames, registers, buckets: SECONDS })
  return {
    registry,
    requests: histogram('parley_http_request_seconds', 'Time from request to answer', ['method', 'route', 'status']),
    appends: counter('parley_store_appends_total', 'Appends by outcome: written, conflict or failed', ['outcome']),
    appendSeconds: histogram('parley_store_append_seconds', 'Time from an append asked for to its outcome'),
    signIns: counter('parley_sign_ins_total', 'Sign-ins by outcome', ['outcome']),
    stored: histogram('parley_room_stored_seconds', 'Time from an edit received to its durable storage'),
    deliveries: counter('parley_room_deliveries_total', 'Messages relayed to members of rooms'),
    rejectedFrames: counter('parley_room_rejected_frames_total', 'Frames refused in rooms'),
    hints: counter('parley_hints_total', 'Hints between nodes: sent, received, or why they were dropped', ['outcome']),
    gaps: counter('parley_room_gaps_total', 'Times that a room read edits of others from the log'),
    limited: counter('parley_open_limited_total', 'Calls without a session refused by a limit', ['limit', 'scope']),
    refusedTokens: counter('parley_tokens_refused_total', 'Calls with an API token that was not accepted'),
    ...workCounters(registers),
    ...talkFigures(registers),
    observe(name, help, value) {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await value())
        },
      })
    },
    observeEach(name, help, label, values) {
      new Gauge({
        ...{ name, help, registers, labelNames: [label] },
        collect() {
          this.reset()
          for (const [of, value] of values()) this.set({ [label]: of }, value)
        },
      })
    },
  }
}

interface GaugeSources {
  readonly metrics: Metrics
  readonly read: Pick<ReadModels, 'status'>
  readonly readiness: { followers(): readonly Follower[] }
  readonly store: Pick<EventStore, 'countAfter'>
}

/** Metrics computed when they are read. */
export function registerGauges(
  { metrics, read, readiness, store }: GaugeSources,
  rooms: OpenRooms,
  conversations: Pick<ConversationsWithExchange, 'inboxAge' | 'turnsWaiting' | 'openedExchange'>,
): void {
  // Read from the log itself: a node's received hints do not show the missed ones.
  const lag = async () => {
    const { position, behind } = read.status()
    return Math.max(behind, await store.countAfter(position).catch(() => behind))
  }
  metrics.observe('parley_projection_lag_events', 'Events not yet shown by the read models, about', lag)
  const lateWaits = 'Waits for the read models of this node that ended at their limit, since its start'
  metrics.observe('parley_read_model_late_waits', lateWaits, () => read.status().lateWaits)
  const failing = () => readiness.followers().filter(({ isFailing }) => isFailing).length
  metrics.observe('parley_failing_followers', 'Parts of this node that fail to read the log', failing)
  const seconds = (of: (follower: Follower) => number) => () =>
    readiness.followers().map(follower => [follower.name, of(follower) / 1000] as const)
  const age = 'Seconds for which a part of this node has failed to read the log, or has handled one event'
  metrics.observeEach(
    'parley_follower_age_seconds',
    age,
    'follower',
    seconds(follower => follower.age()),
  )
  const behind = 'Seconds from the event that a part of this node reads until now'
  metrics.observeEach(
    'parley_follower_lag_seconds',
    behind,
    'follower',
    seconds(follower => follower.lag()),
  )
  const inbox = 'Seconds since the oldest input of a conversation without an answer, as far as this node knows'
  metrics.observe('parley_inbox_age_seconds', inbox, async () => (await conversations.inboxAge()) / 1000)
  metrics.observe('parley_turns_waiting', 'Inputs whose turns run on this node', () => conversations.turnsWaiting())
  const backlog = 'Conversations with messages that their provider has not taken, as far as this node knows'
  metrics.observe('parley_channel_backlog', backlog, () => conversations.openedExchange()?.index.backlog() ?? 0)
  metrics.observe('parley_rooms', 'Open flow rooms', () => rooms.count)
  metrics.observe('parley_room_connections', 'Members in all flow rooms', () => rooms.connections)
}

export const metersOf = (metrics: Metrics): Meters => ({
  turned(result, ms) {
    metrics.turns.inc({ result })
    metrics.turnSeconds.observe({ outcome: result }, ms / SECOND_MS)
  },
  tookOver: work => metrics.takeOvers.inc({ work }),
  performed(answer) {
    const { kind, ms } = answer
    const code = effectOutcome(answer)
    const outcome = code === 'done' ? code : isAbsent(code) ? 'absent' : 'failed'
    metrics.effects.observe({ kind, outcome }, ms / SECOND_MS)
    if (kind !== 'nlu' || outcome === 'absent') return
    metrics.nlu.observe(ms / SECOND_MS)
    if (isBelowThreshold(answer)) metrics.nluBelowThreshold.inc()
  },
  called: outcome => metrics.webhookDeliveries.inc({ outcome }),
  delivered: (channel, outcome) => metrics.channelDeliveries.inc({ channel, outcome }),
})

/** Metrics and log lines of rooms. */
export function roomFigures({ stored, deliveries, rejectedFrames, gaps }: Metrics, log: FastifyBaseLogger) {
  return {
    stored: (milliseconds: number) => stored.observe(milliseconds / 1000),
    relayed: (count: number) => deliveries.inc(count),
    gap: () => gaps.inc(),
    // The reason may name what a client sent: it is for the log, not for figures that anyone may read.
    rejected: (flow: string, reason: string, error?: unknown) => {
      rejectedFrames.inc()
      if (error === undefined) log.warn({ flow, reason }, 'a room refused a message')
      else log.error({ flow, reason, err: error }, 'a room could not handle a message')
    },
  }
}
