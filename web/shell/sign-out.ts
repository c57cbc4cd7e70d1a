import { api } from '#web/api/client.ts'

/** Drawings made offline that this browser keeps (y-indexeddb) must not outlive the session. */
const eraseLocalCopies = async (): Promise<void> => {
  const databases = (await indexedDB.databases?.()) ?? []
  for (const { name } of databases) if (name !== undefined) indexedDB.deleteDatabase(name)
}

/** Ends the session, even when the server does not answer, and starts the console anew at the sign-in page. */
export const signOut = async (): Promise<void> => {
  await api.post('/auth/logout').catch(() => undefined)
  await eraseLocalCopies().catch(() => undefined)
  location.assign('/botadmin/login')
}
