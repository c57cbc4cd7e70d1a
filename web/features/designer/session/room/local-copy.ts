import { IndexeddbPersistence, PREFERRED_TRIM_SIZE, storeState } from 'y-indexeddb'
import type * as Y from 'yjs'
import type { PendingPlaces } from '#domain/flow/document/pending-edits.ts'
import type { UnplacedEdit } from '#domain/flow/document/unplaced-edits.ts'
import { FLOW_PREFIX, FLOW_STORE, UNSYNCED_KEY } from '#web/unsynced-edits.ts'
import type { FlowKind } from './flow-address.ts'

/** The library's own store of what was drawn. */
const UPDATES = 'updates'
/** Milliseconds of rest after which many kept updates become one. */
const REST = 1000
const PENDING = 'pending'
const UNPLACED = 'unplaced'

const nameOf = (user: string, kind: FlowKind, id: string) => `${FLOW_PREFIX}/${user}/${kind}-${id}`

const NOWHERE: PendingPlaces = { places: [], links: [] }

/** The edits of one person to one flow, kept in this browser until the server has them. */
export interface LocalCopy {
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

export const openLocalCopy = (doc: Y.Doc, user: string, kind: FlowKind, id: string): LocalCopy => {
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
