import { Button, chakra, HStack, SimpleGrid, Stack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { AppWindow, LayoutTemplate, Plus, Settings, TabletSmartphone } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { ofAppAddress } from '#domain/breadcrumb.ts'
import { isSimulated } from '#domain/campaign/simulated-number.ts'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Card, Fact } from '#web/components/card.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { Segments } from '#web/components/segments.tsx'
import { ConnectionTestResult, useConnectionTest } from '#web/entity/action/connection-test.tsx'
import { detailQuery, listQuery } from '#web/entity/entity-query.ts'
import { useEntityTexts, useLabel } from '#web/entity/label.ts'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { phoneAddress, SimulatedChip } from '#web/features/simulatednumber/index.ts'
import { TemplateChip } from '#web/features/template/index.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { Redirect } from '#web/page/redirect.tsx'
import { RouterLink } from '#web/page/router-link.ts'
import { TextLink } from '#web/page/text-link.ts'
import { useAddress } from '#web/page/use-address.ts'
import { IncompleteChip, KeyChip, KeyNotice } from './app-chips.tsx'
import { accountAt, accountsOf, phoneOf, useAccounts } from './app-query.ts'
import { MissingChannel } from './missing-channel.tsx'
import { NumberFacts } from './number-facts.tsx'

const SHOWN = 6

const TemplateLine = ({ row }: { readonly row: RowOf<'template'> }) => {
  const label = useLabel()
  const words = (['language', 'category'] as const).map(field => label.option('template', field, row[field]))
  return (
    <RouterLink
      to={`/template/${row.id}`}
      display="flex"
      alignItems="center"
      gap="3"
      px="4"
      py="2"
      borderTopWidth="1px"
      _hover={{ bg: 'bg.subtle' }}
      focusVisibleRing="inside"
    >
      <chakra.span flex="1" minW="0">
        <Text textStyle="code" fontWeight="semibold" overflowWrap="anywhere">
          {row.templateName}
        </Text>
        <Text textStyle="secondary" color="fg.muted">
          {words.join(' · ')}
        </Text>
      </chakra.span>
      <TemplateChip row={row} />
    </RouterLink>
  )
}

/** The templates of an account that were changed last. */
const AppTemplates = ({ app, account }: { readonly app: RowOf<'metaapp'>; readonly account: RowOf<'metaaccount'> }) => {
  const { t } = useTranslation('campaign')
  const { data, error, refetch } = useQuery(
    listQuery('template', { metaaccount: account.id, sort: '-modified_at', page: 1, size: SHOWN }),
  )
  const approved = useQuery(listQuery('template', { metaaccount: account.id, status: 'APPROVED', size: 1 })).data
  return (
    <Card
      title={t('template.plural')}
      beside={
        <HStack gap="3" textStyle="dense" color="fg.muted">
          {approved === undefined ? null : <Text>{t('template.approved', { count: approved.total })}</Text>}
          <TextLink
            to={ofAppAddress('template', { id: app.id, name: app.name, phone: phoneOf(account) })}
            fontWeight="semibold"
          >
            {t('template.all', { count: data?.total ?? 0 })}
          </TextLink>
        </HStack>
      }
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data?.items.length === 0 ? (
        <EmptyState small icon={LayoutTemplate} title={t('template.none')} text={t('template.nonetext')} />
      ) : null}
      {data?.items.map(row => (
        <TemplateLine key={row.id} row={row} />
      ))}
    </Card>
  )
}

const NumberCard = ({ account }: { readonly account: RowOf<'metaaccount'> }) => {
  const { t } = useTranslation('campaign')
  const client = useQueryClient()
  const { answer, button } = useConnectionTest('metaaccount', async () => {
    const found = await http.post('/metaaccount/{id}/test', { params: { id: account.id } })
    await client.invalidateQueries({ queryKey: ['metaaccount'] })
    return found
  })
  return (
    <Stack gap="3" minW="0">
      {answer === undefined ? null : <ConnectionTestResult entity="metaaccount" answer={answer} />}
      <Card
        title={t('number.title', { phone: phoneOf(account) })}
        beside={
          <HStack gap="2" py="2">
            {button}
            <Button asChild variant="ghost">
              <Link to={`/metaaccount/${account.id}`}>
                <Settings size={15} aria-hidden="true" />
                {t('number.open')}
              </Link>
            </Button>
          </HStack>
        }
      >
        <NumberFacts account={account} />
      </Card>
    </Stack>
  )
}

