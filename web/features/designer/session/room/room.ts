import * as decoding from 'lib0/decoding'
import { IndexeddbPersistence, PREFERRED_TRIM_SIZE, storeState } from 'y-indexeddb'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'
import { nodesOf, openFlow } from '#domain/flow/document/document.ts'
import { followPending, type PendingPlaces } from '#domain/flow/document/pending-edits.ts'
import type { UnplacedEdit } from '#domain/flow/document/unplaced-edits.ts'
import { exportFlow } from '#domain/flow/file/export-flow.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import { FLOW_PREFIX, FLOW_STORE, UNSYNCED_KEY } from '#web/browser-databases.ts'
import { createStore, type Store } from '../../model/store.ts'
import { ackSocket, classifyCloseCode, type Ending } from './ack-socket.ts'
import { createDelivery, type Delivery } from './delivery.ts'
import { type FlowAddress, type FlowKind, roomName } from './flow-address.ts'
import { followPeers, type Peers } from './peers.ts'
import { createPresence, type Presence, sendOwnAwareness } from './presence.ts'

/** The library's own store of what was drawn. */
const UPDATES = 'updates'
/** Milliseconds of rest after which many kept updates become one. */
const REST = 1000
const PENDING = 'pending'
const UNPLACED = 'unplaced'

const nameOf = (user: string, kind: FlowKind, id: string) => `${FLOW_PREFIX}/${user}/${kind}-${id}`

const NOWHERE: PendingPlaces = { places: [], links: [] }

/** The edits of one person to one flow, kept in this browser until the server has them. */
interface LocalCopy {
  readonly loaded: Promise<void>
  /** From now on stores every change; `whole` is what the document holds, if that came from elsewhere. */
  record(whole?: Uint8Array): void
  /** Edits that were not acknowledged when the page was left. */
  kept(): Promise<number>
  keep(edits: number): void
  /** Places of those edits. */
  pending(): Promise<PendingPlaces>
  keepPending(pending: PendingPlaces): void
  /** Edits that found no place, until their author says what becomes of them. */
  unplaced(): Promise<readonly UnplacedEdit[]>
  keepUnplaced(edits: readonly UnplacedEdit[]): void
  erase(): Promise<void>
  close(): Promise<void>
}

const openLocalCopy = (doc: Y.Doc, user: string, kind: FlowKind, id: string): LocalCopy => {
  const persistence = new IndexeddbPersistence(nameOf(user, kind, id), doc)
  // Its listener makes Yjs encode every update, at first the whole flow.
  doc.off('update', persistence._storeUpdate)
  // A transaction without an explicit commit is aborted when the page unloads: a reload right after an edit would lose
  // the edit. The library does not commit.
  const write = (name: string, ask: (store: IDBObjectStore) => unknown) => {
    try {
      const transaction = persistence.db?.transaction([name], 'readwrite')
      if (transaction === undefined) return
      ask(transaction.objectStore(name))
      transaction.commit()
    } catch {
      // Closed, or full: unsaved edits are still being sent to the server.
    }
  }
  const set = (key: string, value: unknown) => write(FLOW_STORE, store => store.put(value, key))
  let rest: ReturnType<typeof setTimeout> | undefined
  const add = (update: Uint8Array, origin?: unknown) => {
    if (origin === persistence) return
    write(UPDATES, store => store.add(update))
    persistence._dbsize += 1
    if (persistence._dbsize < PREFERRED_TRIM_SIZE) return
    clearTimeout(rest)
    rest = setTimeout(() => void storeState(persistence, false).catch(() => undefined), REST)
  }
  return {
    loaded: persistence.whenSynced.then(() => undefined),
    record: whole => {
      if (whole !== undefined) add(whole)
      doc.on('update', add)
    },
    kept: async () => {
      const value: unknown = await persistence.get(UNSYNCED_KEY)
      return typeof value === 'number' ? value : 0
    },
    keep: edits => set(UNSYNCED_KEY, edits),
    pending: async () => ((await persistence.get(PENDING)) as PendingPlaces | undefined) ?? NOWHERE,
    keepPending: pending => set(PENDING, pending),
    unplaced: async () => ((await persistence.get(UNPLACED)) as readonly UnplacedEdit[] | undefined) ?? [],
    keepUnplaced: edits => set(UNPLACED, edits),
    erase: async () => {
      clearTimeout(rest)
      await persistence.clearData()
    },
    close: async () => {
      clearTimeout(rest)
      await persistence.destroy()
    },
  }
}

const SYNC = 0
const STEP_2 = 1

/** Reports the server's first answer once it is applied: the complete missing update, as received. */
const onFirstSync = (provider: WebsocketProvider, tell: (update: Uint8Array) => void): void => {
  const usual = provider.messageHandlers[SYNC]
  if (usual === undefined) throw new Error('the provider reads no sync messages')
  provider.messageHandlers[SYNC] = (encoder, decoder, ...rest) => {
    const ahead = decoding.clone(decoder)
    const update = decoding.readVarUint(ahead) === STEP_2 ? decoding.readVarUint8Array(ahead) : undefined
    usual(encoder, decoder, ...rest)
    if (update === undefined) return
    provider.messageHandlers[SYNC] = usual
    tell(update)
  }
}

export interface Member {
  readonly id: string
  readonly name: string
  readonly mayEdit: boolean
}

/** Final end of a room, and its undelivered edits. */
export interface RoomEnd {
  readonly kind: Exclude<Ending['kind'], 'retry'>
  readonly unsent: FlowFile | undefined
  /** Edits still without a place, for the room that is joined next. */
  readonly unplaced: readonly UnplacedEdit[]
}

