import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Card } from '#web/components/card.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { saveFile } from '#web/components/save-file.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { momentOf, secondOf } from '#web/format/time.ts'
import { useNoticedAttempt } from '#web/notice/use-attempt.ts'
import { useDebouncedValue } from '#web/timer.ts'
import { RECIPIENTS_SHOWN, type Recipient, recipientSearchQuery, recipientsQuery } from './campaign-query.ts'
import { countText, type DeliveryStatus } from './delivery.ts'
import { DeliveryChip } from './status-chip.tsx'

interface Narrowing {
  readonly status: DeliveryStatus | undefined
  readonly reason: string | undefined
}

const lastTime = ({ engaged, read, delivered, sent, claimed }: Recipient): string | null =>
  engaged ?? read ?? delivered ?? sent ?? claimed

const COLUMNS = { base: '1fr auto', md: '1.7fr 1.5fr 1.4fr 0.8fr 0.7fr 2fr' } as const

/** Names of the columns; lines of a phone have none. */
const Head = () => {
  const { t } = useTranslation('campaign')
  return (
    <Box
      aria-hidden="true"
      display={{ base: 'none', md: 'grid' }}
      gridTemplateColumns={COLUMNS}
      gap="3"
      px="4"
      py="2"
      borderTopWidth="1px"
      bg="bg.subtle"
      textStyle="secondary"
      fontWeight="semibold"
      color="fg.muted"
    >
      {(['person', 'phone', 'status', 'time', 'tries', 'values'] as const).map(name => (
        <span key={name}>{t(`recipient.column.${name}`)}</span>
      ))}
    </Box>
  )
}

const RecipientLine = ({ one }: { readonly one: Recipient }) => {
  const { t } = useTranslation('campaign')
  const time = lastTime(one)
  return (
    <chakra.li
      display="grid"
      gridTemplateColumns={COLUMNS}
      gap={{ base: '1', md: '3' }}
      alignItems="center"
      px="4"
      py="2"
      minH="11"
      borderTopWidth="1px"
      textStyle="dense"
    >
      <Text fontWeight="semibold" overflowWrap="anywhere">
        {one.nome === null || one.nome === '' ? t('recipient.noname') : one.nome}
      </Text>
      <Text color="fg.muted" fontVariantNumeric="tabular-nums" gridRow={{ base: 2, md: 'auto' }}>
        {one.phone ?? t('recipient.nophone')}
        {one.tries > 1 ? (
          <chakra.span hideFrom="md"> · {t('recipient.tries', { count: one.tries })}</chakra.span>
        ) : null}
      </Text>
      <Box
        gridColumn={{ base: 2, md: 'auto' }}
        gridRow={{ base: 1, md: 'auto' }}
        justifySelf={{ base: 'end', md: 'start' }}
      >
        <DeliveryChip status={one.status} />
      </Box>
      <chakra.time
        color="fg.muted"
        fontVariantNumeric="tabular-nums"
        justifySelf={{ base: 'end', md: 'start' }}
        title={time === null ? undefined : momentOf(time)}
      >
        {time === null ? '–' : secondOf(time)}
      </chakra.time>
      <Text
        hideBelow="md"
        color="fg.muted"
        fontVariantNumeric="tabular-nums"
        aria-label={t('recipient.tries', { count: one.tries })}
      >
        {one.tries === 0 ? '–' : one.tries}
      </Text>
      <Text
        color="fg.muted"
        gridColumn={{ base: '1 / -1', md: 'auto' }}
        hidden={one.text === null && one.values.length === 0}
        overflowWrap="anywhere"
        lineClamp={2}
      >
        {one.text ?? one.values.join(' · ')}
      </Text>
    </chakra.li>
  )
}

/** Takes the recipients that are shown along as CSV. */
const ExportButton = ({ row, status, reason }: Narrowing & { readonly row: RowOf<'campaign'> }) => {
  const { t } = useTranslation(['campaign', 'shell'])
  const { isBusy: busy, attempt } = useNoticedAttempt(t('shell:error.noanswer'))
  const save = () =>
    attempt(async () => {
      const query = { ...(status === undefined ? {} : { status }), ...(reason === undefined ? {} : { reason }) }
      const content = await http.file('/campaign/{id}/recipients/export', { params: { id: row.id }, query })
      saveFile(content, `${row.name}.csv`)
    })
  return (
    <Button loading={busy} onClick={() => void save()}>
      <Download size={15} aria-hidden="true" />
      {t('recipient.export')}
    </Button>
  )
}

interface Props extends Narrowing {
  readonly row: RowOf<'campaign'>
  onClear(): void
}

