import type { EventStore, Subscription } from '#commands/store/port.ts'
import type { ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { StoredEvent } from '#schemas/event.ts'

/** What may change what a running bot runs. */
const BOT_EVENTS = ['BotStarted', 'BotRestarted', 'BotFixed', 'BotChanged', 'BotRestored']
const VERBS = ['Published', 'Unpublished', 'Changed', 'Removed', 'Restored', 'Created']
const FLOW_EVENTS = ['Dialog', 'Handler'].flatMap(type => VERBS.map(verb => type + verb))
const PROCESS_EVENTS = ['ProcessStarted', 'ProcessFinished']

interface FollowReleases {
  readonly store: EventStore
  readonly read: ReadModels
  /** Makes the release of one bot; undefined is every bot. */
  readonly make: (bot: string | undefined, cause: StoredEvent) => Promise<void>
  readonly failed: (error: unknown) => void
}

const idIn = ({ stream }: StoredEvent): string => stream.slice(stream.indexOf('-') + 1)

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const fieldsOf = ({ data }: StoredEvent): Readonly<Record<string, unknown>> => {
  const { fields } = data
  return typeof fields === 'object' && fields !== null ? (fields as Readonly<Record<string, unknown>>) : {}
}

/** Whether it can change what a bot runs: changes of other fields are many. */
const matters = (event: StoredEvent): boolean => {
  if (event.type === 'BotChanged') return 'nlumodel' in fieldsOf(event)
  return !/(Changed|Created)$/u.test(event.type) || 'published' in fieldsOf(event)
}

/**
 * Follows the log for what changes the release of a running bot. What one process does makes one release, when it is
 * finished. Returns how to stop; what is under way is waited for.
 */
export const followReleases = ({ store, read, make, failed }: FollowReleases): (() => Promise<void>) => {
  const underWay = new Map<string, Set<string | undefined>>()
  let making: Promise<void> = Promise.resolve()

  const botOfFlow = async (entity: string, id: string): Promise<string | undefined> => {
    const flow = await read.detail(SYSTEM_SCOPE, entity, id)
    const task = textOf(flow?.dialogtask)
    const row = task === undefined ? undefined : await read.detail(SYSTEM_SCOPE, 'dialogtask', task)
    return textOf(row?.bot)
  }
  const botOf = async (event: StoredEvent): Promise<string | undefined> => {
    if (event.type.startsWith('Bot')) return idIn(event)
    return botOfFlow(event.type.startsWith('Dialog') ? 'dialog' : 'handler', idIn(event))
  }
  const makeNext = (bots: Iterable<string | undefined>, cause: StoredEvent) => {
    const wanted = [...new Set(bots)]
    const each = wanted.includes(undefined) ? [undefined] : wanted
    making = making.then(async () => {
      await read.reached(cause.position)
      for (const bot of each) await make(bot, cause).catch(failed)
    }, failed)
  }
  const heard = async (event: StoredEvent): Promise<void> => {
    const { type, correlation } = event
    if (type === 'ProcessStarted') underWay.set(correlation, new Set())
    else if (type === 'ProcessFinished') {
      const bots = underWay.get(correlation)
      underWay.delete(correlation)
      // Begun before this node listened: it may have been about any of them.
      if (bots === undefined || bots.size > 0) makeNext(bots ?? [undefined], event)
    } else if (matters(event)) {
      await read.reached(event.position)
      const bot = await botOf(event)
      const waiting = underWay.get(correlation)
      if (waiting === undefined) makeNext([bot], event)
      else waiting.add(bot)
    }
  }
  const follow = (after: string): Subscription =>
    store.subscribe(
      after,
      { event: event => heard(event).catch(failed) },
      { types: [...BOT_EVENTS, ...FLOW_EVENTS, ...PROCESS_EVENTS] },
    )
  const following = store.head().then(follow)
  following.catch(failed)
  return async () => {
    await (await following.catch(() => undefined))?.stop()
    await making
  }
}
