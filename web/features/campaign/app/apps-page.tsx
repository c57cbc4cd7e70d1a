import { Box, Button, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { AppWindow, Bot, Phone } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { appAddress } from '#domain/breadcrumb.ts'
import { isSimulated } from '#domain/campaign/simulated-number.ts'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { useEntityTexts, useLabel } from '#web/entity/label.ts'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { SimulatedChip, TryWithoutMeta } from '#web/features/simulatednumber/index.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { RouterLink } from '#web/page/router-link.ts'
import { IncompleteChip, KeyChip } from './app-chips.tsx'
import { accountsOf, appsQuery, phoneOf, useAccounts } from './app-query.ts'
import { QualityChip, useLimitText } from './number-facts.tsx'

const NumberLine = ({ app, account }: { readonly app: RowOf<'metaapp'>; readonly account: RowOf<'metaaccount'> }) => {
  const limit = useLimitText()
  const phone = phoneOf(account)
  return (
    <RouterLink
      to={appAddress({ id: app.id, name: app.name, phone })}
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      gap="3"
      rowGap="1"
      px="4"
      py="2.5"
      borderTopWidth="1px"
      textStyle="dense"
      _hover={{ bg: 'bg.subtle' }}
      focusVisibleRing="inside"
    >
      <Phone size={15} aria-hidden="true" />
      <Box flex="1 1 140px" minW="0">
        <Text fontWeight="semibold" fontVariantNumeric="tabular-nums">
          {phone}
        </Text>
        <Text textStyle="secondary" color="fg.muted">
          {limit(account.messaging_limit)}
        </Text>
      </Box>
      {isSimulated(account) ? <SimulatedChip /> : null}
      <QualityChip value={account.quality_rating} />
    </RouterLink>
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
  const { can } = useSession()
  const bot = app.bot_assigned
  return (
    <Box as="article" aria-label={app.name} bg="bg.surface" borderWidth="1px" borderRadius="lg" overflow="hidden">
      <HStack px="4" py="3" gap="3" flexWrap="wrap">
        <Box boxSize="34px" display="grid" placeItems="center" borderRadius="md" bg="bg.sunken" color="fg.muted">
          <AppWindow size={17} strokeWidth={1.75} aria-hidden="true" />
        </Box>
        <Box flex="1 1 140px" minW="0">
          <RouterLink
            to={appAddress({ id: app.id, name: app.name })}
            textStyle="title"
            borderRadius="xs"
            overflowWrap="anywhere"
            focusVisibleRing="outside"
            _hover={{ textDecoration: 'underline', textUnderlineOffset: '3px' }}
          >
            {app.name}
          </RouterLink>
          <Text textStyle="code" color="fg.muted">
            {app.app_id}
          </Text>
        </Box>
        <IncompleteChip app={app} accounts={accounts} />
        <KeyChip app={app.id} />
      </HStack>
      {accounts?.map(account => (
        <NumberLine key={account.id} app={app} account={account} />
      ))}
      {accounts?.length === 0 ? (
        <HStack px="4" py="2.5" borderTopWidth="1px" textStyle="dense" color="fg.muted" justify="space-between">
          <Text>{t('app.nonumber')}</Text>
          {can('createmetaaccount') ? (
            <Button asChild size="sm" variant="ghost">
              <Link to={`/metaaccount?metaapp=${app.id}`}>{t('app.addaccount')}</Link>
            </Button>
          ) : null}
        </HStack>
      ) : null}
      {typeof bot === 'string' ? (
        <HStack px="4" py="2.5" borderTopWidth="1px" gap="2" textStyle="secondary" color="fg.muted">
          <Bot size={14} aria-hidden="true" />
          <ReferenceName to="bot" id={bot} />
        </HStack>
      ) : null}
    </Box>
  )
}

const NoApps = () => {
  const { t } = useTranslation(['campaign', 'shell'])
  const { can } = useSession()
  const label = useLabel()
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
      <EmptyState icon={AppWindow} title={t('app.none')} text={t('app.nonetext')}>
        {can('createmetaapp') ? (
          <Button asChild variant="solid">
            <Link to="/metaapp">{t('shell:new', { name: label.name('metaapp') })}</Link>
          </Button>
        ) : null}
      </EmptyState>
      <Box borderTopWidth="1px">
        <TryWithoutMeta />
      </Box>
    </Box>
  )
}

/** /campaignmanagement/channel/apps: the apps at Meta whose numbers send. */
export const AppsPage = () => {
  const { t } = useTranslation(['shell', 'tool'])
  const { can } = useSession()
  useEntityTexts(['metaapp', 'metaaccount'])
  const { data, error, refetch } = useQuery({ ...appsQuery, enabled: can('readmetaapp') })
  const accounts = useAccounts()
  if (!can('readmetaapp')) return <ErrorMessage code="403" />
  return (
    <Page title={t('shell:menu.campaignapps')} purpose={t('tool:purpose.campaignapps')} width={1280}>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <RowsSkeleton />
      ) : data.length === 0 ? (
        <NoApps />
      ) : (
        <SimpleGrid gap="4" columns={{ base: 1, lg: 2 }} alignItems="start">
          {data.map(app => (
            <AppCard key={app.id} app={app} accounts={accounts && accountsOf(accounts, app.id)} />
          ))}
        </SimpleGrid>
      )}
    </Page>
  )
}
