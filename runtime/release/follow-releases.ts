import { randomUUID } from 'node:crypto'
import { follow } from '#commands/store/follow.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { StoredEvent } from '#schemas/event.ts'

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
export interface ReleaseCause {
  readonly id: string | null
  readonly actor: string | null
  readonly correlation: string
  readonly position: string
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

/** Whether an event can change the content of a bot: changes of other fields are frequent. */
const matters = (event: StoredEvent): boolean => {
  if (event.type === 'BotChanged') return 'nlumodel' in fieldsOf(event) || 'nluproject' in fieldsOf(event)
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
export const followReleases = ({ store, read, make, failed }: FollowReleases): (() => Promise<void>) => {
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
