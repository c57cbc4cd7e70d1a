import { useQuery } from '@tanstack/react-query'
import { http } from './http.ts'

/** Base of the bots' own addresses; the console's until it is known. */
export const useRouterUrl = (isAsked: boolean): string =>
  useQuery({
    queryKey: ['instance', 'router'],
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await http.get('/instance', { signal })).botrouterurl,
  }).data ?? location.origin
