import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { sessionEnd } from '#web/api/http.ts'
import { isProblem } from '#web/api/problem.ts'
import { queryClient } from '#web/api/query-client.ts'
import { sessionQuery } from '#web/api/session.ts'
import { hasUnsupportedLanguage } from '#web/i18n/path-language.ts'
import { notice } from '#web/notice/notice.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { FailedRead } from '#web/page/failed-read.tsx'

interface Props {
  /** Shown while the session loads. */
  readonly waiting: ReactNode
  readonly children: ReactNode
}

/** Lets nobody in without a session, and keeps where one was for after the sign-in. */
export const SessionGate = ({ waiting, children }: Props) => {
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
    return <FailedRead error={session.error} onRetry={() => void session.refetch()} />
  return children
}
