import { Box, chakra, Skeleton, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '#web/api/failure.ts'
import { ErrorState } from '#web/components/error-state.tsx'
import { useColorMode } from '#web/theme/color-mode.ts'
import { embedQuery, type ReportEntry } from './report-query.ts'

/** Permissions of the frame. Another origin serves it: `allow-same-origin` means its own. */
const SANDBOX = 'allow-scripts allow-same-origin allow-popups'
/** After this long without the frame having loaded the page says so. */
const SLOW_MS = 15_000

const addressOf = (url: string, isDark: boolean): string => {
  const address = new URL(url)
  address.hash = new URLSearchParams({
    bordered: 'false',
    titled: 'false',
    ...(isDark ? { theme: 'night' } : {}),
  }).toString()
  return address.href
}

interface Props {
  readonly report: ReportEntry
  readonly bot: string | undefined
}

const Loaded = ({ report, address }: { readonly report: ReportEntry; readonly address: string }) => {
  const { t } = useTranslation('tool')
  const [state, setState] = useState<'loading' | 'slow' | 'loaded'>('loading')
  useEffect(() => {
    const timer = setTimeout(() => setState(before => (before === 'loading' ? 'slow' : before)), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Box position="relative" h="100%" minH="420px">
      {state === 'loaded' ? null : <Skeleton position="absolute" inset="0" borderRadius="lg" />}
      {state === 'slow' ? (
        <Text position="absolute" top="4" left="4" right="4" textStyle="dense" color="fg.muted" role="status">
          {t('reports.slow', { host: new URL(address).host })}
        </Text>
      ) : null}
      <chakra.iframe
        title={report.name}
        src={address}
        sandbox={report.download ? `${SANDBOX} allow-downloads` : SANDBOX}
        referrerPolicy="no-referrer"
        onLoad={() => setState('loaded')}
        position="relative"
        display="block"
        w="100%"
        h="100%"
        minH="420px"
        borderWidth="1px"
        borderRadius="lg"
        bg="bg.surface"
        opacity={state === 'loaded' ? 1 : 0}
      />
    </Box>
  )
}

/** A Metabase report in an iframe. */
export const ReportFrame = ({ report, bot }: Props) => {
  const isDark = useColorMode().shown === 'dark'
  const query = useQuery(embedQuery(report.id, bot))
  // A failed renewal leaves the frame that is there.
  if (query.data === undefined && query.error)
    return (
      <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
        <ErrorState
          error={query.error}
          {...(isProblem(query.error, 403) ? {} : { onRetry: () => void query.refetch() })}
        />
      </Box>
    )
  if (query.data === undefined) return <Skeleton h="100%" minH="420px" borderRadius="lg" />
  const address = addressOf(query.data.url, isDark)
  // The fragment sets the appearance; a frame applies a new one only on load.
  return <Loaded key={address} report={report} address={address} />
}
