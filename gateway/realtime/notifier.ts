import type { Server as HttpServer, IncomingMessage } from 'node:http'
import { Server, type Socket } from 'socket.io'
import { scopeOf } from '#projections/access-model.ts'
import type { Access, Applied, Notification, ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Present, Rooms } from '#realtime/port.ts'
import { closeSocketGracefully } from '#realtime/refuse-upgrade.ts'
import { isEntityName } from '#schemas/entities/registry.ts'
import { DEFAULT_LANGUAGE } from '#schemas/language.ts'
import { createSocketLimit, Subtrees, tokenOf } from '../http/guard.ts'
import { isOwnOrigin } from '../http/headers.ts'
import { clientAddress, sourceOf } from '../http/rate-limit.ts'
import type { Authentication, Parts } from '../port.ts'
import { withTexts } from '../routes/notification.ts'

type Touched = Applied['touched'][number]

/** Of one entity at most so many changed things are named; of more it is only said that there are some. */
const MAX_NAMED = 50
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

interface ChangeListener {
  readonly socket: { emit(event: 'changeEmit', change: Change): void }
  readonly session: string
}

/** Tells each client what changed that it may read, as `changeEmit`. */
const openChangeNotifier = (
  { read, log }: Pick<Parts, 'read' | 'log'>,
  listeners: ReadonlySet<ChangeListener>,
  accessOf: (session: string) => Access | undefined,
) => {
  const subtrees = new Subtrees(read)
  let kept: (Touched & { readonly time: number })[] = []
  const waiting: Touched[] = []
  let timer: NodeJS.Timeout | undefined
  const tell = async (touched: readonly Touched[], those: Iterable<ChangeListener>) => {
    const changes = await placedChanges(read, touched)
    for (const { socket, session } of those) {
      const access = accessOf(session)
      if (access === undefined) continue
      for (const change of await visibleChanges(changes, access, subtrees)) socket.emit('changeEmit', change)
    }
  }
  const tellLater = (touched: readonly Touched[], those: Iterable<ChangeListener>) =>
    void tell(touched, those).catch(error => log.error(error))
  return {
    take(touched: Applied['touched']) {
      const time = Date.now()
      const fresh = touched.filter(({ entity }) => isEntityName(entity))
      if (fresh.length === 0) return
      for (const each of fresh) kept.push({ ...each, time })
      if (kept.length > 2 * MAX_KEPT) kept = kept.slice(-MAX_KEPT)
      if (listeners.size === 0) return
      waiting.push(...fresh)
      timer ??= setTimeout(() => {
        timer = undefined
        tellLater(waiting.splice(0), listeners)
      }, GATHER_MS)
    },
    /** Sends changes of the last `since` ms, when the client had its page but no socket yet. */
    catchUp(listener: ChangeListener, since: number) {
      const begun = Date.now() - Math.min(since, KEPT_MS)
      const missed = kept.slice(-MAX_KEPT).filter(({ time }) => time >= begun)
      if (missed.length > 0) tellLater(missed, [listener])
    },
    stop() {
      subtrees.close()
      clearTimeout(timer)
    },
  }
}

const FLOWS: ReadonlyMap<string, Present['kind']> = new Map([
  ['dialogcomment', 'dialog'],
  ['handlercomment', 'handler'],
])

