import { Button, HStack, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { ofAppAddress } from '#domain/breadcrumb.ts'
import type { RowOf } from '#schemas/row.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import type { Row } from '#web/entity/entity-query.ts'
import { AccountMark } from '#web/features/simulatednumber/index.ts'
import { Page } from '#web/page/page.tsx'
import { Redirect } from '#web/page/redirect.tsx'
import { AccountFilteredList } from './app/account-filtered-list.tsx'
import { accountsOf, appsQuery, phoneOf, useAccounts } from './app/app-query.ts'
import { isOpen, statisticsQuery } from './report/campaign-query.ts'
import { countText } from './report/delivery.ts'
import { DeliveryBar } from './report/delivery-card.tsx'
import { RunChip } from './report/status-chip.tsx'

/** Progress of a campaign in a row: its run, message statuses and total. */
const RunCell = ({ row }: { readonly row: RowOf<'campaign'> }) => {
  const { t } = useTranslation('campaign')
  const wasRun = row.run_status !== null
  const { data } = useQuery({
    ...statisticsQuery(row),
    enabled: wasRun,
    ...(isOpen(row) ? {} : { refetchInterval: false }),
  })
  const state = (
    <HStack gap="1.5" flexWrap="wrap">
      <RunChip row={row} />
      <AccountMark account={row.metaaccount} />
    </HStack>
  )
  if (data === undefined || data.total === 0) return state
  return (
    <Stack gap="1.5" minW="180px">
      {state}
      <DeliveryBar counts={data.bystatus} size="row" />
      <Text textStyle="secondary" color="fg.muted" fontVariantNumeric="tabular-nums">
        {t('list.figures', {
          handedover: countText(data.handedover),
          total: countText(data.total),
          failed: countText(data.failed),
        })}
      </Text>
    </Stack>
  )
}

const CELLS = { run_status: (row: Row) => <RunCell row={row as RowOf<'campaign'>} /> }

/** All campaigns, or those of an app, each with what became of its messages. */
export const CampaignListPage = () => <AccountFilteredList cells={CELLS} />

/** /bot/campaign/search: the campaigns of the app that a bot (`pid`) is assigned to; of all without one. */
export const BotCampaignsPage = () => {
  const { t } = useTranslation(['campaign', 'shell'])
  const [params] = useSearchParams()
  const bot = params.get('pid')
  const { data: apps } = useQuery(appsQuery)
  const accounts = useAccounts()
  if (bot === null) return <Redirect to="/campaignmanagement/channel/app/campaign/search" />
  if (apps === undefined) return <PageSkeleton />
  const app = apps.find(({ bot_assigned: assigned }) => assigned === bot)
  if (app === undefined)
    return (
      <Page title={t('list.title')}>
        <EmptyState title={t('list.noapp')} text={t('list.noapptext')}>
          <Button asChild variant="outline">
            <Link to="/campaignmanagement/channel/apps">{t('shell:menu.campaignapps')}</Link>
          </Button>
        </EmptyState>
      </Page>
    )
  const [account] = accounts === undefined ? [] : accountsOf(accounts, app.id)
  const phone = account === undefined ? undefined : phoneOf(account)
  return <Redirect to={ofAppAddress('campaign', { id: app.id, name: String(app.name), phone })} />
}