const Pages = ({
  page,
  total,
  onPage,
}: {
  readonly page: number
  readonly total: number
  onPage(page: number): void
}) => {
  const { t } = useTranslation('campaign')
  const first = (page - 1) * RECIPIENTS_SHOWN
  if (total <= RECIPIENTS_SHOWN) return null
  return (
    <HStack px="4" py="2" borderTopWidth="1px" justify="flex-end" textStyle="dense" color="fg.muted">
      <Text fontVariantNumeric="tabular-nums">
        {t('recipient.range', {
          from: countText(first + 1),
          to: countText(Math.min(first + RECIPIENTS_SHOWN, total)),
          total: countText(total),
        })}
      </Text>
      <IconButton
        icon={ChevronLeft}
        label={t('recipient.before')}
        disabled={page === 1}
        onClick={() => onPage(page - 1)}
      />
      <IconButton
        icon={ChevronRight}
        label={t('recipient.after')}
        disabled={first + RECIPIENTS_SHOWN >= total}
        onClick={() => onPage(page + 1)}
      />
    </HStack>
  )
}

const Lines = ({ items }: { readonly items: readonly Recipient[] }) =>
  items.length === 0 ? null : (
    <>
      <Head />
      <chakra.ul listStyleType="none">
        {items.map(one => (
          <RecipientLine key={`${one.contact} ${one.run}`} one={one} />
        ))}
      </chakra.ul>
    </>
  )

/** Recipients whose name or number is looked for; contacts are looked through part by part. */
const Found = ({ row, search }: { readonly row: RowOf<'campaign'>; readonly search: string }) => {
  const { t } = useTranslation('campaign')
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    recipientSearchQuery(row, search),
  )
  const items = data?.pages.flatMap(page => page.items) ?? []
  return (
    <>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined || items.length > 0 ? null : (
        <Text role="status" px="4" pb="4" textStyle="dense" color="fg.muted">
          {t(hasNextPage ? 'recipient.nomatchyet' : 'recipient.nomatch')}
        </Text>
      )}
      <Lines items={items} />
      {hasNextPage ? (
        <Box px="4" py="2" borderTopWidth="1px" textAlign="center">
          <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('recipient.further')}
          </Button>
        </Box>
      ) : null}
    </>
  )
}

const SEARCH_PAUSE_MS = 300

/** Recipients with the status of each message, filtered by the selected status or reason, or searched. */
export const RecipientsCard = ({ row, status, reason, onClear }: Props) => {
  const { t } = useTranslation('campaign')
  const { can } = useSession()
  const [page, setPage] = useState(1)
  const [typed, setTyped] = useState('')
  const search = useDebouncedValue(typed.trim(), SEARCH_PAUSE_MS)
  const { data, error, refetch } = useQuery(recipientsQuery(row, { status, reason, page }))
  const filter = reason ?? (status === undefined ? undefined : t(`delivery.${status}`))
  return (
    <Card
      title={t('recipient.title')}
      beside={
        <HStack gap="2" py="2" flexWrap="wrap">
          {can('readcontact') ? (
            <SearchField
              label={t('recipient.search')}
              value={typed}
              onChange={setTyped}
              w={{ base: '100%', md: '190px' }}
            />
          ) : null}
          {/* Belongs to the whole list. Hidden in place during a search: otherwise the field moves. */}
          <HStack
            gap="2"
            flexWrap="wrap"
            {...(search === '' ? {} : { visibility: 'hidden', display: { base: 'none', md: 'flex' } })}
          >
            {filter === undefined ? null : (
              <Button size="sm" variant="outline" onClick={onClear}>
                {filter}
                <X size={13} aria-label={t('recipient.all')} />
              </Button>
            )}
            {data === undefined ? null : (
              <Text textStyle="dense" color="fg.muted" fontVariantNumeric="tabular-nums">
                {countText(data.total)}
              </Text>
            )}
            {can('exportcampaign') && (data?.total ?? 0) > 0 ? (
              <ExportButton row={row} status={status} reason={reason} />
            ) : null}
          </HStack>
        </HStack>
      }
    >
      {search === '' ? (
        <>
          {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
          {data?.items.length === 0 ? (
            <Text px="4" pb="4" textStyle="dense" color="fg.muted">
              {t(filter === undefined ? 'recipient.none' : 'recipient.nonesuch')}
            </Text>
          ) : null}
          <Lines items={data?.items ?? []} />
          <Pages page={page} total={data?.total ?? 0} onPage={setPage} />
        </>
      ) : (
        <Found row={row} search={search} />
      )}
    </Card>
  )
}
