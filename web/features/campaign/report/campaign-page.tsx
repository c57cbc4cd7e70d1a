import { Box, Button, chakra, Grid, HStack, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Copy, Ellipsis, Eye, FileSpreadsheet, ListChecks } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { campaign } from '#schemas/entities/campaign.ts'
import type { RowOf } from '#schemas/row.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu, type MenuAction } from '#web/components/action-menu.tsx'
import { Card } from '#web/components/card.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { Modal } from '#web/components/modal.tsx'
import { PageSkeleton, RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { useEntityActions } from '#web/entity/action/use-entity-actions.tsx'
import { FORM_QUERY } from '#web/entity/address.ts'
import { detailQuery } from '#web/entity/entity-query.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { RemovedDetail } from '#web/entity/form/removed-detail.tsx'
import { useEntityTexts } from '#web/entity/label.ts'
import { ParentTabs } from '#web/entity/parent-tabs.tsx'
import { AccountMark, CopyToReal } from '#web/features/simulatednumber/index.ts'
import { agoOf } from '#web/format/time.ts'
import { useBottomInset } from '#web/notice/notice.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { Redirect } from '#web/page/redirect.tsx'
import { useAddress } from '#web/page/use-address.ts'
import { useLevelOf } from '#web/shell/level.ts'
import { PHONE, useMedia } from '#web/shell/use-media.ts'
import { isOpen, type Reason, statisticsQuery } from './campaign-query.ts'
import { ComparisonCard } from './comparison-card.tsx'
import { CostCard } from './cost-card.tsx'
import { countText, isDelivery } from './delivery.ts'
import { DeliveryCard } from './delivery-card.tsx'
import { DuplicateDialog } from './duplicate-dialog.tsx'
import { RateCard } from './rate-card.tsx'
import { RecipientsCard } from './recipients-card.tsx'
import { ChannelCard, MessageCard, MessagePreview, NumberCard, ScheduleCard } from './side-cards.tsx'
import { RunChip } from './status-chip.tsx'

interface FailuresProps {
  readonly row: RowOf<'campaign'>
  readonly reasons: readonly Reason[]
  /** Sends what failed again, where that can be done now. */
  readonly retry: MenuAction | undefined
  /** Sends messages with an unknown outcome again, where that can be done now. */
  readonly resend: MenuAction | undefined
  onShow(reason: Reason): void
}

/** Action for a reason: one, or none. */
const Act = ({ row, reason, retry, resend, onShow }: Omit<FailuresProps, 'reasons'> & { readonly reason: Reason }) => {
  const { t } = useTranslation('campaign')
  const { act } = reason
  if (act === 'retry' && retry !== undefined) return <Button onClick={retry.run}>{retry.label}</Button>
  if (act === 'tomorrow' && retry !== undefined) return <Button onClick={retry.run}>{t('report.act.tomorrow')}</Button>
  if (act === 'resend' && resend !== undefined) return <Button onClick={resend.run}>{resend.label}</Button>
  if (act === 'contact') return <Button onClick={() => onShow(reason)}>{t('report.act.contact')}</Button>
  if (act === 'template' || act === 'account') {
    const to =
      act === 'template'
        ? `/template/${row.template}`
        : row.channel
          ? `/channel/${row.channel}`
          : `/metaaccount/${row.metaaccount}`
    return (
      <Button asChild>
        <Link to={to}>{t(`report.act.${act}`)}</Link>
      </Button>
    )
  }
  return (
    <Text textStyle="dense" color="fg.muted">
      {t(act === 'retry' || act === 'resend' || act === 'tomorrow' ? 'report.act.later' : 'report.act.none')}
    </Text>
  )
}

/** Why messages failed or were not sent, the commonest first, each with the one thing that can be done about it. */
const FailuresCard = ({ row, reasons, retry, resend, onShow }: FailuresProps) => {
  const { t } = useTranslation('campaign')
  return (
    <Card title={t('report.failures')}>
      {reasons.length === 0 ? (
        <Text px="4" pb="4" textStyle="dense" color="fg.muted">
          {t('report.nofailures')}
        </Text>
      ) : null}
      {reasons.map(reason => (
        <HStack key={`${reason.status} ${reason.code}`} px="4" py="2.5" gap="4" borderTopWidth="1px">
          <Text minW="9" textAlign="end" textStyle="card" fontVariantNumeric="tabular-nums">
            {countText(reason.count)}
          </Text>
          {/* A button without room beside the words goes below them, not below the number. */}
          <HStack flex="1" minW="0" columnGap="4" rowGap="1.5" flexWrap="wrap">
            <Box flex="1 1 160px" minW="0" textStyle="dense">
              <Text>
                {reason.text}{' '}
                {/^\d+$/u.test(reason.code) ? (
                  <Text as="span" textStyle="code" color="fg.muted">
                    {reason.code}
                  </Text>
                ) : null}
              </Text>
              <Text textStyle="secondary" color="fg.muted">
                {t(`report.hint.${reason.act}`, { count: reason.count, shown: countText(reason.count) })}
              </Text>
            </Box>
            <Act row={row} reason={reason} retry={retry} resend={resend} onShow={onShow} />
          </HStack>
        </HStack>
      ))}
    </Card>
  )
}

interface SourceProps {
  readonly name: string
  readonly to: string
  /** Absent: it leaves people out. */
  readonly count?: number
}

const Source = ({ name, to, count }: SourceProps) => (
  <HStack as="li" gap="3" py="1" textStyle="dense" justify="space-between">
    <Link to={to}>
      <Text as="span" color="accent.fg" overflowWrap="anywhere">
        {name}
      </Text>
    </Link>
    {count === undefined ? null : <Text fontVariantNumeric="tabular-nums">{countText(count)}</Text>}
  </HStack>
)

/** Lists and segments that the last run was planned with, as they were then. */
const RunAudienceCard = ({ row }: { readonly row: RowOf<'campaign'> }) => {
  const { t } = useTranslation('campaign')
  const { data } = useQuery({
    queryKey: ['campaign', 'runs', row.id, row.run_started_at, row.run_status],
    queryFn: ({ signal }) => http.get('/campaignrun', { query: { campaign: row.id }, signal }),
  })
  const audience = data?.items.find(({ audience: planned }) => planned !== null)?.audience
  if (audience === undefined || audience === null) return null
  const { own, lists, segments, minus, omitted } = audience
  return (
    <Card title={t('audience.planned')}>
      <Box px="4" pb="3">
        <Box as="ul" listStyleType="none">
          {own === 0 ? null : (
            <Source name={t('audience.own')} to={`/campaignmanagement/contact/${row.id}`} count={own} />
          )}
          {lists.map(({ id, name, count }) => (
            <Source key={id} name={name} to={`/contactlist/${id}`} count={count} />
          ))}
          {segments.map(({ id, name, count }) => (
            <Source key={id} name={name} to={`/segment/${id}`} count={count} />
          ))}
        </Box>
        {minus.length === 0 ? null : (
          <Box as="ul" listStyleType="none" borderTopWidth="1px" mt="2" pt="2">
            <Text as="li" textStyle="secondary" color="fg.muted">
              {t('audience.omitted', { count: omitted, shown: countText(omitted) })}
            </Text>
            {minus.map(({ id, name }) => (
              <Source key={id} name={name} to={`/contactlist/${id}`} />
            ))}
          </Box>
        )}
        <Text textStyle="secondary" color="fg.muted" mt="2">
          {t('audience.once')}
        </Text>
      </Box>
    </Card>
  )
}

interface Props {
  readonly template: string
  readonly first: MenuAction | undefined
  readonly weight: 'solid' | 'outline'
  /** Address of the review, for a campaign that was never sent. */
  readonly review: string | undefined
}

const Wide = ({ children }: { readonly children: ReactNode }) => (
  <HStack gap="2.5" w="100%" css={{ '& > *': { flex: '1 1 0', minH: '11', minW: 0 } }}>
    {children}
  </HStack>
)

/** On a phone, stays at the bottom: the message, and the most likely act. */
const ActBar = ({ template, first, weight, review }: Props) => {
  const { t } = useTranslation('campaign')
  const bar = useBottomInset()
  const [isShown, setShown] = useState(false)
  return (
    <HStack
      ref={bar}
      as="section"
      aria-label={t('report.acts')}
      flex="none"
      px="3"
      py="2.5"
      bg="bg.surface"
      borderTopWidth="1px"
    >
      <Wide>
        <Button variant="outline" onClick={() => setShown(true)}>
          <Eye size={15} aria-hidden="true" />
          {t('report.seemessage')}
        </Button>
        {review === undefined ? null : (
          <Button asChild variant="solid">
            <Link to={review}>
              <ListChecks size={15} aria-hidden="true" />
              {t('report.review')}
            </Link>
          </Button>
        )}
        {first === undefined ? null : (
          <Button variant={weight} onClick={first.run}>
            {first.icon === undefined ? null : <first.icon size={15} aria-hidden="true" />}
            {first.label}
          </Button>
        )}
      </Wide>
      <Modal open={isShown} onClose={() => setShown(false)} title={t('report.message')}>
        <MessagePreview id={template} />
      </Modal>
    </HStack>
  )
}

/** The form of a campaign, beside its report. */
export const settingsAddress = (id: string): string => `/campaign/settings/${id}`

/** Address of the campaign steps: new, or for an unsent campaign. */
export const createAddress = (id?: string): string =>
  `/campaignmanagement/campaign/create${id === undefined ? '' : `?campaign=${encodeURIComponent(id)}`}`

/** The most likely act stands alone; the others are in the menu. */
const FIRST = ['pause', 'resume', 'start']

/** Why it waits or was stopped, in words. */
const RunReason = ({ row }: { readonly row: RowOf<'campaign'> }) => {
  const { t } = useTranslation('campaign')
  const reason = row.run_reason
  if (!reason || !isOpen(row)) return null
  return (
    <Box role="status" bg="warning.subtle" color="warning.fg" borderRadius="lg" px="4" py="3" mb="4" textStyle="dense">
      {t(/^\d+$/u.test(reason) ? 'runreason.code' : `runreason.${reason}`, {
        reason,
        defaultValue: t('runreason.other', { reason }),
      })}
    </Box>
  )
}

interface BodyProps {
  readonly row: RowOf<'campaign'>
  readonly retry: MenuAction | undefined
  readonly resend: MenuAction | undefined
}

/** Report of the campaign, filtered by `status` or `reason` in the address. */
const Report = ({ row, retry, resend }: BodyProps) => {
  const { params, put } = useAddress()
  const { data, error, refetch } = useQuery(statisticsQuery(row))
  const asked = params.get('status')
  const status = isDelivery(asked) ? asked : undefined
  const reason = params.get('reason') ?? undefined
  if (error && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <RowsSkeleton />
  return (
    <Stack gap="4" minW="0">
      <DeliveryCard row={row} data={data} chosen={status} onChoose={next => put({ status: next, reason: undefined })} />
      {data.comparison === null ? null : <ComparisonCard row={row} data={data.comparison} />}
      <Grid
        gap="4"
        templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1.15fr)' }}
        alignItems="start"
      >
        <RateCard row={row} rate={data.rate} />
        <FailuresCard
          row={row}
          reasons={data.byreason}
          retry={retry}
          resend={resend}
          onShow={next => put({ reason: next.code, status: next.status })}
        />
      </Grid>
      <RecipientsCard
        key={`${status} ${reason}`}
        row={row}
        status={status}
        reason={reason}
        onClear={() => put({ status: undefined, reason: undefined })}
      />
    </Stack>
  )
}

/** Before the first send: links to steps with missing data. */
const NotSentYet = ({ row }: { readonly row: RowOf<'campaign'> }) => {
  const { t } = useTranslation('campaign')
  const { can } = useSession()
  return (
    <HStack gap="4" p="5" bg="bg.surface" borderWidth="1px" borderRadius="lg" flexWrap="wrap">
      <ListChecks size={20} aria-hidden="true" />
      <Box flex="1 1 240px">
        <Text textStyle="card">{t('report.notsent')}</Text>
        <Text textStyle="dense" color="fg.muted">
          {t('report.notsenttext')}
        </Text>
      </Box>
      {can('updatecampaign') ? (
        <Button asChild variant="solid">
          <Link to={createAddress(row.id)}>{t('report.review')}</Link>
        </Button>
      ) : null}
    </HStack>
  )
}

const CampaignCost = ({ row }: { readonly row: RowOf<'campaign'> }) => {
  const { data } = useQuery(statisticsQuery(row))
  return data === undefined ? null : <CostCard cost={data.cost} />
}

const useHeader = (row: RowOf<'campaign'>) => {
  const declared = useEntityActions(campaign)
  const entries = declared.entries(row, 'page')
  const isNew = row.run_status === null
  // Unsent: review first, as it shows the recipient count.
  // The better template is chosen beside its figures.
  const offered = entries.filter(({ id }) => id !== 'choosewinner' && !(isNew && id === 'start'))
  const first = FIRST.flatMap(id => offered.find(entry => entry.id === id) ?? [])[0]
  return {
    first,
    // A campaign that reached all its people asks for nothing more.
    weight: row.run_status === 'completed' ? ('outline' as const) : ('solid' as const),
    others: offered.filter(entry => entry !== first),
    retry: entries.find(({ id }) => id === 'retryfailed'),
    resend: entries.find(({ id }) => id === 'resendunknown'),
    dialog: declared.dialog,
  }
}

const Opened = ({ row }: { readonly row: RowOf<'campaign'> }) => {
  const { t } = useTranslation(['campaign', 'shell'])
  const { can } = useSession()
  useLevelOf('campaign', row)
  const { first, weight, others, retry, resend, dialog } = useHeader(row)
  const name = row.name
  const started = row.run_started_at ?? undefined
  const { template, metaaccount: account, channel } = row
  const isPhone = useMedia(PHONE)
  const navigate = useNavigate()
  const [isCopying, setCopying] = useState(false)
  const copy: MenuAction = { id: 'duplicate', label: t('report.duplicate'), icon: Copy, run: () => setCopying(true) }
  const contacts = `/campaignmanagement/contact/${row.id}`
  const toContacts: MenuAction = {
    ...{ id: 'contacts', label: t('report.contacts'), icon: FileSpreadsheet },
    run: () => void navigate(contacts),
  }
  const more = [...(isPhone ? [toContacts] : []), ...(can('createcampaign') ? [copy] : []), ...others]
  const review = started === undefined && can('updatecampaign') ? createAddress(row.id) : undefined
  return (
    <Page
      title={name}
      name={name}
      beside={
        <>
          <RunChip row={row} />
          <AccountMark account={row.metaaccount} />
        </>
      }
      {...(started === undefined ? {} : { purpose: t('report.started', { time: agoOf(started) }) })}
      bar={isPhone ? <ActBar template={template} first={first} weight={weight} review={review} /> : undefined}
      actions={
        <>
          <CopyToReal row={row} />
          {isPhone ? null : (
            <Button asChild variant="outline">
              <Link to={contacts}>
                <FileSpreadsheet size={15} aria-hidden="true" />
                {t('report.contacts')}
              </Link>
            </Button>
          )}
          {first === undefined || isPhone ? null : (
            <Button variant={weight} onClick={first.run}>
              {first.icon === undefined ? null : <first.icon size={15} aria-hidden="true" />}
              {first.label}
            </Button>
          )}
          {more.length === 0 ? null : (
            <ActionMenu label={t('shell:moreof', { name })} actions={more}>
              <IconButton icon={Ellipsis} label={t('shell:moreof', { name })} />
            </ActionMenu>
          )}
        </>
      }
    >
      <ParentTabs entity="campaign" id={row.id} />
      <RunReason row={row} />
      <Grid gap="4" templateColumns={{ base: 'minmax(0, 1fr)', xl: 'minmax(0, 1fr) 300px' }} alignItems="start">
        {started === undefined ? <NotSentYet row={row} /> : <Report row={row} retry={retry} resend={resend} />}
        <chakra.aside display="grid" gap="4" aria-label={t('report.about')}>
          {started === undefined ? null : <RunAudienceCard row={row} />}
          <MessageCard id={template} />
          <ScheduleCard row={row} settings={can('updatecampaign') ? settingsAddress(row.id) : undefined} />
          {account === null ? null : <NumberCard id={account} />}
          {channel === null ? null : <ChannelCard id={channel} />}
          {started === undefined ? null : <CampaignCost row={row} />}
        </chakra.aside>
      </Grid>
      {dialog}
      {isCopying ? <DuplicateDialog row={row} onClose={() => setCopying(false)} /> : null}
    </Page>
  )
}

/** /campaign/{id}: progress of a campaign, with stop and continue. */
export const CampaignPage = () => {
  const { id = '' } = useParams()
  const { search } = useLocation()
  const { can } = useSession()
  useEntityTexts(['campaign', 'metaaccount', 'pricelist', 'template'])
  const query = useQuery({
    ...detailQuery('campaign', id),
    refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data) ? 2000 : false),
  })
  const params = new URLSearchParams(search)
  if (Object.values(FORM_QUERY).some(name => params.has(name)))
    return <Redirect to={{ pathname: settingsAddress(id), search }} />
  if (!can('readcampaign')) return <ErrorMessage code="403" />
  if (isProblem(query.error, 404)) return <RemovedDetail entity={campaign} id={id} />
  if (query.data !== undefined) return <Opened key={id} row={query.data} />
  if (query.error) return <PageLoadError error={query.error} onRetry={() => void query.refetch()} />
  return <PageSkeleton />
}

const LIST = '/campaignmanagement/channel/app/campaign/search'

/** /campaign/settings/{id}: the form of a campaign and its history. */
export const CampaignSettingsPage = () => {
  const { id } = useParams()
  if (id === undefined) return <Redirect to={LIST} />
  return <EntityDetail entity={campaign} id={id} listAt={LIST} tab="settings" beside={row => <RunChip row={row} />} />
}
