/** Database of unsent answers; its keys are user and conversation. */
const NAME = 'parley-answer'
const STORE = 'draft'

/** An answer and a note that are not sent yet. */
export interface AnswerDraft {
  readonly answer: string
  readonly note: string
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

const open = (): Promise<IDBDatabase> => {
  const request = indexedDB.open(NAME, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE)
  return done(request)
}

const inStore = async <T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => Promise<T>): Promise<T> => {
  const database = await open()
  try {
    return await work(database.transaction(STORE, mode).objectStore(STORE))
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
export const eraseDrafts = (): Promise<unknown> => done(indexedDB.deleteDatabase(NAME))
