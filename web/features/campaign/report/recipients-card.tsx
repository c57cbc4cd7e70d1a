import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
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
import { momentOf, secondOf } from '#web/format/time.ts'
import { useNoticedAttempt } from '#web/notice/use-attempt.ts'
import { RECIPIENTS_SHOWN, type Recipient, recipientsQuery } from './campaign-query.ts'
import { countText, type DeliveryStatus } from './delivery.ts'
import { DeliveryChip } from './status-chip.tsx'

interface Narrowing {
  readonly status: DeliveryStatus | undefined
  readonly reason: string | undefined
}

const lastTime = ({ engaged, read, delivered, sent, claimed }: Recipient): string | null =>
  engaged ?? read ?? delivered ?? sent ?? claimed

const RecipientLine = ({ one }: { readonly one: Recipient }) => {
  const { t } = useTranslation('campaign')
  const time = lastTime(one)
  return (
    <chakra.li
      display="grid"
      gridTemplateColumns={{ base: '1fr auto', md: '2fr 1.6fr 1.4fr 0.8fr 2fr' }}
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
        color="fg.muted"
        gridColumn={{ base: '1 / -1', md: 'auto' }}
        hidden={one.text === null}
        overflowWrap="anywhere"
      >
        {one.text}
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

/** Recipients with the status of each message, filtered by the selected status or reason. */
export const RecipientsCard = ({ row, status, reason, onClear }: Props) => {
  const { t } = useTranslation('campaign')
  const { can } = useSession()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useQuery(recipientsQuery(row, { status, reason, page }))
  const filter = reason ?? (status === undefined ? undefined : t(`delivery.${status}`))
  return (
    <Card
      title={t('recipient.title')}
      beside={
        <HStack gap="2" py="2" flexWrap="wrap">
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
      }
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data?.items.length === 0 ? (
        <Text px="4" pb="4" textStyle="dense" color="fg.muted">
          {t(filter === undefined ? 'recipient.none' : 'recipient.nonesuch')}
        </Text>
      ) : null}
      <chakra.ul listStyleType="none">
        {data?.items.map(one => (
          <RecipientLine key={`${one.contact} ${one.run}`} one={one} />
        ))}
      </chakra.ul>
      <Pages page={page} total={data?.total ?? 0} onPage={setPage} />
    </Card>
  )
}
