import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LintContext } from '#domain/flow/lint/lint-flow.ts'
import { http } from '#web/api/http.ts'
import { useElapsed } from '#web/use-elapsed.ts'
import type { FlowNames } from './flow-names.ts'

/** Asked for once all else is there: it takes reading all flows of the bot. Milliseconds. */
const QUIET = 4000
const FRESH = 60_000

/** Dialogs that come to run the open one, and that one itself, for the lint; asked for where it runs any. */
export const useCallers = ({ flow, bot, listed }: FlowNames, runsOthers: boolean): Pick<LintContext, 'callers'> => {
  const id = flow?.id
  const isIdle = useElapsed(QUIET, listed)
  const asked = useQuery({
    queryKey: ['bot', bot?.id, 'callers', id],
    queryFn: ({ signal }) =>
      http.get('/bot/{id}/flow/callers', { params: { id: bot?.id ?? '' }, query: { dialog: id ?? '' }, signal }),
    enabled: isIdle && runsOthers && bot !== undefined && id !== undefined,
    staleTime: FRESH,
    retry: false,
  }).data
  return useMemo(() => {
    if (id === undefined || !runsOthers) return {}
    return { callers: new Set([id, ...(asked?.items ?? [])]) }
  }, [asked, id, runsOthers])
}
