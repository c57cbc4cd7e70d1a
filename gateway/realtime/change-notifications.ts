import type { Access, Applied, ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE, scopeOf } from '#projections/scope.ts'
import type { Present, Rooms } from '#realtime/port.ts'
import { isEntityName } from '#schemas/entities/registry.ts'
import { Subtrees } from '../http/guard.ts'
import type { Parts } from '../port.ts'

type Touched = Applied['touched'][number]

/** Of one entity at most so many changed things are named; of more it is only said that there are some. */
const MAX_NAMED = 50
/** Changes within this time are sent together. */
const GATHER_MS = 100
/** Changes are kept for so long for clients whose socket comes later than their page. */
const KEPT_MS = 60_000
const MAX_KEPT = 5_000

/** Things of one entity that changed; without ids there are too many to name. */
interface Change {
  readonly entity: string
  readonly ids?: readonly string[]
}

interface PlacedChange {
  readonly entity: string
  readonly things: readonly { readonly id: string; readonly level: string | null }[] | undefined
}

const byEntity = (touched: readonly Touched[]): ReadonlyMap<string, readonly string[]> => {
  const ids = new Map<string, Set<string>>()
  for (const { entity, id } of touched) {
    const those = ids.get(entity)
    if (those === undefined) ids.set(entity, new Set([id]))
    else those.add(id)
  }
  return new Map([...ids].map(([entity, those]) => [entity, [...those]]))
}

/** The changed things with their levels. */
const placedChanges = (read: ReadModels, touched: readonly Touched[]): Promise<readonly PlacedChange[]> =>
  Promise.all(
    [...byEntity(touched)].map(async ([entity, ids]) => {
      if (ids.length > MAX_NAMED) return { entity, things: undefined }
      const rows = await Promise.all(
        ids.map(async id => ({ id, row: await read.detail(SYSTEM_SCOPE, entity, id, { removed: true }) })),
      )
      return {
        entity,
        things: rows.flatMap(({ id, row }) =>
          row === undefined ? [] : [{ id, level: typeof row.hierarchylevel === 'string' ? row.hierarchylevel : null }],
        ),
      }
    }),
  )

/** Changes that a session may see: of readable entities, in its subtree. */
const visibleChanges = async (
  changes: readonly PlacedChange[],
  access: Access,
  subtrees: Subtrees,
): Promise<readonly Change[]> => {
  const scope = scopeOf(access)
  const levels = await subtrees.of(access.home, scope)
  return changes.flatMap(({ entity, things }) => {
    if (scope.readable !== 'all' && !scope.readable.has(entity)) return []
    if (things === undefined) return [{ entity }]
    const ids = things.flatMap(({ id, level }) => (level === null || levels.has(level) ? [id] : []))
    return ids.length === 0 ? [] : [{ entity, ids }]
  })
}

interface Listener {
  readonly socket: { emit(event: 'changeEmit', change: Change): void }
  readonly session: string
}

/** Tells each client what changed that it may read, as `changeEmit`. */
export const openChangeNotifier = (
  { read, log }: Pick<Parts, 'read' | 'log'>,
  listeners: ReadonlySet<Listener>,
  accessOf: (session: string) => Access | undefined,
) => {
  const subtrees = new Subtrees(read)
  let kept: (Touched & { readonly time: number })[] = []
  const waiting: Touched[] = []
  let timer: NodeJS.Timeout | undefined
  const tell = async (touched: readonly Touched[], those: Iterable<Listener>) => {
    const changes = await placedChanges(read, touched)
    for (const { socket, session } of those) {
      const access = accessOf(session)
      if (access === undefined) continue
      for (const change of await visibleChanges(changes, access, subtrees)) socket.emit('changeEmit', change)
    }
  }
  const tellLater = (touched: readonly Touched[], those: Iterable<Listener>) =>
    void tell(touched, those).catch(error => log.error(error))
  return {
    take(touched: Applied['touched']) {
      subtrees.follow({ touched })
      const time = Date.now()
      const fresh = touched.filter(({ entity }) => isEntityName(entity))
      if (fresh.length === 0) return
      kept = [...kept.filter(each => time - each.time < KEPT_MS), ...fresh.map(each => ({ ...each, time }))].slice(
        -MAX_KEPT,
      )
      if (listeners.size === 0) return
      waiting.push(...fresh)
      timer ??= setTimeout(() => {
        timer = undefined
        tellLater(waiting.splice(0), listeners)
      }, GATHER_MS)
    },
    /** Sends changes of the last `since` ms, when the client had its page but no socket yet. */
    catchUp(listener: Listener, since: number) {
      const begun = Date.now() - since
      const missed = kept.filter(({ time }) => time >= begun)
      if (missed.length > 0) tellLater(missed, [listener])
    },
    stop: () => clearTimeout(timer),
  }
}

const FLOWS: ReadonlyMap<string, Present['kind']> = new Map([
  ['dialogcomment', 'dialog'],
  ['handlercomment', 'handler'],
])

/** Open flows about which something was said, changed or settled, each once. */
export const flowsWithChangedComments = async (
  read: ReadModels,
  rooms: Rooms,
  touched: Applied['touched'],
): Promise<readonly Present[]> => {
  const open = rooms.present()
  const spoken = touched.filter(({ entity }) => FLOWS.has(entity))
  if (open.length === 0 || spoken.length === 0) return []
  const ids = await Promise.all(
    spoken.map(async ({ entity, id }) => {
      const row = await read.detail(SYSTEM_SCOPE, entity, id, { removed: true })
      return row?.[FLOWS.get(entity) ?? '']
    }),
  )
  const wanted = new Set(ids)
  return open.filter(({ id }) => wanted.has(id))
}
