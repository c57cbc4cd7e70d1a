import { QueryCache, QueryClient } from '@tanstack/react-query'
import { isProblem } from './failure.ts'

/** Reads are tried again only when the server did not answer: a refusal stays a refusal. */
export const queryClient = new QueryClient({
  // After a refusal pages show it in place of what they had read before, which the person may not see any more.
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (isProblem(error, 403) || isProblem(error, 404)) query.setState({ data: undefined })
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < 2 && isProblem(error) && (error.status === 0 || error.status === 503),
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
})