/** Open flows about which something was said, changed or settled, each once. */
const flowsWithChangedComments = async (
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

/** Entities that set a session's rights. */
const SOURCES: ReadonlySet<string> = new Set(['user', 'usergroup', 'role', 'hierarchy', 'session'])

const mayChangeAccess = (touched: Applied['touched']): boolean => touched.some(({ entity }) => SOURCES.has(entity))

/** A level that was added, renamed or moved changes the tree that everyone chooses from. */
const changesLevels = (touched: Applied['touched']): boolean => touched.some(({ entity }) => entity === 'hierarchy')

/** True when GET /auth/user answers the same rights and levels for both. */
const isSameAccess = (one: Access, other: Access): boolean =>
  one === other ||
  (one.home === other.home &&
    one.level === other.level &&
    one.permissions.size === other.permissions.size &&
    [...one.permissions].every(permission => other.permissions.has(permission)))

/** Batches of events within this time are sent together. */
const GATHER_MS = 100
/** At most so many notifications of one moment reach a client; the rest waits in the bell's list. */
const MAX_PER_TICK = 20
/** Within this time a socket must have named its session. */
const CONNECT_TIMEOUT_MS = 5_000
/** The refusal of a socket reaches its client within this time; then the socket is closed. */
const REFUSED_TIMEOUT_MS = 500
/** Sessions that ran out without an event are found this often. */
const EXPIRY_MS = 15_000
/** Longest look-back to changes before the socket, ms. */
const MAX_SINCE_MS = 60_000

interface Notifier {
  /** Closes the connections of ended sessions. */
  recheck(): void
  close(): Promise<void>
}

interface Listener {
  readonly socket: Socket
  readonly session: string
  /** Id of the newest notification it knows. */
  newest: string | undefined
  /** Rights last sent to its client. */
  access: Access
}

/**
 * Sends signed-in clients over Socket.IO their notifications, as `notificationEmit`; changed comments, to viewers of
 * the flow, as `commentEmit`; changes, to those who may read them, as `changeEmit`; changed rights, to their owners, as
 * `accessEmit`; a changed release note, to everybody, as `releaseEmit`.
 */
export const openNotifier = (
  server: HttpServer,
  parts: Parts,
  authentication: Authentication,
  rooms: Rooms,
): Notifier => {
  const { read, log } = parts
  const listeners = new Set<Listener>()
  const unidentified = limitUnidentified(parts)
  const changes = openChangeNotifier(parts, listeners, session => currentAccess(parts, session))
  const io = openSocketServer(server, parts, unidentified)

  const accessOf = async (socket: Socket): Promise<Access | undefined> => {
    const { token } = socket.handshake.auth
    const given = typeof token === 'string' ? token : tokenOf(socket.request)
    return given === undefined ? undefined : authentication.session(given)
  }

  /**
   * Finds the newest notification before the client is connected: later ones are new, and so are those since the client
   * began to read its page.
   */
  const admit = async (socket: Socket): Promise<Error | undefined> => {
    try {
      const access = await accessOf(socket)
      if (access === undefined) return new Error('auth.required')
      const begun = Date.now() - sinceOf(socket)
      const newest = (await recent(parts, access, MAX_PER_TICK)).find(({ time }) => Date.parse(time) < begun)?.id
      socket.data.listener = { socket, session: access.session, newest, access } satisfies Listener
      return undefined
    } catch {
      // Without the store nobody can be known.
      return new Error('store.unavailable')
    }
  }

  io.use((socket, next) => {
    void admit(socket).then(refusal => {
      if (refusal === undefined) unidentified.identified(socket.request)
      else setTimeout(() => socket.conn.close(true), REFUSED_TIMEOUT_MS).unref()
      next(refusal)
    })
  })
  io.on('connection', socket => {
    const listener = socket.data.listener as Listener
    socket.on('disconnect', () => listeners.delete(listener))
    listeners.add(listener)
    changes.catchUp(listener, sinceOf(socket))
    // Its session may have ended since it was admitted, when nobody could tell it: `tell` disconnects it then.
    tell(listener).catch(error => log.error(error))
  })

  const recheck = () => {
    for (const { socket, session } of listeners)
      if (currentAccess(parts, session) === undefined) socket.disconnect(true)
  }

  const tell = async (listener: Listener) => {
    const access = currentAccess(parts, listener.session)
    if (access === undefined) return void listener.socket.disconnect(true)
    const items = await recent(parts, access, MAX_PER_TICK)
    const known = items.findIndex(item => item.id === listener.newest)
    listener.newest = items[0]?.id ?? listener.newest
    const fresh = known === -1 ? items : items.slice(0, known)
    const missed = fresh.reverse().filter(item => !isPresent(rooms, item, access.user))
    for (const item of await written(parts, access, missed)) listener.socket.emit('notificationEmit', messageOf(item))
  }

  const spread = async (touched: Applied['touched']) => {
    for (const { kind, id, members } of await flowsWithChangedComments(read, rooms, touched)) {
      const users = new Set(members.map(({ user }) => user))
      for (const { socket, session } of listeners)
        if (users.has(currentAccess(parts, session)?.user ?? ''))
          socket.emit('commentEmit', { entity: kind, entityid: id })
    }
  }

  const accessNews = openAccessNews(parts, listeners)
  let gathering: NodeJS.Timeout | undefined
  const stopFollowing = read.onApplied(({ notices, touched }) => {
    changes.take(touched)
    if (listeners.size === 0) return
    spread(touched).catch(error => log.error(error))
    if (touched.some(({ entity }) => entity === 'releasenote'))
      for (const { socket } of listeners) socket.emit('releaseEmit')
    accessNews.take(touched)
    if (notices.length === 0) return
    gathering ??= setTimeout(() => {
      gathering = undefined
      for (const listener of listeners) tell(listener).catch(error => log.error(error))
    }, GATHER_MS)
  })
  const expiry = setInterval(recheck, EXPIRY_MS).unref()

  return {
    recheck,
    async close() {
      stopFollowing()
      clearInterval(expiry)
      clearTimeout(gathering)
      changes.stop()
      accessNews.stop()
      io.disconnectSockets(true)
      io.engine.close()
    },
  }
}

/** Has those whose rights changed read them again. */
function openAccessNews(parts: Parts, listeners: ReadonlySet<Listener>) {
  let timer: NodeJS.Timeout | undefined
  let toAll = false
  const tell = () => {
    for (const listener of listeners) {
      const access = currentAccess(parts, listener.session)
      if (access === undefined || (!toAll && isSameAccess(access, listener.access))) continue
      listener.access = access
      listener.socket.emit('accessEmit')
    }
    timer = undefined
    toAll = false
  }
  return {
    take(touched: Applied['touched']) {
      if (!mayChangeAccess(touched)) return
      toAll ||= changesLevels(touched)
      timer ??= setTimeout(tell, GATHER_MS)
    },
    stop: () => clearTimeout(timer),
  }
}

/** Long polling would keep sockets, bodies and answers for callers without a session: WebSocket alone. */
function openSocketServer(server: HttpServer, parts: Parts, unidentified: ReturnType<typeof limitUnidentified>) {
  const io = new Server(server, {
    path: '/botadmin/socket.io',
    serveClient: false,
    destroyUpgrade: false,
    transports: ['websocket'],
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxHttpBufferSize: 10_000,
    allowRequest: (request, decide) => {
      const { headers } = request
      if (headers.origin !== undefined && !isOwnOrigin(headers.origin, parts.publicUrl(), headers))
        return decide('foreign origin', false)
      const isCounted = unidentified.take(request)
      decide(isCounted ? null : 'too many sockets', isCounted)
    },
  })
  // Requests that name a socket belong to long polling, and nobody counts them.
  io.engine.use((request: IncomingMessage, _response: unknown, next: (error?: Error) => void) =>
    next(
      URL.parse(request.url ?? '', 'http://gateway')?.searchParams.has('sid') === false ? undefined : new Error('sid'),
    ),
  )

  // A client that does not answer the close must not keep its socket.
  io.engine.on('connection', (connection: { once(event: 'close', then: () => void): void; request: IncomingMessage }) =>
    connection.once('close', () => closeSocketGracefully(connection.request.socket)),
  )
  return io
}

/** Bounds the sockets whose session is not known yet; the token may come with the first packet alone. */
function limitUnidentified({ settings }: Parts) {
  const limit = createSocketLimit()
  const addressOf = clientAddress(settings.TRUSTED_PROXIES)
  const releases = new WeakMap<IncomingMessage, () => void>()
  return {
    take(request: IncomingMessage): boolean {
      const release = limit.take(sourceOf(addressOf(request)))
      if (release === undefined) return false
      releases.set(request, release)
      request.socket.once('close', release)
      return true
    },
    identified: (request: IncomingMessage) => releases.get(request)?.(),
  }
}

/** ms for which the page has been read already when its socket comes, as its client says. */
function sinceOf({ handshake }: Socket): number {
  const { since } = handshake.auth
  return typeof since === 'number' && since > 0 ? Math.min(since, MAX_SINCE_MS) : 0
}

function currentAccess({ read }: Parts, session: string): Access | undefined {
  const access = read.access(session)
  return access !== undefined && access.expires > new Date().toISOString() ? access : undefined
}

async function recent({ read }: Parts, access: Access, size: number): Promise<Notification[]> {
  return [...(await read.notifications(scopeOf(access), { page: 1, size })).items]
}

/** The notifications with their sentences in the user's language. */
async function written({ read }: Parts, access: Access, items: readonly Notification[]) {
  if (items.length === 0) return []
  const scope = scopeOf(access)
  const row = await read.detail(scope, 'user', access.user)
  const language = row?.language ?? DEFAULT_LANGUAGE
  return withTexts(read, scope, items, language)
}

/** Users with the flow open see its changes without a notification; they may miss comments addressed to them. */
function isPresent(rooms: Rooms, { entity, entityid, message }: Notification, user: string): boolean {
  if (message.startsWith('comment.')) return false
  return rooms
    .present()
    .some(({ kind, id, members }) => kind === entity && id === entityid && members.some(member => member.user === user))
}

function messageOf({ read: _read, ...message }: Notification & { readonly text: string }) {
  return message
}
