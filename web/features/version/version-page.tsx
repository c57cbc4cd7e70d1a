import { Box, Button, chakra, Flex, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CopyPlus, PackageCheck, Plus, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import { version } from '#schemas/entities/version.ts'
import type { RowOf } from '#schemas/row.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { UploadProgress, useUploadProgress } from '#web/components/upload-progress.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { detailQuery, listQuery, useName } from '#web/entity/entity-query.ts'
import { useEntityTextsReady, useLabel } from '#web/entity/label.ts'
import { EntityListPage } from '#web/entity/list/entity-list-page.tsx'
import { NameDialog } from '#web/entity/name-dialog.tsx'
import { usePerson } from '#web/entity/person-query.ts'
import { agoOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'
import { Breadcrumbs, useBreadcrumbs } from '#web/page/breadcrumbs.tsx'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { Redirect } from '#web/page/redirect.tsx'
import { usePageTitle } from '#web/shell/use-instance-tab.ts'
import { VersionPreviewPane } from './version-preview.tsx'

const MAX_FILE = 64 * 1024 * 1024

interface Props {
  readonly bot: string
  readonly rows: readonly RowOf<'version'>[]
  readonly total: number
  readonly chosen: string | undefined
  onChoose(id: string): void
}

const Origin = ({ row }: { readonly row: RowOf<'version'> }) => {
  const { t } = useTranslation('shell')
  const person = usePerson(row.created_by)
  return (
    <HStack mt="1.5" gap="2" textStyle="secondary" color="fg.muted">
      <PersonAvatar person={person ?? null} size={20} />
      <Text truncate flex="1">
        {person ? nameOf(person) : ''} · {agoOf(row.created_at)}
      </Text>
      <HStack gap="1" whiteSpace="nowrap">
        {row.uploaded ? <Upload size={13} aria-hidden="true" /> : <CopyPlus size={13} aria-hidden="true" />}
        {row.uploaded ? t('version.file') : t('version.copy')}
      </HStack>
    </HStack>
  )
}

const Item = ({
  row,
  number,
  chosen,
  onChoose,
}: {
  row: RowOf<'version'>
  number: number
  chosen: boolean
  onChoose: () => void
}) => {
  const { t } = useTranslation('shell')
  return (
    <li>
      <chakra.button
        type="button"
        aria-current={chosen ? 'true' : undefined}
        onClick={onChoose}
        display="flex"
        gap="3"
        w="100%"
        px="4"
        py="3"
        textAlign="start"
        cursor="pointer"
        borderBottomWidth="1px"
        bg={chosen ? 'accent.subtle' : 'transparent'}
        boxShadow={chosen ? 'inset 3px 0 0 {colors.accent.solid}' : 'none'}
        _hover={{ bg: chosen ? 'accent.subtle' : 'bg.subtle' }}
        focusVisibleRing="inside"
      >
        <Text fontWeight="semibold" fontSize="sm" w="5">
          {number}
        </Text>
        <Box flex="1" minW="0">
          <HStack justify="space-between" gap="2">
            <Text textStyle="card" truncate>
              {row.name}
            </Text>
            {row.latest ? (
              <Chip tone="accent" bg="accent.muted">
                {t('version.latest')}
              </Chip>
            ) : row.applied_at ? (
              <Chip tone="positive">{t('version.applied')}</Chip>
            ) : null}
          </HStack>
          <Origin row={row} />
        </Box>
      </chakra.button>
    </li>
  )
}

const UploadButton = ({ bot, onUploaded }: { readonly bot: string; onUploaded(id: string): void }) => {
  const { t } = useTranslation('shell')
  const { refresh } = useEntityCommand(version)
  const file = useRef<HTMLInputElement>(null)
  const progress = useUploadProgress()
  const upload = async (given: File | undefined) => {
    if (given === undefined) return
    if (given.size > MAX_FILE) return notice.toast(t('version.toobig'), { tone: 'danger' })
    await progress.run(
      async options => {
        const made = await http.upload('/version/upload', given, { query: { bot }, ...options })
        await refresh()
        notice.snack(t('created'), { tone: 'positive' })
        onUploaded(made.id)
      },
      error => `${t('version.notuploaded')}: ${isProblem(error) ? error.message : t('error.noanswer')}`,
    )
  }
  return (
    <>
      <chakra.input
        ref={file}
        type="file"
        accept="application/json,.json"
        display="none"
        aria-label={t('version.upload')}
        onChange={event => {
          void upload(event.target.files?.[0])
          // The same file can be chosen again.
          event.target.value = ''
        }}
      />
      <Button disabled={progress.busy} onClick={() => file.current?.click()}>
        <Upload size={15} aria-hidden="true" />
        {t('version.upload')}
      </Button>
      <UploadProgress {...progress} />
    </>
  )
}

/** The versions of a bot, newest first; keeping the present state or bringing one from a file. */
const VersionList = ({ bot, rows, total, chosen, onChoose }: Props) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const crumbs = useBreadcrumbs(undefined)
  const { can } = useSession()
  const [creating, setCreating] = useState(false)
  return (
    <Box
      w={{ base: '100%', lg: '348px' }}
      flex="none"
      bg="bg.surface"
      borderRightWidth={{ base: '0', lg: '1px' }}
      overflow="auto"
    >
      <Box px="4" pt="4" pb="3" borderBottomWidth="1px">
        <Breadcrumbs crumbs={crumbs} />
        <HStack gap="2">
          <Text as="h1" textStyle="page" flex="1">
            {label.plural('version')}
          </Text>
          {can('createversion') ? (
            <>
              <UploadButton bot={bot} onUploaded={onChoose} />
              <Button variant="solid" onClick={() => setCreating(true)}>
                <Plus size={15} aria-hidden="true" />
                {t('version.new')}
              </Button>
            </>
          ) : null}
        </HStack>
      </Box>
      {/* Without versions the pane beside it says so. */}
      {rows.length === 0 ? null : (
        <chakra.ol listStyleType="none">
          {rows.map((row, at) => (
            <Item
              key={row.id}
              row={row}
              number={total - at}
              chosen={row.id === chosen}
              onChoose={() => onChoose(row.id)}
            />
          ))}
        </chakra.ol>
      )}
      {creating ? <NameDialog entity="version" fixed={{ bot }} onClose={() => setCreating(false)} /> : null}
    </Box>
  )
}

/** /version/{id}: leads to the versions of its bot with this one chosen. */
const OneVersion = ({ id }: { id: string }) => {
  const query = useQuery(detailQuery('version', id))
  const bot = query.data?.bot
  if (typeof bot === 'string') return <Redirect to={`/version/search?pid=${bot}&version=${id}`} />
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
  if (query.error && query.data === undefined)
    return <PageLoadError error={query.error} onRetry={() => void query.refetch()} />
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
