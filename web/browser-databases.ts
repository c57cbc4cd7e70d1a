const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** Name prefix of the IndexedDB databases with flows. */
export const FLOW_PREFIX = 'parley-flow'
/** The store beside the flow itself, and its key for how many edits the server is not known to have. */
export const FLOW_STORE = 'custom'
export const UNSYNCED_KEY = 'kept'

const databaseNames = async (): Promise<readonly string[]> => {
  const databases = (await indexedDB.databases?.()) ?? []
  return databases.flatMap(({ name }) => (name?.startsWith(`${FLOW_PREFIX}/`) ? [name] : []))
}

const keptIn = async (name: string): Promise<number> => {
  const database = await done(indexedDB.open(name))
  try {
    if (!database.objectStoreNames.contains(FLOW_STORE)) return 0
    const kept: unknown = await done(database.transaction(FLOW_STORE).objectStore(FLOW_STORE).get(UNSYNCED_KEY))
    return typeof kept === 'number' ? kept : 0
  } finally {
    database.close()
  }
}

/** Number of flow edits only in this browser; unreadable databases count as none. */
export const countUnsyncedEdits = async (): Promise<number> => {
  const counts = await Promise.all((await databaseNames()).map(name => keptIn(name).catch(() => 0)))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Erases the flows that are kept in this browser. */
export const eraseUnsyncedEdits = async (): Promise<void> => {
  for (const name of await databaseNames()) indexedDB.deleteDatabase(name)
}

/** Database of unsent answers; its keys are user and conversation. */
const DRAFTS = 'parley-answer'
const DRAFT_STORE = 'draft'

/** An answer and a note that are not sent yet. */
export interface AnswerDraft {
  readonly answer: string
  readonly note: string
}

const openDrafts = (): Promise<IDBDatabase> => {
  const request = indexedDB.open(DRAFTS, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(DRAFT_STORE)
  return done(request)
}

const inStore = async <T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => Promise<T>): Promise<T> => {
  const database = await openDrafts()
  try {
    return await work(database.transaction(DRAFT_STORE, mode).objectStore(DRAFT_STORE))
  } finally {
    database.close()
  }
}

const keyOf = (user: string, conversation: string): string => `${user} ${conversation}`

export const readDraft = (user: string, conversation: string): Promise<AnswerDraft | undefined> =>
  inStore('readonly', store => done<AnswerDraft | undefined>(store.get(keyOf(user, conversation))))

/** Stores a draft; an empty one is removed. */
export const storeDraft = async (user: string, conversation: string, draft: AnswerDraft): Promise<void> => {
  const key = keyOf(user, conversation)
  const isEmpty = draft.answer === '' && draft.note === ''
  await inStore<unknown>('readwrite', store => (isEmpty ? done(store.delete(key)) : done(store.put(draft, key))))
}

/** Erases the drafts of all users of this browser. */
export const eraseDrafts = (): Promise<unknown> => done(indexedDB.deleteDatabase(DRAFTS))
