import { Box, Button, chakra, HStack, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Bot, CodeXml, KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import type { RowOf } from '#schemas/row.ts'
import { API_DOCS } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Card } from '#web/components/card.tsx'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { listQuery } from '#web/entity/entity-query.ts'
import { useEntityTexts } from '#web/entity/label.ts'
import { numberText } from '#web/format/number.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { TokenDialog } from './token-form.tsx'
import { TokenRows } from './token-rows.tsx'

const SIZE = 100

type Account = RowOf<'serviceaccount'>

const AccountRow = ({ account: { id, name, description, enabled } }: { readonly account: Account }) => {
  const { t } = useTranslation('access')
  return (
    <HStack as="li" gap="3" px="4" py="2.5" borderTopWidth="1px">
      <Box boxSize="30px" display="grid" placeItems="center" borderRadius="md" bg="bg.sunken" color="fg.muted">
        <Bot size={16} strokeWidth={1.75} aria-hidden="true" />
      </Box>
      <Box flex="1" minW="0">
        <Text textStyle="card" overflowWrap="anywhere">
          <Link to={`/serviceaccount/${id}`}>
            <chakra.span _hover={{ textDecoration: 'underline' }}>{name}</chakra.span>
          </Link>
        </Text>
        {description ? (
          <Text textStyle="secondary" color="fg.muted" lineClamp={1}>
            {description}
          </Text>
        ) : null}
      </Box>
      {enabled === true ? null : <Chip tone="warning">{t('disabled')}</Chip>}
    </HStack>
  )
}

const Accounts = ({ accounts }: { readonly accounts: readonly Account[] }) => {
  const { t } = useTranslation('access')
  const { can } = useSession()
  const navigate = useNavigate()
  return (
    <Card
      title={t('accounts')}
      beside={
        can('createserviceaccount') ? (
          <Button size="sm" variant="outline" onClick={() => void navigate('/serviceaccount/new')}>
            <Plus size={15} aria-hidden="true" />
            {t('newaccount')}
          </Button>
        ) : undefined
      }
    >
      {accounts.length === 0 ? (
        <Text px="4" py="3" borderTopWidth="1px" color="fg.muted">
          {t('noaccount')}
        </Text>
      ) : (
        <Box as="ul" listStyleType="none" ps="0">
          {accounts.map(account => (
            <AccountRow key={account.id} account={account} />
          ))}
        </Box>
      )}
    </Card>
  )
}

const Tokens = ({ accounts }: { readonly accounts: readonly Account[] }) => {
  const { t } = useTranslation('access')
  const { data, isPending, error, refetch } = useQuery(listQuery('apitoken', { size: SIZE }))
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (isPending) return <RowsSkeleton />
  const names = new Map(accounts.map(({ id, name }) => [id, name]))
  return (
    <Card
      title={t('tokens')}
      beside={
        <Text textStyle="dense" color="fg.muted" fontVariantNumeric="tabular-nums">
          {numberText(data.total)}
        </Text>
      }
    >
      {data.items.length === 0 ? (
        <EmptyState icon={KeyRound} title={t('none')} text={t('nonetext')} />
      ) : (
        <TokenRows tokens={data.items} holderOf={({ serviceaccount }) => names.get(serviceaccount ?? '')} />
      )}
    </Card>
  )
}

const AccessContent = ({ isNew }: { readonly isNew: boolean }) => {
  const { t } = useTranslation('access')
  const { can } = useSession()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(isNew)
  useEntityTexts(['apitoken', 'serviceaccount'])
  const mayReadAccounts = can('readserviceaccount')
  const accounts = useQuery({ ...listQuery('serviceaccount', { size: SIZE, sort: 'name' }), enabled: mayReadAccounts })
  const items = accounts.data?.items ?? []
  if (!can('readapitoken')) return <ErrorMessage code="403" />
  const close = () => {
    setOpen(false)
    if (isNew) void navigate('/access', { replace: true })
  }
  return (
    <Page
      title={t('title')}
      purpose={t('text')}
      actions={
        <>
          <Button asChild variant="outline">
            <a href={API_DOCS} target="_blank" rel="noreferrer">
              <CodeXml size={15} aria-hidden="true" />
              {t('docs')}
            </a>
          </Button>
          {can('createapitoken') ? (
            <Button variant="solid" onClick={() => setOpen(true)}>
              <Plus size={15} aria-hidden="true" />
              {t('new')}
            </Button>
          ) : null}
        </>
      }
    >
      <Stack gap="4">
        <Tokens accounts={items} />
        {mayReadAccounts && accounts.data !== undefined ? <Accounts accounts={items} /> : null}
      </Stack>
      {isOpen && can('createapitoken') ? <TokenDialog accounts={items} onClose={close} /> : null}
    </Page>
  )
}

/** /access: tokens and service accounts of the level, and the making of tokens. */
export const AccessPage = () => <AccessContent isNew={false} />
export const NewTokenPage = () => <AccessContent isNew />
