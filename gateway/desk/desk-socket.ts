import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Access } from '#projections/port.ts'
import { refuseUpgrade } from '#realtime/refuse-upgrade.ts'
import { type DeskQueue, RIGHTS } from '#runtime/agent/desk/desk-directory.ts'
import type { DeskRow } from '#runtime/agent/desk/desk-index.ts'
import type { DeskChange } from '#runtime/agent/desk/desk-news.ts'
import type { OwnDesk } from '#runtime/agent/desk/own-desk.ts'
import { type DeskFrame, deskClientFrame } from '#schemas/api/desk.ts'
import { parseJson } from '#schemas/json.ts'
import type { Sessions } from '../http/guard.ts'
import { deskCounts, deskMe } from '../routes/desk.ts'
import { type DeskParts, type DeskViewer, isMember, maySeeChat } from './desk-access.ts'

/** A client that does not answer a ping within three of these has gone. */
const PING_MS = 10_000
/** Interval of signs that a chat is viewed; without them viewing ends after 6 s. */
const VIEW_MS = 3_000
/** Counts are sent at most this often; a socket of counts alone belongs to a page beside the desk. */
const COUNTS_MS = 1_000
const ONLY_COUNTS_MS = 5_000
/** Rights of a session are read again at this interval, and after changes. */
const RECHECK_MS = 15_000
const MAX_FRAME = 4_096
const MAX_FRAMES_PER_S = 30
/** Pending bytes of a client that reads nothing. */
const MAX_PENDING = 1_000_000

interface SocketServices extends DeskParts {
  readonly sessions: Sessions
  /** Interval of the counts of a page beside the desk, ms. */
  readonly countsMs?: number | undefined
}

/** A chat as a change of it is announced. */
interface AnnouncedChat {
  readonly row: DeskRow
  /** Level of its bot. */
  readonly level: string
  readonly queue: DeskQueue | undefined
  /** Queue that it was in when it was announced before. */
  readonly before: DeskQueue | undefined
}

interface SocketView {
  readonly viewer: DeskViewer
  readonly subtree: ReadonlySet<string>
}

interface OpenedBy {
  readonly session: string
  readonly seen: SocketView
  readonly isOnlyCounts: boolean
}

/** One client of the desk: what it may see is checked with the rights of the moment. */
class DeskSocket {
  readonly #services: SocketServices
  readonly #desk: OwnDesk
  readonly #socket: WebSocket
  readonly #session: string
  /** Sends counts and nothing else; its user is not present at the desk. */
  readonly #isOnlyCounts: boolean
  readonly #timers: NodeJS.Timeout[]
  readonly #stop: (() => void)[]
  #seen: SocketView
  #view: string | undefined
  /** Chat in which its user writes. */
  #typing: string | undefined
  #counting: NodeJS.Timeout | undefined
  /** Counts that were sent last, as JSON. */
  #counted = ''
  #unanswered = 0
  #second = 0
  #frames = 0

