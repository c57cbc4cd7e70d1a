import { setTimeout as pause } from 'node:timers/promises'
import { listReleases } from '#commands/release/make-release.ts'
import { type EventStore, WrongRevision } from '#commands/store/port.ts'
import type { Effect } from '#domain/conversation/effect.ts'
import type { Outcome } from '#domain/expression/engine.ts'
import { type Evaluator, outcomeOf } from '#domain/expression/interruptible.ts'
import { prepareJob } from '#domain/expression/run-job.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { openDeskDirectory } from '#runtime/agent/desk/desk-directory.ts'
import { DeskLink } from '#runtime/agent/desk/desk-port.ts'
import { agentTimeouts, askAgentForBot, openAgents } from '#runtime/agent/open-agents.ts'
import type { OpenConversations } from '#runtime/conversation/conversation-port.ts'
import { openExternalServices, performEffect } from '#runtime/conversation/effect/perform-effect.ts'
import { levelChain, turnSettings } from '#runtime/conversation/effect/turn-settings.ts'
import { openConversations } from '#runtime/conversation/open-conversations.ts'
import { openHolidays } from '#runtime/isolation/pooled-work.ts'
import type { OutboundAnswer, OutboundRequest } from '#runtime/outbound/call.ts'
import type { RuntimeParts } from '#runtime/parts.ts'
import type { Releases } from '#runtime/port.ts'
import { openSampleService } from '#runtime/sample/service/open-service.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { CONVERSATION_PREFIX } from '#schemas/events/conversation.ts'
import { DESK_PLACE_PREFIX } from '#schemas/events/desk.ts'
import { accepted } from '#schemas/refusal.ts'
import { AGENTS } from '../content/people.ts'
import { DAY, type IdOf, storyTime, type When } from '../plan.ts'
import type { PastBot } from './beginnings.ts'
import { PastClock, PastWork } from './past-clock.ts'
import { PastPlay } from './play-past.ts'
import { ScratchStore } from './scratch-store.ts'

/** Streams of the past that are copied, agents last. */
const COPIED = [CONVERSATION_PREFIX, 'botuser-', DESK_PLACE_PREFIX]
/** Streams copied together, and the pause after them, ms: readers of the log share this thread. */
const TOGETHER = 8
const BREATH_MS = 2

interface CopyStreams {
  readonly log: Pick<EventStore, 'append'>
  readonly signal: AbortSignal
  /** Whether it is still for this node to copy. */
  readonly isOurs: () => Promise<boolean>
  /** Called with the share of the streams that are copied, 0 to 1. */
  readonly made: (share: number) => void
}

/** Copies streams that the log does not have yet. False when interrupted. */
export const copyStreams = async (
  streams: ReadonlyMap<string, readonly StoredEvent[]>,
  { log, signal, isOurs, made }: CopyStreams,
): Promise<boolean> => {
  const all = COPIED.flatMap(prefix => [...streams].filter(([stream]) => stream.startsWith(prefix)))
  for (let first = 0; first < all.length; first += TOGETHER) {
    if (signal.aborted || !(await isOurs())) return false
    await Promise.all(
      all.slice(first, first + TOGETHER).map(async ([stream, events]) => {
        const drafts = events.map(({ stream: _, revision: _r, position: _p, ...event }) => event)
        // An earlier start copied it.
        await log.append(stream, 0, drafts).catch(error => {
          if (!(error instanceof WrongRevision)) throw error
        })
      }),
    )
    made(first / all.length)
    await pause(BREATH_MS)
  }
  return true
}

interface MakePast {
  readonly parts: RuntimeParts
  /** Log of the installation's conversations. */
  readonly log: EventStore
  readonly seed: string
  readonly bots: readonly PastBot[]
  readonly agents: readonly string[]
  /** ms since 1970: the past ends here. */
  readonly until: number
  readonly signal: AbortSignal
  readonly isOurs: () => Promise<boolean>
  /** Share of the work that is done, 0 to 1. */
  readonly made: (share: number) => void
}

/** The sample's services of the past: the records of the health department were away for some hours. */
const serviceOf = (clock: PastClock, until: number) => {
  const service = openSampleService()
  const from = until - 11 * DAY
  return (request: OutboundRequest): OutboundAnswer => {
    const isAway = request.url.includes('prontuario') && clock.now() > from && clock.now() < from + DAY / 4
    const answer = isAway ? undefined : service(request)
    if (answer !== undefined) return answer
    // Calls are repeated at once: pauses between them would be real ones.
    const missing = isAway ? { status: 503, headers: [['retry-after', '0'] as const] } : { status: 404, headers: [] }
    return { ...missing, url: request.url, redirects: 0, body: new Uint8Array(), truncated: false }
  }
}

