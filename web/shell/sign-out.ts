import { api } from '#web/api/client.ts'
import { LIST, RECENT, SAMPLES } from './trace.ts'

/** Drawings made offline that this browser keeps (y-indexeddb) must not outlive the session. */
const eraseLocalCopies = async (): Promise<void> => {
  const databases = (await indexedDB.databases?.()) ?? []
  for (const { name } of databases) if (name !== undefined) indexedDB.deleteDatabase(name)
}

/** Whoever comes next must not see what the last one looked at: names, searches and filters. How it looks stays. */
const eraseTraces = (): void => {
  for (const key of Object.keys(localStorage))
    if (key === RECENT || key.startsWith(LIST) || key.startsWith(SAMPLES)) localStorage.removeItem(key)
}

/** Ends the session, even when the server does not answer, and starts the console anew at the sign-in page. */
export const signOut = async (): Promise<void> => {
  await api.post('/auth/logout').catch(() => undefined)
  eraseTraces()
  await eraseLocalCopies().catch(() => undefined)
  location.assign('/botadmin/login')
}
