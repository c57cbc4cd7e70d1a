import { Box } from '@chakra-ui/react'
import { isProblem } from '#web/api/problem.ts'
import { ErrorState } from '#web/components/error-state.tsx'
import { ErrorMessage } from './error-page.tsx'

/** Refusals that have an error page. 401 ends the session instead. */
const PAGES = [400, 403, 404]

/** Instead of a page whose main thing could not be read: not there, not allowed, or no answer. */
export const FailedRead = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) => {
  if (isProblem(error) && PAGES.includes(error.status)) return <ErrorMessage code={String(error.status)} />
  return (
    <Box p={{ base: '3', md: '6' }}>
      <ErrorState error={error} onRetry={onRetry} />
    </Box>
  )
}
