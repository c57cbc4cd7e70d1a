import { IndexeddbPersistence } from 'y-indexeddb'
import type * as Y from 'yjs'
import type { FlowKind } from './flow-address.ts'

const PREFIX = 'parley-flow'
const KEPT = 'kept'

const nameOf = (user: string, kind: FlowKind, id: string) => `${PREFIX}/${user}/${kind}-${id}`

/** The edits of one person to one flow, kept in this browser until the server has them. */
export interface LocalCopy {
  readonly loaded: Promise<void>
  /** Edits that were not acknowledged when the page was left. */
  kept(): Promise<number>
  keep(edits: number): void
  erase(): Promise<void>
  close(): Promise<void>
}

export const openLocalCopy = (doc: Y.Doc, user: string, kind: FlowKind, id: string): LocalCopy => {
  const persistence = new IndexeddbPersistence(nameOf(user, kind, id), doc)
  return {
    loaded: persistence.whenSynced.then(() => undefined),
    kept: async () => {
      const value: unknown = await persistence.get(KEPT)
      return typeof value === 'number' ? value : 0
    },
    keep: edits => void persistence.set(KEPT, edits).catch(() => undefined),
    erase: async () => {
      await persistence.clearData()
    },
    close: async () => {
      await persistence.destroy()
    },
  }
}

/** Erases what a person's flows left in this browser: at sign-out, and when their rights were taken away. */
export const eraseLocalCopies = async (user?: string): Promise<void> => {
  const wanted = user === undefined ? `${PREFIX}/` : `${PREFIX}/${user}/`
  const databases = (await indexedDB.databases?.()) ?? []
  const names = databases.flatMap(database => (database.name?.startsWith(wanted) ? [database.name] : []))
  await Promise.all(
    names.map(
      name =>
        new Promise<void>(resolve => {
          const request = indexedDB.deleteDatabase(name)
          request.onsuccess = () => resolve()
          request.onerror = () => resolve()
          request.onblocked = () => resolve()
        }),
    ),
  )
}
