import { Box, Flex } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { PackageCheck } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { detailQuery, listQuery, useName } from '#web/entity/entity-query.ts'
import { useEntityTextsReady, useLabel } from '#web/entity/label.ts'
import { EntityListPage } from '#web/entity/list/entity-list-page.tsx'
import { ErrorMessage, PageLoadError } from '#web/page/error-page.tsx'
import { usePageTitle } from '#web/shell/use-instance-tab.ts'
import { VersionList } from './version-list.tsx'
import { VersionPreviewPane } from './version-preview.tsx'

/** /version/{id}: leads to the versions of its bot with this one chosen. */
const OneVersion = ({ id }: { id: string }) => {
  const navigate = useNavigate()
  const query = useQuery(detailQuery('version', id))
  const bot = query.data?.bot
  useEffect(() => {
    if (typeof bot === 'string') void navigate(`/version/search?pid=${bot}&version=${id}`, { replace: true })
  }, [bot, id, navigate])
  return query.error ? <PageLoadError error={query.error} onRetry={() => void query.refetch()} /> : <PageSkeleton />
}

const OfBot = ({ bot }: { bot: string }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const [search, setSearch] = useSearchParams()
  const ready = useEntityTextsReady(['version'])
  const query = useQuery(listQuery('version', { bot, size: 100, sort: '-created_at' }))
  const name = useName('bot', bot)
  const rows = query.data?.items ?? []
  const chosen = rows.find(row => row.id === search.get('version')) ?? rows[0]
  usePageTitle(label.plural('version'))
  if (query.error) return <PageLoadError error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined || !ready) return <PageSkeleton />
  const choose = (id: string) =>
    setSearch(
      before => {
        const next = new URLSearchParams(before)
        next.set('version', id)
        return next
      },
      { replace: true },
    )
  return (
    <Flex flex="1" minH="0" direction={{ base: 'column', lg: 'row' }} overflow={{ base: 'auto', lg: 'hidden' }}>
      <VersionList bot={bot} rows={rows} total={query.data.total} chosen={chosen?.id} onChoose={choose} />
      <Box flex="1" minW="0" overflow={{ base: 'visible', lg: 'auto' }}>
        {chosen ? (
          <VersionPreviewPane key={chosen.id} row={chosen} bot={name ?? ''} />
        ) : (
          <EmptyState icon={PackageCheck} title={t('version.none')} text={t('version.nonetext')} />
        )}
      </Box>
    </Flex>
  )
}

/** /version/search: of one bot (`pid`) with what applying would change, else of all. */
export const VersionPage = () => {
  const { id } = useParams()
  const { can } = useSession()
  const [search] = useSearchParams()
  const bot = search.get('pid')
  if (!can('readversion')) return <ErrorMessage code="403" />
  if (id !== undefined && id !== 'search' && id !== 'new') return <OneVersion key={id} id={id} />
  return bot === null ? <EntityListPage /> : <OfBot key={bot} bot={bot} />
}