  constructor(services: SocketServices, desk: OwnDesk, socket: WebSocket, { session, seen, isOnlyCounts }: OpenedBy) {
    this.#services = services
    this.#desk = desk
    this.#socket = socket
    this.#session = session
    this.#seen = seen
    this.#isOnlyCounts = isOnlyCounts
    const every = (ms: number, work: () => void) => setInterval(work, ms).unref()
    this.#timers = [
      every(PING_MS, () => this.#ping()),
      every(VIEW_MS, () => this.#look()),
      every(RECHECK_MS, () => this.#safely(this.#recheck())),
    ]
    this.#stop = [services.parts.read.onTouched(RIGHTS, () => this.#safely(this.#recheck()))]
    socket.on('error', () => undefined)
    socket.on('close', () => this.#close())
    socket.on('pong', () => {
      this.#unanswered = 0
      this.#present()
    })
    socket.on('message', (data, isBinary) => this.#heard(isBinary ? '' : String(data)))
    this.#present()
    this.#safely(this.#begin())
  }

  get #user(): string {
    return this.#seen.viewer.user
  }

  async #begin(): Promise<void> {
    this.#count()
    if (this.#isOnlyCounts) return
    await this.#tellMe()
    const { news } = this.#desk
    for (const conversation of news.viewed()) {
      const chat = await announced(this.#desk, conversation)
      if (chat !== undefined) this.changed({ kind: 'viewing', conversation, users: news.viewers(conversation) }, chat)
    }
  }

  #safely(work: Promise<unknown>): void {
    work.catch(error => this.#services.parts.log.error(error))
  }

  #present(): void {
    if (this.#isOnlyCounts) return
    this.#safely(
      this.#desk.directory.profile(this.#user).then(({ isOnPhone }) => this.#desk.presence.seen(this.#user, isOnPhone)),
    )
  }

  #ping(): void {
    this.#unanswered += 1
    if (this.#unanswered > 3) this.#socket.terminate()
    else this.#socket.ping()
  }

  #heard(text: string): void {
    const second = Math.floor(performance.now() / 1000)
    this.#frames = second === this.#second ? this.#frames + 1 : 1
    this.#second = second
    if (this.#frames > MAX_FRAMES_PER_S) {
      this.#socket.close(4429)
      return
    }
    const frame = deskClientFrame.safeParse(parseJson(text))
    if (!frame.success || this.#isOnlyCounts) return
    if (frame.data.kind === 'view') {
      this.#view = frame.data.conversation ?? undefined
      this.#look()
    } else this.#safely(this.#type(frame.data.conversation, frame.data.on))
  }

  async #type(conversation: string, on: boolean): Promise<void> {
    if (this.#desk.index.get(conversation)?.holder !== this.#user) return
    const { name } = await this.#desk.directory.profile(this.#user)
    this.#typing = on ? conversation : undefined
    this.#desk.news.type(conversation, { user: this.#user, name }, on)
  }

  #look(): void {
    const conversation = this.#view
    if (conversation === undefined) return
    this.#safely(
      (async () => {
        const chat = await announced(this.#desk, conversation)
        if (chat === undefined || !this.#sees(chat)) return
        const { name } = await this.#desk.directory.profile(this.#user)
        this.#desk.news.view(conversation, { user: this.#user, name })
      })(),
    )
  }

  /** Sends a change of a chat that its user may see, or could see before. */
  changed(change: ChatChange, { before, ...chat }: AnnouncedChat): void {
    if (!this.#sees(chat) && (before === undefined || !this.#sees({ ...chat, queue: before }))) return
    if (this.#isOnlyCounts) {
      if (change.kind === 'chat') this.#count()
      return
    }
    switch (change.kind) {
      case 'chat':
        this.#send(change)
        this.#count()
        return
      case 'viewing':
        this.#send({ ...change, users: change.users.filter(({ user }) => user !== this.#user) })
        return
      case 'typing': {
        const { conversation, user, name, on } = change
        if (user !== this.#user) this.#send({ kind: 'typing', conversation, from: 'agent', name, on })
        return
      }
      case 'person':
        this.#send({ kind: 'typing', conversation: change.conversation, from: 'user', on: change.on })
        return
      default:
        change satisfies never
    }
  }

  /** The state or the places of a user changed. */
  placed(user: string): void {
    if (user === this.#user && !this.#isOnlyCounts) this.#safely(this.#tellMe())
  }

  #sees({ row, level, queue }: Omit<AnnouncedChat, 'before'>): boolean {
    const { subtree, viewer } = this.#seen
    return subtree.has(level) && maySeeChat(viewer, row, queue, Date.now())
  }

  async #tellMe(): Promise<void> {
    const { viewer } = this.#seen
    const queues = await this.#desk.directory.queues()
    const isAgent = viewer.can('answerconversation') && queues.some(queue => isMember(viewer, queue))
    this.#send({ kind: 'state', ...(await deskMe(this.#desk, viewer.user, isAgent)) })
  }

  #count(): void {
    const pause = this.#isOnlyCounts ? (this.#services.countsMs ?? ONLY_COUNTS_MS) : COUNTS_MS
    this.#counting ??= setTimeout(() => {
      this.#counting = undefined
      this.#safely(
        deskCounts(this.#desk, this.#seen.viewer).then(counts => {
          const frame = { kind: 'counts', ...counts } as const
          const text = JSON.stringify(frame)
          if (text !== this.#counted) this.#send(frame)
          this.#counted = text
        }),
      )
    }, pause).unref()
  }