/** Evaluates on this thread: flows of the sample are trusted, and sending values to a process takes most of a turn. */
const ownEvaluator: Evaluator = {
  evaluate: async job => outcomeOf(await prepareJob(job).catch(() => undefined), job),
  async evaluateAll(jobs) {
    const began = performance.now()
    const outcomes: Outcome<unknown>[] = []
    for (const { job } of jobs) outcomes.push(await ownEvaluator.evaluate(job))
    return { outcomes, ms: performance.now() - began }
  },
}

/** Reads that are the same for the whole past. */
const kept = <A extends readonly unknown[], T>(readOne: (...given: A) => Promise<T>): ((...given: A) => Promise<T>) => {
  const known = new Map<string, Promise<T>>()
  return (...given) => {
    const key = JSON.stringify(given)
    const value = known.get(key) ?? readOne(...given)
    known.set(key, value)
    return value
  }
}

/** Read models that read each row and list once: requests of people share the worker that reads them. */
const keptReads = (read: ReadModels): ReadModels => {
  const own: Pick<ReadModels, 'detail' | 'list' | 'levels'> = {
    detail: kept(read.detail.bind(read)) as ReadModels['detail'],
    list: kept(read.list.bind(read)) as ReadModels['list'],
    levels: kept(read.levels.bind(read)),
  }
  return new Proxy(read, {
    get: (target, name) => {
      const member: unknown = Reflect.get(own, name) ?? Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

/** Releases as they were at the moment of the clock. */
const pastReleases = ({ store, releases }: Pick<RuntimeParts, 'store' | 'releases'>, clock: PastClock): Releases => {
  const listed = kept((bot: string) => listReleases(store, bot))
  return {
    ...releases,
    newest: async bot => (await listed(bot)).findLast(({ time }) => Date.parse(time) <= clock.now()),
    at: async (bot, moment) => (await listed(bot)).findLast(({ time }) => Date.parse(time) <= moment)?.number ?? 0,
  }
}

/** ms that effects usually take in the past; those of other kinds take none. */
const USUAL_MS: Partial<Readonly<Record<Effect['kind'], number>>> = { evaluate: 4, script: 15, nlu: 40, rest: 240 }

interface PastParts {
  readonly clock: PastClock
  readonly watch: PastWork
  readonly store: EventStore
  readonly newId: () => string
}

/**
 * The service of conversations over a store in memory and the clock of the past; its desk has its own link, so that no
 * chat of the past reaches the desk of the installation.
 */
const pastConversations = (
  { parts: given, until, agents: people }: Pick<MakePast, 'parts' | 'until' | 'agents'>,
  { clock, watch, store, newId }: PastParts,
) => {
  const read = watch.watched(keptReads(given.read))
  const [keys, commands, work] = [watch.watched(given.keys), watch.watched(given.commands), watch.watched(given.work)]
  const releases = watch.watched(given.releases)
  const parts = { ...given, read, keys, commands, work, releases, store: watch.watched(given.store) }
  const now = () => clock.now()
  const answer = serviceOf(clock, until)
  const call: RuntimeParts['call'] = async request => accepted(answer(request))
  const rowOf = (id: string) => read.detail(SYSTEM_SCOPE, 'bot', id)
  const bot = async (id: string): Promise<RowOf<'bot'> | undefined> => {
    const row = await rowOf(id)
    // A restart that is still to come moves no conversation.
    return row && Date.parse(row.restarted_at ?? '') > now() ? { ...row, restarted_at: null } : row
  }
  const outside = openExternalServices({ ...parts, call })
  const link = new DeskLink()
  const openSocket = () => {
    throw new Error('no agent system outside is part of the past')
  }
  const agents = openAgents({ read, commands, call, openSocket, work, desk: link, now })
  const found = openDeskDirectory(read, openHolidays(work))
  const keptBot = async (id: string): Promise<RowOf<'bot'>> => {
    const row = await rowOf(id)
    if (row === undefined) throw new Error(`bot ${id} was removed`)
    return row
  }
  const settings = kept(async (id: string, locale: string) => turnSettings(parts, await keptBot(id), locale))
  const secrets = kept(async (id: string) => outside.of(await keptBot(id)).secrets())
  const desk: OpenConversations['desk'] = {
    // Agents of the past have no session at present, and their rights do not change.
    directory: watch.watched({ ...found, hasSession: () => true, onChanged: () => () => undefined }),
    connect: own => link.connect(own),
    channelOf: async id => {
      const query = { page: 1, size: 1, sort: 'created_at', filter: { bot: id, type: 'parley', enable: true } }
      return (await read.list(SYSTEM_SCOPE, 'agentchannel', query)).items[0]?.id
    },
    notify: () => undefined,
  }
  const options: OpenConversations = {
    ...{
      store,
      keys: parts.keys,
      releases: pastReleases(parts, clock),
      bot,
      now,
      newId,
      driven: { later: (ms: number, act: () => void) => clock.after(ms, act) },
      isAlone: true,
    },
    file: ':memory:',
    metricsFile: ':memory:',
    channel: id => read.detail(SYSTEM_SCOPE, 'channel', id),
    levelsAbove: level => levelChain(read, level),
    settings: (row, locale) => settings(row.id, locale),
    perform: async (row, effect, model) => {
      const answer = await performEffect(effect, {
        ...outside.of(row, model),
        evaluator: ownEvaluator,
        secrets: () => secrets(row.id),
        askAgent: asked => askAgentForBot({ agents }, row)(asked),
      })
      const ms = Math.round((USUAL_MS[effect.kind] ?? 0) * (0.6 + (now() % 9) / 10))
      clock.pass(ms)
      return { ...answer, ms }
    },
    agents: { agents, timeouts: agentTimeouts(read), webhook: path => path },
    ...(people.length === 0 ? {} : { desk }),
    failed: error => parts.log.error(error),
  }
  return { options, close: () => found.close() }
}

const PLAYED = 0.85

/**
 * Makes two months of conversations: people of the past talk to the bots, and agents answer them, in memory; then each
 * conversation is copied to the log in one append. May be interrupted and repeated: a second start plays the same past
 * and copies what is missing. Returns false when interrupted.
 */
const makePast = async (given: MakePast): Promise<boolean> => {
  const { made, parts } = given
  const clock = new PastClock(Math.min(...given.bots.map(({ since }) => since)))
  const work = new PastWork()
  const scratch = new ScratchStore()
  const store = work.watched<EventStore>(scratch)
  const { options, close } = pastConversations(given, { clock, watch: work, store, newId: () => play.newId() })
  const conversations = await openConversations(options)
  const play = new PastPlay({ ...given, clock, work, conversations, made: share => made(share * PLAYED) })
  try {
    if (!(await play.run())) return false
  } finally {
    await conversations.close().catch(error => parts.log.error(error))
    close()
  }
  return copyStreams(scratch.streams, { ...given, made: share => made(PLAYED + share * (1 - PLAYED)) })
}

interface Talked {
  readonly key: string
  /** Conversations of a usual day. */
  readonly daily: number
  /** When it could first be talked to. */
  readonly since: When
  /** Its people may talk to an agent. */
  readonly desk?: PastBot['deskDay']
}

const BOTS: readonly Talked[] = [
  { key: 'varejo', daily: 6, since: [2, '15:30'], desk: { people: 34, wish: 'Falar' } },
  { key: 'saude', daily: 5, since: [3, '10:35'] },
  { key: 'energia', daily: 3, since: [3, '15:15'] },
]

interface SamplePast extends Omit<MakePast, 'seed' | 'bots' | 'agents' | 'until'> {
  readonly idOf: IdOf
  /** The moment of the first start. */
  readonly now: Date
}

/**
 * Makes the conversations of the sample's two months, those of each bot beside the others: most of a turn waits for
 * other threads and processes. Returns false when interrupted.
 */
export const makeSamplePast = async ({ idOf, now, made, ...given }: SamplePast): Promise<boolean> => {
  const shares = new Map<string, number>()
  const pasts = BOTS.map(({ key, daily, since, desk }) =>
    makePast({
      ...given,
      seed: idOf('past', 'sample'),
      until: now.getTime(),
      agents: desk === undefined ? [] : AGENTS.map(agent => idOf('user', agent)),
      bots: [
        {
          bot: idOf('bot', key),
          channel: idOf('channel', `${key}/site`),
          daily,
          since: storyTime(now, ...since).getTime(),
          understands: key === 'saude',
          ...(desk === undefined ? {} : { deskDay: desk }),
        },
      ],
      made(share) {
        shares.set(key, share)
        made([...shares.values()].reduce((sum, one) => sum + one, 0) / BOTS.length)
      },
    }),
  )
  return !(await Promise.all(pasts)).includes(false)
}
