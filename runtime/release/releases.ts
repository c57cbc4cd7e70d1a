import { randomUUID } from 'node:crypto'
import type { FlowLog } from '#commands/flow/flow-log.ts'
import { createLoader } from '#commands/pipeline/load.ts'
import { listReleases, makeRelease, newestRelease, releaseNumber } from '#commands/release/make-release.ts'
import { follow } from '#commands/store/follow.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Release } from '#domain/conversation/release.ts'
import { modelsOf } from '#domain/nlu-training.ts'
import { type ReleaseContent, releaseContent } from '#domain/release.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { handler as handlerEntity } from '#schemas/entities/handler.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { openCompiledFlows } from '../conversation/effect/compiled-flows.ts'
import type { ReleaseRecord, Releases } from '../port.ts'

/** Events that may change the content of a running bot. */
const BOT_EVENTS = ['BotStarted', 'BotRestarted', 'BotFixed', 'BotChanged', 'BotRestored']
const VERBS = ['Published', 'Unpublished', 'Changed', 'Removed', 'Restored', 'Created']
const FLOW_EVENTS = ['Dialog', 'Handler'].flatMap(type => VERBS.map(verb => type + verb))
/** An event of a project: the release of each of its bots is checked. */
const MODEL_EVENTS = ['NluProjectModelSetForProduction']
const PROCESS_EVENTS = ['ProcessStarted', 'ProcessFinished']
const CAUSES = [...BOT_EVENTS, ...FLOW_EVENTS, ...MODEL_EVENTS]
const FOLLOWED = [...CAUSES, ...PROCESS_EVENTS]

/** Cause of a release, and the log position that was read for it. */
interface ReleaseCause {
  readonly id: string | null
  readonly actor: string | null
  readonly correlation: string
  readonly position: string
  /** Of the event that led to it, ISO 8601 UTC. */
  readonly time?: string
}

interface FollowReleases {
  readonly store: EventStore
  readonly read: ReadModels
  /**
   * Makes the release of one bot; undefined: every bot. Content read for it is valid only if `isCurrent` is true
   * afterwards: else it is from the middle of a process or after a later event, which leads to another release.
   */
  readonly make: (
    bot: string | undefined,
    cause: ReleaseCause,
    isCurrent: (bot: string) => Promise<boolean>,
  ) => Promise<void>
  readonly failed: (error: unknown) => void
}

const idIn = ({ stream }: StoredEvent): string => stream.slice(stream.indexOf('-') + 1)

const fieldsOf = ({ data }: StoredEvent): Readonly<Record<string, unknown>> => {
  const { fields } = data
  return typeof fields === 'object' && fields !== null ? (fields as Readonly<Record<string, unknown>>) : {}
}

/** Whether a change of these fields of a bot can change its release: changes of others are frequent. */
const isOfRelease = (fields: Readonly<Record<string, unknown>>): boolean =>
  'nlumodel' in fields || 'nluproject' in fields

/** Whether an event can change the content of a bot. */
const matters = (event: StoredEvent): boolean => {
  if (event.type === 'BotChanged') return isOfRelease(fieldsOf(event))
  return !/(Changed|Created)$/u.test(event.type) || 'published' in fieldsOf(event)
}

/** The bot of a dialog or handler; undefined where the read models do not show it. */
const botOfFlow = async (
  read: Pick<ReadModels, 'detail'>,
  entity: 'dialog' | 'handler',
  id: string,
): Promise<string | undefined> => {
  const flow = await read.detail(SYSTEM_SCOPE, entity, id)
  return flow && (await read.detail(SYSTEM_SCOPE, 'dialogtask', flow.dialogtask))?.bot
}

/** The bot that an event is about; undefined where the read models do not show it. */
const openBotOf =
  (read: ReadModels) =>
  async (event: StoredEvent): Promise<string | undefined> => {
    if (event.type.startsWith('Bot')) return idIn(event)
    if (MODEL_EVENTS.includes(event.type)) return undefined
    return botOfFlow(read, event.type.startsWith('Dialog') ? 'dialog' : 'handler', idIn(event))
  }

/** Whether an event after a position changes the release of a bot again. */
const openIsFollowed =
  (store: EventStore, botOf: ReturnType<typeof openBotOf>) =>
  async (bot: string, after: string): Promise<boolean> => {
    for await (const event of store.readAll({ after, filter: { types: CAUSES } })) {
      if (!matters(event)) continue
      const other = await botOf(event)
      if (other === undefined || other === bot) return true
    }
    return false
  }

