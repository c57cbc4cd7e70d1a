import { Button } from '@chakra-ui/react'
import { ArrowLeft, RotateCw } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, useLocation, useNavigate, useParams, useRouteError } from 'react-router'
import { basePath } from '#web/i18n/path-language.ts'
import { ErrorPageBoundary } from './error-page-boundary.tsx'
import { errorStatus } from './error-status.ts'
import { MessagePage } from './message-page.tsx'

export const ERROR_PAGES = '/errorpages/'
const KNOWN = ['400', '401', '403', '404', '500', 'sessionexpired']
/** In `web/public/error/`. */
const PICTURES = ['404', '500']

const markOf = (code: string) => {
  if (PICTURES.includes(code)) return <img src={`${basePath()}/error/${code}.svg`} width={280} height={140} alt="" />
  return code === 'sessionexpired' ? '401' : code
}

/** Whether a page of the console was open before this one. */
const cameFromHere = () => Number((history.state as { idx?: number } | null)?.idx ?? 0) > 0

interface ErrorMessageProps {
  readonly code: string
  readonly details?: string
  /** Address that can be tried again. */
  readonly failed?: string
}

/** Page of an error code: its meaning and a link home. */
export const ErrorMessage = ({ code, details, failed }: ErrorMessageProps) => {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const known = KNOWN.includes(code) ? code : 'other'
  return (
    <MessagePage
      mark={markOf(code)}
      {...(code === '404' ? { eyebrow: t('errorpage.whoops') } : {})}
      title={t(`errorpage.${known}.title`)}
      text={t(`errorpage.${known}.text`)}
      {...(details ? { details } : {})}
    >
      {failed === undefined ? null : (
        <Button size="lg" onClick={() => void navigate(failed, { replace: true })}>
          <RotateCw size={16} aria-hidden="true" />
          {t('retry')}
        </Button>
      )}
      {cameFromHere() ? (
        <Button size="lg" onClick={() => void navigate(-1)}>
          <ArrowLeft size={16} aria-hidden="true" />
          {t('error.back')}
        </Button>
      ) : null}
      {code === '401' || code === 'sessionexpired' ? (
        <Button size="lg" onClick={() => location.assign(`${basePath()}/login`)}>
          {t('signin.title')}
        </Button>
      ) : null}
    </MessagePage>
  )
}

/** /errorpages/{code} */
export const ErrorPage = () => {
  const { code = '404' } = useParams()
  const { state } = useLocation()
  const failed = (state as { failed?: string } | null)?.failed
  return <ErrorMessage code={code} {...(failed === undefined ? {} : { failed })} />
}

const RELOAD_KEY = 'parley.reload'
const RELOAD_GUARD_MS = 60_000

/** An update removes chunks of older builds: reload, at most once a minute. */
const reloadOnce = () => {
  const last = Number(sessionStorage.getItem(RELOAD_KEY) ?? 0)
  if (Date.now() - last < RELOAD_GUARD_MS) return
  sessionStorage.setItem(RELOAD_KEY, String(Date.now()))
  location.reload()
}

/** Error element of a route. */
export const RouteError = () => {
  const error = useRouteError()
  const gone = error instanceof TypeError && /dynamically imported module|module script/i.test(error.message)
  useEffect(() => {
    if (gone) reloadOnce()
  }, [gone])
  const details = isRouteErrorResponse(error) ? undefined : error instanceof Error ? error.message : String(error)
  return (
    <ErrorPageBoundary>
      <ErrorMessage code={String(errorStatus(error))} {...(details === undefined ? {} : { details })} />
    </ErrorPageBoundary>
  )
}