const AppCard = ({
  app,
  accounts,
}: {
  readonly app: RowOf<'metaapp'>
  readonly accounts: readonly RowOf<'metaaccount'>[] | undefined
}) => {
  const { t } = useTranslation('campaign')
  const bot = app.bot_assigned
  return (
    <Card
      title={t('app.title')}
      beside={
        <>
          {accounts?.some(isSimulated) ? <SimulatedChip /> : null}
          <IncompleteChip app={app} accounts={accounts} />
          <KeyChip app={app.id} />
        </>
      }
    >
      <dl>
        <Fact label={t('app.id')}>
          <Text as="span" textStyle="code">
            {app.app_id}
          </Text>
        </Fact>
        <Fact label={t('app.bot')}>
          {typeof bot === 'string' ? (
            <TextLink to={`/bot/${bot}`}>
              <ReferenceName to="bot" id={bot} />
            </TextLink>
          ) : (
            t('app.nobot')
          )}
        </Fact>
      </dl>
    </Card>
  )
}

const Opened = ({ app }: { readonly app: RowOf<'metaapp'> }) => {
  const { t } = useTranslation('campaign')
  const { can } = useSession()
  const { params, put } = useAddress()
  const all = useAccounts()
  const accounts = all && accountsOf(all, app.id)
  const account = accounts && accountAt(accounts, params.get('phone'))
  const name = app.name
  return (
    <Page
      title={name}
      name={name}
      width={1280}
      actions={
        <>
          <Button asChild variant="outline">
            <Link to={`/metaapp/${app.id}`}>
              <Settings size={15} aria-hidden="true" />
              {t('app.open')}
            </Link>
          </Button>
          {isSimulated(account) && account !== undefined ? (
            <Button asChild variant="outline">
              <Link to={phoneAddress(account.id)}>
                <TabletSmartphone size={15} aria-hidden="true" />
                {t('number.openphones')}
              </Link>
            </Button>
          ) : null}
          {account !== undefined && can('createtemplate') ? (
            <Button asChild variant="solid">
              <Link to={`/template?metaaccount=${account.id}`}>
                <Plus size={15} aria-hidden="true" />
                {t('template.new')}
              </Link>
            </Button>
          ) : null}
        </>
      }
    >
      <KeyNotice app={app.id} account={account?.id} />
      {account === undefined || isSimulated(account) ? null : <MissingChannel account={account} />}
      {accounts !== undefined && accounts.length > 1 && account !== undefined ? (
        <HStack mb="4" overflowX="auto">
          <Segments
            label={t('number.choose')}
            value={account.id}
            options={accounts.map(one => ({ value: one.id, label: phoneOf(one) }))}
            onChange={id => put({ phone: accounts.filter(one => one.id === id).map(phoneOf)[0] })}
          />
        </HStack>
      ) : null}
      <SimpleGrid gap="4" columns={{ base: 1, lg: 2 }} alignItems="start">
        {account === undefined ? null : <NumberCard key={account.id} account={account} />}
        {accounts?.length === 0 ? (
          <Card title={t('number.none')}>
            <EmptyState small icon={AppWindow} title={t('app.nonumber')} text={t('app.nonumbertext')} />
          </Card>
        ) : null}
        <Stack gap="4" minW="0">
          <AppCard app={app} accounts={accounts} />
          {account !== undefined && can('readtemplate') ? <AppTemplates app={app} account={account} /> : null}
        </Stack>
      </SimpleGrid>
    </Page>
  )
}

/** /campaignmanagement/channel/app/{id}: an app that sends, one of its numbers and what is sent from it. */
export const AppPage = () => {
  const { id } = useParams()
  const { can } = useSession()
  useEntityTexts(['metaapp', 'metaaccount', 'template'])
  const { data, error, refetch } = useQuery({
    ...detailQuery('metaapp', id ?? ''),
    enabled: id !== undefined && can('readmetaapp'),
  })
  if (id === undefined) return <Redirect to="/campaignmanagement/channel/apps" />
  if (!can('readmetaapp')) return <ErrorMessage code="403" />
  if (error && data === undefined) return <PageLoadError error={error} onRetry={() => void refetch()} />
  return data === undefined ? <PageSkeleton /> : <Opened app={data} />
}
