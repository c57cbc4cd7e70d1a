/** Name prefix of the IndexedDB databases with flows. */
export const FLOW_PREFIX = 'parley-flow'
/** The store beside the flow itself, and its key for how many edits the server is not known to have. */
export const FLOW_STORE = 'custom'
export const UNSYNCED_KEY = 'kept'

const databaseNames = async (): Promise<readonly string[]> => {
  const databases = (await indexedDB.databases?.()) ?? []
  return databases.flatMap(({ name }) => (name?.startsWith(`${FLOW_PREFIX}/`) ? [name] : []))
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

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
