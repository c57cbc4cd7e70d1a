import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSession } from '#web/api/session.ts'
import { readAll } from '#web/entity/read-all.ts'
import { hasKey } from './app-query.ts'

/** Of each app that has accounts, by its id, whether an account of it has an API key. The key itself stays on the server. */
const appKeysQuery = queryOptions({
  queryKey: ['metaaccount', 'list', 'keys'],
  queryFn: async ({ signal }): Promise<Readonly<Record<string, boolean>>> => {
    const keys: Record<string, boolean> = {}
    for (const account of (await readAll('metaaccount', {}, signal)).items) {
      const app = String(account.metaapp)
      keys[app] = keys[app] === true || hasKey(account)
    }
    return keys
  },
  staleTime: 60_000,
})

/** Whether the API key of an app is set; undefined until that is known, and to who may not read accounts. */
export const useAppKey = (app: string): boolean | undefined => {
  const { can } = useSession()
  const keys = useQuery({ ...appKeysQuery, enabled: can('readmetaaccount') }).data
  return keys === undefined ? undefined : keys[app] === true
}