  #send(frame: DeskFrame): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > MAX_PENDING) this.#socket.terminate()
    else this.#socket.send(JSON.stringify(frame))
  }

  async #recheck(): Promise<void> {
    const seen = await seenBy(this.#services, this.#services.parts.read.access(this.#session))
    if (seen === undefined) this.#socket.close(4401)
    else this.#seen = seen
  }

  #close(): void {
    if (this.#typing !== undefined) this.#safely(this.#type(this.#typing, false))
    for (const timer of this.#timers) clearInterval(timer)
    for (const stop of this.#stop) stop()
    clearTimeout(this.#counting)
  }
}

type ChatChange = Exclude<DeskChange, { kind: 'place' }>

/** A chat with what decides who may see it. */
const announced = async (desk: OwnDesk, conversation: string, before?: string): Promise<AnnouncedChat | undefined> => {
  const row = desk.index.get(conversation)
  if (row === undefined) return undefined
  const { directory } = desk
  const [levels, queue, earlier] = await Promise.all([
    directory.botLevels(),
    directory.queue(row.queue),
    before === undefined || before === row.queue ? undefined : directory.queue(before),
  ])
  const level = levels.get(row.bot)
  return level === undefined ? undefined : { row, level, queue, before: earlier }
}

/** View of a session. Undefined after its end, in the view of another person, or without a right to the desk. */
const seenBy = async ({ sessions }: SocketServices, access: Access | undefined): Promise<SocketView | undefined> => {
  if (access === undefined || access.expires <= new Date().toISOString() || access.seenBy !== undefined)
    return undefined
  if (!access.permissions.has('showdesk')) return undefined
  const { caller, scope } = await sessions.of(access, 'cookie')
  const viewer = { user: access.user, level: access.level, scope, can: (name: string) => access.permissions.has(name) }
  return { viewer, subtree: caller.subtree }
}

export interface DeskSockets {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, access: Access): Promise<void>
  close(): void
}

/** WebSocket `/botadmin/realtime/desk`: frames about the chats that its user may see; `?only=counts`: their counts. */
export const openDeskSockets = (services: SocketServices): DeskSockets => {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_FRAME })
  const open = new Map<WebSocket, DeskSocket>()
  /** Queue of each chat that was announced last. */
  const queues = new Map<string, string>()
  let stop: (() => void) | undefined

  const announce = async (desk: OwnDesk, change: DeskChange): Promise<void> => {
    if (change.kind === 'place') {
      for (const socket of open.values()) socket.placed(change.user)
      return
    }
    const { conversation } = change
    const chat = await announced(desk, conversation, queues.get(conversation))
    if (chat === undefined) return
    if (chat.row.status === 'closed') queues.delete(conversation)
    else queues.set(conversation, chat.row.queue)
    for (const socket of open.values()) socket.changed(change, chat)
  }
  const follow = (desk: OwnDesk) =>
    desk.news.follow(change => void announce(desk, change).catch(error => services.parts.log.error(error)))

  return {
    async upgrade(request, socket, head, access) {
      const [desk, seen] = await Promise.all([services.conversations.desk?.(), seenBy(services, access)])
      if (desk === undefined || seen === undefined) return refuseUpgrade(request, socket, 4403)
      server.handleUpgrade(request, socket, head, webSocket => {
        stop ??= follow(desk)
        webSocket.on('close', () => {
          open.delete(webSocket)
          if (open.size > 0) return
          stop?.()
          stop = undefined
          queues.clear()
        })
        const isOnlyCounts = URL.parse(request.url ?? '', 'http://gateway')?.searchParams.get('only') === 'counts'
        open.set(webSocket, new DeskSocket(services, desk, webSocket, { session: access.session, seen, isOnlyCounts }))
      })
    },
    close() {
      for (const webSocket of open.keys()) webSocket.close(1001)
      server.close()
    },
  }
}