export interface Room {
  readonly doc: Y.Doc
  readonly provider: WebsocketProvider
  readonly saving: Delivery['saving']
  readonly peers: Peers
  readonly presence: Presence
  /** True once there is something true to show: the server's state, or a local copy of it. */
  readonly ready: Store<boolean>
  readonly ended: Store<RoomEnd | undefined>
  /** This person's edits of blocks that others removed or recreated meanwhile, until the person decides. */
  readonly unplaced: Store<readonly UnplacedEdit[]>
  reconnect(): void
  leave(): void
}

/** Origins of document writes that are not edits. */
const NO_EDIT = new Set(['open'])

const realtimeUrl = () => `${location.origin.replace(/^http/u, 'ws')}/botadmin/realtime`

/** Later edits of a block take the place of earlier ones, which they hold. */
const joined = (before: readonly UnplacedEdit[], more: readonly UnplacedEdit[]): readonly UnplacedEdit[] => {
  const again = new Set(more.map(({ block }) => block))
  return [...before.filter(({ block }) => !again.has(block)), ...more]
}

/** Follows the network and the page: a page that the browser keeps for "back" would keep its socket and its person. */
const followPage = (connect: () => void, pause: () => void): (() => void) => {
  const on = { online: connect, offline: pause, pageshow: connect, pagehide: pause }
  for (const [event, act] of Object.entries(on)) window.addEventListener(event, act)
  return () => {
    for (const [event, act] of Object.entries(on)) window.removeEventListener(event, act)
  }
}

/**
 * Joins a flow's room. Readers keep no local copy, so that they can never send edits. `carried` are edits without a
 * place from a previous room.
 */
export const joinRoom = (address: FlowAddress, member: Member, carried: readonly UnplacedEdit[] = []): Room => {
  const doc = openFlow(new Y.Doc())
  const ready = createStore(false)
  const ended = createStore<RoomEnd | undefined>(undefined)
  const copy: LocalCopy | undefined = member.mayEdit
    ? openLocalCopy(doc, member.id, address.kind, address.id)
    : undefined
  const unplaced = createStore(carried)
  const pending = followPending(doc, {
    except: NO_EDIT,
    onPending: places => copy?.keepPending(places),
    onUnplaced: edits => unplaced.set(before => joined(before, edits)),
  })
  const delivery = createDelivery(doc, edits => {
    copy?.keep(edits)
    if (edits === 0) pending.clear()
  })
  const loaded = Promise.withResolvers<void>()
  const provider = new WebsocketProvider(realtimeUrl(), roomName(address), doc, {
    connect: false,
    disableBc: true,
    params: { acks: '1' },
    shouldReconnect: () => false,
    WebSocketPolyfill: ackSocket(delivery.socket, loaded.promise),
  })
  delivery.watch(provider)
  sendOwnAwareness(provider)
  // Yjs encodes each change for those who listen to updates. Nothing is sent or stored of a flow that is only just
  // coming, so nobody listens to that: encoding it again would stop the page.
  doc.off('update', provider._updateHandler)
  let listening = false
  const listen = (whole?: Uint8Array) => {
    if (listening) return
    listening = true
    doc.on('update', provider._updateHandler)
    copy?.record(whole)
  }
  onFirstSync(provider, listen)
  let left = false
  let attempt = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const connect = () => {
    clearTimeout(timer)
    if (!left && ended.get() === undefined && !provider.wsconnected && !provider.wsconnecting) provider.connect()
  }
  const end = async (kind: RoomEnd['kind']) => {
    const unsent = delivery.saving.get().kept > 0 ? exportFlow(doc) : undefined
    if (kind !== 'session') await copy?.erase()
    ended.set({ kind, unsent, unplaced: unplaced.get() })
  }
  provider.on('sync', (synced: boolean) => {
    if (!synced) return
    attempt = 0
    ready.set(true)
  })
  provider.on('closed', ({ code }: { code: number }) => {
    if (left) return
    const ending = classifyCloseCode(code, attempt, Math.random())
    attempt += 1
    if (ending.kind === 'retry') timer = setTimeout(connect, ending.after)
    else void end(ending.kind)
  })
  const begin = async () => {
    if (copy !== undefined) {
      const [places, homeless, kept] = await Promise.all([copy.pending(), copy.unplaced(), copy.kept(), copy.loaded])
      pending.start(places)
      unplaced.set(before => joined(homeless, before))
      unplaced.subscribe(() => copy.keepUnplaced(unplaced.get()))
      if (carried.length > 0) copy.keepUnplaced(unplaced.get())
      delivery.start(kept)
    }
    if (nodesOf(doc).size > 0) {
      listen()
      ready.set(true)
    }
  }
  // The way to the server takes as long as reading the local copy, which has to be there before anything arrives.
  connect()
  void begin()
    .catch(() => undefined)
    .then(loaded.resolve)
  // A lost network closes no socket; until a timeout the status would say "saving".
  const pause = () => provider.disconnect()
  const stopFollowing = followPage(connect, pause)

  const presence = createPresence(provider.awareness, { id: member.id, name: member.name })
  const peers = followPeers(provider.awareness)
  return {
    doc,
    provider,
    saving: delivery.saving,
    peers,
    presence,
    ready,
    ended,
    unplaced,
    reconnect: () => {
      provider.disconnect()
      connect()
    },
    leave: () => {
      left = true
      clearTimeout(timer)
      stopFollowing()
      presence.stop()
      peers.stop()
      delivery.stop()
      pending.stop()
      provider.destroy()
      void copy?.close()
      doc.destroy()
    },
  }
}
