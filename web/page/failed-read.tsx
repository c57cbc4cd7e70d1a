import { Box } from '@chakra-ui/react'
import { isProblem } from '#web/api/problem.ts'
import { ErrorState } from '#web/components/error-state.tsx'
import { ErrorMessage } from './error-page.tsx'

/** Instead of a page whose main thing could not be read: not there, not allowed, or no answer. */
export const FailedRead = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) => {
  if (isProblem(error, 404)) return <ErrorMessage code="404" />
  if (isProblem(error, 403)) return <ErrorMessage code="403" />
  return (
    <Box p={{ base: '3', md: '6' }}>
      <ErrorState error={error} onRetry={onRetry} />
    </Box>
  )
}