/**
 * Makes every bot's release once, then follows the log for events that change the release of a running bot. A process
 * makes one release, when it has finished. The returned function stops it: it waits for the current release and leaves
 * the others to the next start.
 */
const followReleases = ({ store, read, make, failed }: FollowReleases): (() => Promise<void>) => {
  const underWay = new Map<string, Set<string | undefined>>()
  let making: Promise<void> = Promise.resolve()
  let stopped = false
  const botOf = openBotOf(read)

  const shown = async (position: string): Promise<void> => {
    while (!stopped && !(await read.reached(position)));
  }
  const isAmid = (bot: string) => [...underWay.values()].some(bots => bots.has(bot) || bots.has(undefined))
  const isFollowed = openIsFollowed(store, botOf)
  const makeNext = (bots: Iterable<string | undefined>, cause: ReleaseCause) => {
    const wanted = [...new Set(bots)]
    const each = wanted.includes(undefined) ? [undefined] : wanted
    const isCurrent = async (bot: string) => !(isAmid(bot) || (await isFollowed(bot, cause.position)))
    making = making.then(async () => {
      await shown(cause.position)
      for (const bot of each) if (!stopped) await make(bot, cause, isCurrent).catch(failed)
    }, failed)
  }
  const heard = async (event: StoredEvent): Promise<void> => {
    const { type, correlation } = event
    if (type === 'ProcessStarted') underWay.set(correlation, new Set())
    else if (type === 'ProcessFinished') {
      const bots = underWay.get(correlation)
      underWay.delete(correlation)
      // Started before this node listened: it may have affected any bot.
      if (bots === undefined || bots.size > 0) makeNext(bots ?? [undefined], event)
    } else if (matters(event)) {
      await shown(event.position)
      const bot = await botOf(event)
      const waiting = underWay.get(correlation)
      if (waiting === undefined) makeNext([bot], event)
      else waiting.add(bot)
    }
  }
  const following = follow(store, {
    name: 'releases',
    from: async () => {
      const position = await store.head()
      // Covers flows published while no node ran, and releases not finished when their node died.
      makeNext([undefined], { id: null, actor: null, correlation: randomUUID(), position })
      return position
    },
    filter: { types: FOLLOWED },
    event: heard,
    failed,
  })
  return async () => {
    stopped = true
    await following.stop()
    await making
  }
}

/** Whether a bot runs: every status but `stopped`. */
export const isStarted = (row: RowOf<'bot'> | undefined): row is RowOf<'bot'> =>
  row !== undefined && row.runningstatus !== 'stopped'

/** Content of a bot that is published now. */
const publishedContent = async (read: ReadModels, bot: RowOf<'bot'>): Promise<ReleaseContent> => {
  const tasks = await allRows(read, SYSTEM_SCOPE, 'dialogtask', { bot: bot.id })
  const within = async (entity: 'dialog' | 'handler') => {
    const rows = await Promise.all(tasks.map(task => allRows(read, SYSTEM_SCOPE, entity, { dialogtask: task.id })))
    return rows.flat().map(row => ({ id: row.id, fields: row }))
  }
  const [dialogs, handlers] = await Promise.all([within('dialog'), within('handler')])
  const project = bot.nluproject ? await read.detail(SYSTEM_SCOPE, 'nluproject', bot.nluproject) : undefined
  const production = modelsOf(project?.models).find(model => model.production)
  return releaseContent(bot.id, bot, dialogs, handlers, production?.hash ?? null)
}

interface OpenReleases {
  readonly store: EventStore
  readonly flows: FlowLog
  readonly read: ReadModels
  readonly failed: (error: unknown) => void
}

const FLOW_ACTIONS: ReadonlySet<string> = new Set(['publish', 'publishuntested', 'unpublish', 'remove', 'restore'])

/** Actions that may change the content of running bots, by entity: their answer waits for the releases. */
const LEADING: Readonly<Record<string, ReadonlySet<string>>> = {
  bot: new Set(['start', 'restart', 'fix', 'change', 'restore']),
  dialog: FLOW_ACTIONS,
  handler: FLOW_ACTIONS,
  dialogtask: new Set(['publishall', 'publishuntested', 'remove', 'restore']),
  version: new Set(['apply', 'publishuntested']),
  nluproject: new Set(['setproduction']),
}

