import { Box } from '@chakra-ui/react'
import { useLocation } from 'react-router'
import { isProblem } from '#web/api/failure.ts'
import { ErrorState } from '#web/components/error-state.tsx'
import { Redirect } from '#web/page/redirect.tsx'
import { ErrorMessage } from './error-page.tsx'

const ERROR_PAGES = '/errorpages/'

/** Refusals that have an error page. 401 ends the session instead. */
const PAGES = [400, 403, 404]

/** Leads to the error page of an HTTP status, which leads back to the failed address. */
export const ErrorRedirect = ({ status }: { readonly status: number }) => {
  const { pathname, search, hash } = useLocation()
  // Reading the session fails on the error page as well.
  if (pathname.startsWith(ERROR_PAGES)) return <ErrorMessage code={String(status)} />
  return <Redirect to={`${ERROR_PAGES}${status}`} state={{ failed: `${pathname}${search}${hash}` }} />
}

/** Shown when the main read of a page fails. Errors without an error page stay in place. */
export const PageLoadError = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) => {
  if (isProblem(error) && PAGES.includes(error.status)) return <ErrorRedirect status={error.status} />
  return (
    <Box p={{ base: '3', md: '6' }}>
      <ErrorState error={error} onRetry={onRetry} />
    </Box>
  )
}
