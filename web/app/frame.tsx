import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import i18next from 'i18next'
import { type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
// biome-ignore lint/style/noRestrictedImports: a session that has ended leaves every page
import { Navigate, useLocation, useMatches, useNavigate } from 'react-router'
import { isObject } from '#schemas/json.ts'
import { isProblem } from '#web/api/failure.ts'
import { sessionEnd } from '#web/api/http.ts'
import { queryClient } from '#web/api/query-client.ts'
import { sessionQuery } from '#web/api/session.ts'
import { untestedPrompt } from '#web/entity/untested.ts'
import { hasUnsupportedLanguage } from '#web/i18n/path-language.ts'
import { lazyPart } from '#web/lazy-module.ts'
import { notice } from '#web/notice/notice.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { Shell } from '#web/shell/shell.tsx'
import { ShellSkeleton } from '#web/shell/shell-skeleton.tsx'
import { PreloadDesigner } from './preload-designer.ts'

const UntestedDialog = lazyPart(async () => {
  const [{ UntestedDialog: dialog }] = await Promise.all([
    import('#web/features/publish/untested-dialog.tsx'),
    i18next.loadNamespaces('conversationtest'),
  ])
  return dialog
})

/** Asks, over any page, whether what tests hold back is done all the same. */
const UntestedHost = () => {
  const question = useSyncExternalStore(untestedPrompt.subscribe, untestedPrompt.current)
  if (question === undefined) return null
  return (
    <Suspense fallback={null}>
      <UntestedDialog {...question} />
    </Suspense>
  )
}

interface Props {
  /** Shown while the session loads. */
  readonly waiting: ReactNode
  readonly children: ReactNode
}

/** Leads to the sign-in page without a session, and keeps the address for after the sign-in. */
const SessionGate = ({ waiting, children }: Props) => {
  const { t } = useTranslation('shell')
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const session = useQuery(sessionQuery)
  const back = `${pathname}${search}`
  useEffect(() => {
    const leave = () => {
      if (queryClient.getQueryData(sessionQuery.queryKey) === undefined) return
      queryClient.clear()
      notice.toast(t('session.expired'), { tone: 'warning' })
      void navigate(`/login?next=${encodeURIComponent(back)}`, { replace: true })
    }
    sessionEnd.addEventListener('end', leave)
    return () => sessionEnd.removeEventListener('end', leave)
  }, [navigate, back, t])
  if (hasUnsupportedLanguage(pathname)) return <ErrorMessage code="404" />
  if (session.isPending) return waiting
  if (isProblem(session.error, 401)) return <Navigate to={`/login?next=${encodeURIComponent(back)}`} replace />
  // A failed second reading keeps the page and what was typed on it.
  if (session.error && session.data === undefined)
    return <PageLoadError error={session.error} onRetry={() => void session.refetch()} />
  return children
}

/**
 * Frame of every page behind the sign-in. Pages of the designer have no bar and menu around them. The designer and the other
 * pages share one frame, so that the socket for changed rights stays open between them.
 */
export const Frame = () => {
  const isBare = useMatches().some(({ handle }) => isObject(handle) && handle.bare === true)
  return (
    <QueryClientProvider client={queryClient}>
      <SessionGate waiting={<ShellSkeleton bare={isBare} />}>
        {isBare ? null : <PreloadDesigner />}
        <Shell bare={isBare} />
        <UntestedHost />
      </SessionGate>
    </QueryClientProvider>
  )
}