/** Bots whose content an action may have changed. The thing itself may have been removed by it. */
const botsOf = async (read: ReadModels, entity: string, id: string): Promise<readonly string[]> => {
  if (entity === 'bot') return [id]
  if (entity === 'nluproject') return (await allRows(read, SYSTEM_SCOPE, 'bot', { nluproject: id })).map(bot => bot.id)
  const row = await read.detail(SYSTEM_SCOPE, entity, id, { removed: true })
  const task = typeof row?.dialogtask === 'string' ? row.dialogtask : undefined
  const holder = task === undefined ? row : await read.detail(SYSTEM_SCOPE, 'dialogtask', task, { removed: true })
  return typeof holder?.bot === 'string' ? [holder.bot] : []
}

/** Limit of complete compiled releases in memory; their flows are cached for longer. */
const MAX_KEPT = 100

type CompiledFlows = ReturnType<typeof openCompiledFlows>

/** Reads releases by number and caches the last used ones, compiled. */
const openCompiled = (store: EventStore, flows: CompiledFlows): Releases['compiled'] => {
  const loader = createLoader(store)
  const kept = new Map<string, Promise<Release>>()
  const nameOf = async (id: string) => {
    const { state } = await loader.load(handlerEntity, id)
    const fields = state.status === 'live' || state.status === 'removed' ? state.fields : {}
    return { name: typeof fields.name === 'string' ? fields.name : '', slow: fields.slow === true }
  }
  const compile = async (bot: string, number: number): Promise<Release> => {
    const release = await releaseNumber(store, bot, number)
    if (release === undefined) throw new Error(`bot ${bot} has no release ${number}`)
    const handlers = Object.entries(release.handlers).map(async ([id, revision]) => ({
      id,
      revision,
      ...(await nameOf(id)),
    }))
    return { ...(await flows.at(release.dialogs, await Promise.all(handlers))), nlumodel: release.nlumodel }
  }
  return (bot, number) => {
    const key = `${bot} ${number}`
    const known = kept.get(key) ?? compile(bot, number)
    kept.delete(key)
    kept.set(key, known)
    known.catch(() => kept.delete(key))
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    return known
  }
}

/** Releases of running bots: made while this node runs, read at exact revisions. */
export const openReleases = ({
  store,
  flows,
  read,
  failed,
}: OpenReleases): { readonly releases: Releases; close(): Promise<void> } => {
  /** Makes the current release of a started bot; nothing for a stopped bot. */
  const make = async (
    bot: string,
    cause: Omit<ReleaseCause, 'position'>,
    isCurrent: (bot: string) => Promise<boolean> = async () => true,
  ): Promise<ReleaseRecord | undefined> => {
    const row = await read.detail(SYSTEM_SCOPE, 'bot', bot)
    if (!isStarted(row)) return undefined
    const content = async () => {
      const now = await read.detail(SYSTEM_SCOPE, 'bot', bot)
      const published = isStarted(now) ? await publishedContent(read, now) : undefined
      return (await isCurrent(bot)) ? published : undefined
    }
    const { id: causation, actor, correlation, time = new Date().toISOString() } = cause
    const author = { time, actor, correlation, causation }
    return makeRelease(store, row.hierarchylevel, content, author)
  }
  const close = followReleases({
    store,
    read,
    failed,
    make: async (one, cause, isCurrent) => {
      if (one !== undefined) return void (await make(one, cause, isCurrent))
      for (const bot of await allRows(read, SYSTEM_SCOPE, 'bot'))
        if (isStarted(bot)) await make(bot.id, cause, isCurrent)
    },
  })

  return {
    releases: {
      newest: async bot =>
        (await newestRelease(store, bot)) ?? (await make(bot, { id: null, actor: null, correlation: randomUUID() })),
      async at(bot, moment) {
        const until = (await listReleases(store, bot)).findLast(({ time }) => Date.parse(time) <= moment)
        return until?.number ?? 0
      },
      compiled: openCompiled(store, openCompiledFlows(flows, read)),
      async made({ entity, action, id, input, actor, correlation, time }) {
        if (LEADING[entity]?.has(action) !== true) return
        if (entity === 'bot' && action === 'change' && !isOfRelease(input)) return
        const cause = { id: null, actor, correlation, ...(time === undefined ? {} : { time }) }
        for (const bot of await botsOf(read, entity, id)) await make(bot, cause)
      },
    },
    close,
  }
}
