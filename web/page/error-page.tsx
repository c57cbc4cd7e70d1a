import { Box, Button, HStack, Stack, Text } from '@chakra-ui/react'
import i18n from 'i18next'
import { ArrowLeft, House, RotateCw } from 'lucide-react'
import { Component, type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, useLocation, useNavigate, useParams, useRouteError } from 'react-router'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { basePath } from '#web/i18n/path-language.ts'
import { usePageTitle } from '#web/shell/use-instance-tab.ts'

interface MessagePageProps {
  /** Drawn large: 404, 500, or a picture. */
  readonly mark: ReactNode
  /** Small line above the title. */
  readonly eyebrow?: string
  readonly title: string
  readonly text?: string
  readonly details?: string
  readonly children?: ReactNode
}

/** A page that only says something, with a way home. */
export const MessagePage = ({ mark, eyebrow, title, text, details, children }: MessagePageProps) => {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  usePageTitle(title)
  return (
    <Stack flex="1" align="center" justify="center" textAlign="center" p="6" gap="2" minH="60vh">
      <Box
        px="6"
        py="3"
        mb="3"
        borderRadius="xl"
        borderWidth="1px"
        borderStyle="dashed"
        borderColor="border.emphasized"
        backgroundImage="radial-gradient({colors.canvas.dot} 1px, transparent 1px)"
        backgroundSize="8px 8px"
        fontSize="3xl"
        fontWeight="semibold"
        color="fg.muted"
        aria-hidden="true"
      >
        {mark}
      </Box>
      {eyebrow ? (
        <Text textStyle="secondary" color="fg.muted">
          {eyebrow}
        </Text>
      ) : null}
      <Text as="h1" textStyle="display">
        {title}
      </Text>
      {text ? (
        <Text color="fg.muted" maxW="440px">
          {text}
        </Text>
      ) : null}
      {details ? (
        <Text textStyle="code" color="fg.subtle" maxW="600px" overflowWrap="anywhere">
          {details}
        </Text>
      ) : null}
      <HStack mt="4" gap="2" flexWrap="wrap" justify="center">
        {children}
        <Button variant="solid" size="lg" onClick={() => void navigate('/')}>
          <House size={16} aria-hidden="true" />
          {t('error.home')}
        </Button>
      </HStack>
    </Stack>
  )
}

interface Props {
  readonly children: ReactNode
}

interface State {
  readonly failure: string | undefined
}

/** Around the error page: when that fails to render too, says so in plain HTML, with the details and a link home. */
class ErrorPageBoundary extends Component<Props, State> {
  override state: State = { failure: undefined }

  static getDerivedStateFromError(error: unknown): State {
    return { failure: error instanceof Error ? error.message : String(error) }
  }

  override render() {
    const { failure } = this.state
    if (failure === undefined) return this.props.children
    return (
      <main style={{ padding: 24, whiteSpace: 'pre-wrap' }}>
        <h1 style={{ fontSize: 24 }}>{i18n.t('shell:errorpage.failed')}</h1>
        <p>{failure}</p>
        <a href={`${basePath()}/`} style={{ textDecoration: 'underline' }}>
          {i18n.t('shell:error.home')}
        </a>
      </main>
    )
  }
}

interface Failure {
  readonly statusCode?: unknown
  readonly status?: unknown
  readonly response?: { readonly status?: unknown } | null
}

const isStatus = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 400 && value <= 599

/** HTTP status of a failure: its `statusCode`, else its `status`, else that of its `response`, else 500. */
export const errorStatus = (error: unknown): number => {
  if (typeof error !== 'object' || error === null) return 500
  const { statusCode, status, response }: Failure = error
  return [statusCode, status, response?.status].find(isStatus) ?? 500
}

const KNOWN = ['400', '401', '403', '404', '500', 'sessionexpired', 'unloaded']
/** In `web/public/error/`. */
const PICTURES = ['404', '500']

const markOf = (code: string) => {
  if (PICTURES.includes(code)) return <img src={`${basePath()}/error/${code}.svg`} width={280} height={140} alt="" />
  if (code === 'unloaded') return '…'
  return code === 'sessionexpired' ? '401' : code
}

/** Whether a page of the console was open before this one. */
const cameFromHere = () => Number((history.state as { idx?: number } | null)?.idx ?? 0) > 0

interface ErrorMessageProps {
  readonly code: string
  readonly details?: string
  readonly retry?: () => void
}

/** Page of an error code: its meaning and a link home. */
export const ErrorMessage = ({ code, details, retry }: ErrorMessageProps) => {
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
      {retry === undefined ? null : (
        <Button size="lg" onClick={retry}>
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
  const navigate = useNavigate()
  // Address that can be tried again.
  const failed = (state as { failed?: string } | null)?.failed
  return (
    <ErrorMessage
      code={code}
      {...(failed === undefined ? {} : { retry: () => void navigate(failed, { replace: true }) })}
    />
  )
}

const RELOAD_KEY = 'parley.reload'
const RELOAD_GUARD_MS = 60_000

/** Reloads when the server answers: else the error page of the browser would replace the console. */
const reload = async (): Promise<void> => {
  try {
    await http.get('/instance')
  } catch (error) {
    if (!isProblem(error) || error.status === 0) return
  }
  sessionStorage.setItem(RELOAD_KEY, String(Date.now()))
  location.reload()
}

/** In place of a page whose code did not come. Browsers keep the failure of a module: only a reload asks again. */
const UnloadedPage = ({ details }: { readonly details: string }) => {
  // An update removes chunks of older builds: reload, at most once a minute.
  useEffect(() => {
    if (Date.now() - Number(sessionStorage.getItem(RELOAD_KEY)) >= RELOAD_GUARD_MS) void reload()
  }, [])
  return <ErrorMessage code="unloaded" details={details} retry={() => void reload()} />
}

/** Messages of Chromium, Firefox, Safari, and of Vite for a style sheet. */
const UNLOADED = /dynamically imported module|module script|preload CSS/i

/** Error element of a route. */
export const RouteError = () => {
  const error = useRouteError()
  const details = isRouteErrorResponse(error) ? undefined : error instanceof Error ? error.message : String(error)
  return (
    <ErrorPageBoundary>
      {error instanceof Error && UNLOADED.test(error.message) ? (
        <UnloadedPage details={error.message} />
      ) : (
        <ErrorMessage code={String(errorStatus(error))} {...(details === undefined ? {} : { details })} />
      )}
    </ErrorPageBoundary>
  )
}
