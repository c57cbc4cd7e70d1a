import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { useQueries } from '@tanstack/react-query'
import { RadioTower } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { appAddress } from '#domain/breadcrumb.ts'
import { WHATSAPP_TYPES } from '#schemas/channel-type.ts'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { useEntityTexts, useLabel } from '#web/entity/label.ts'
import { readAll } from '#web/entity/read-all.ts'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { StateCell } from '#web/features/channel/index.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { RouterLink } from '#web/page/router-link.ts'
import { TextLink } from '#web/page/text-link.ts'
import { phoneOf, useAccounts } from '../app/app-query.ts'

/** The WhatsApp channels of all bots that the person may read. */
const useChannels = (enabled: boolean) =>
  useQueries({
    queries: WHATSAPP_TYPES.map(type => ({
      queryKey: ['channel', 'list', 'campaigns', type],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => readAll('channel', { type, sort: 'name' }, signal),
      enabled,
    })),
    combine: found => ({
      error: found.find(({ error }) => error !== null)?.error,
      rows: found.some(({ data }) => data === undefined) ? undefined : found.flatMap(({ data }) => data?.items ?? []),
      retry: () => {
        for (const { refetch } of found) void refetch()
      },
    }),
  })

/** The number at Meta that the channel answers at, where campaigns can be sent from it. */
const accountOf = (
  accounts: readonly RowOf<'metaaccount'>[] | undefined,
  { type, account_id: number }: RowOf<'channel'>,
): RowOf<'metaaccount'> | undefined =>
  type === 'whatsapp_meta' ? accounts?.find(({ phone_number_id: id }) => id !== null && id === number) : undefined

const ChannelLine = ({
  row,
  account,
}: {
  readonly row: RowOf<'channel'>
  readonly account: RowOf<'metaaccount'> | undefined
}) => {
  const { t } = useTranslation('campaign')
  const label = useLabel()
  const type = label.option('channel', 'type', row.type)
  const number = [row.phonenumber, row.sender_number].find(Boolean)
  return (
    <HStack
      as="li"
      px="4"
      py="3"
      gap="4"
      rowGap="2"
      flexWrap="wrap"
      borderTopWidth="1px"
      _first={{ borderTopWidth: 0 }}
      textStyle="dense"
    >
      <Box flex="2 1 220px" minW="0">
        <RouterLink
          to={`/channel/${row.id}?pid=${row.bot}`}
          fontSize="md"
          fontWeight="semibold"
          borderRadius="xs"
          focusVisibleRing="outside"
          _hover={{ textDecoration: 'underline', textUnderlineOffset: '3px' }}
        >
          {row.name || type}
        </RouterLink>
        <Text textStyle="secondary" color="fg.muted">
          {[type, number].filter(value => value !== undefined).join(' · ')}
        </Text>
      </Box>
      <Box flex="1 1 140px" minW="0" color="fg.muted">
        <ReferenceName to="bot" id={row.bot} />
      </Box>
      <Box flex="1 1 160px" minW="0">
        {account === undefined ? null : (
          <TextLink to={appAddress({ id: account.metaapp, phone: phoneOf(account) })}>
            {t('channel.sends', { phone: phoneOf(account) })}
          </TextLink>
        )}
      </Box>
      <StateCell row={row} />
    </HStack>
  )
}

/** /campaignmanagement/channel/search: channels for campaign answers. */
export const ChannelsPage = () => {
  const { t } = useTranslation(['campaign', 'shell', 'tool'])
  const { can } = useSession()
  useEntityTexts(['channel'])
  const accounts = useAccounts()
  const { error, rows, retry } = useChannels(can('readchannel'))
  if (!can('readchannel')) return <ErrorMessage code="403" />
  return (
    <Page title={t('shell:menu.campaignchannels')} purpose={t('tool:purpose.campaignchannels')} width={1280}>
      {error ? (
        <ErrorState error={error} onRetry={retry} />
      ) : rows === undefined ? (
        <RowsSkeleton />
      ) : (
        <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
          {rows.length === 0 ? (
            <EmptyState icon={RadioTower} title={t('channel.none')} text={t('channel.nonetext')}>
              <Button asChild variant="outline">
                <Link to="/bot/search">{t('shell:menu.allbots')}</Link>
              </Button>
            </EmptyState>
          ) : (
            <chakra.ul listStyleType="none">
              {rows.map(row => (
                <ChannelLine key={row.id} row={row} account={accountOf(accounts, row)} />
              ))}
            </chakra.ul>
          )}
        </Box>
      )}
    </Page>
  )
}
