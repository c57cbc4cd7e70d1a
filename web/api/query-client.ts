import { QueryClient } from '@tanstack/react-query'
import { isProblem } from './failure.ts'

/** Reads are tried again only when the server did not answer: a refusal stays a refusal. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < 2 && isProblem(error) && (error.status === 0 || error.status === 503),
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
})
