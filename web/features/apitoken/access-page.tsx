import { Box, Button, chakra, HStack, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CodeXml, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { serviceaccount } from '#schemas/entities/serviceaccount.ts'
import type { RowOf } from '#schemas/row.ts'
import { API_DOCS } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Card } from '#web/components/card.tsx'
import { Chip } from '#web/components/chip.tsx'
import { listQuery } from '#web/entity/entity-query.ts'
import { useEntityTexts } from '#web/entity/label.ts'
import { EntityTile } from '#web/entity/list/cell.tsx'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { TokenCard } from './token-card.tsx'
import { TokenDialog } from './token-form.tsx'

const SIZE = 100

type Account = RowOf<'serviceaccount'>

const AccountRow = ({ account: { id, name, description, enabled } }: { readonly account: Account }) => {
  const { t } = useTranslation('access')
  return (
    <HStack as="li" gap="3" px="4" py="2.5" borderTopWidth="1px">
      <EntityTile icon={serviceaccount.icon} />
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

const AccessContent = ({ isNew }: { readonly isNew: boolean }) => {
  const { t } = useTranslation('access')
  const { can } = useSession()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(isNew)
  useEntityTexts(['apitoken', 'serviceaccount'])
  const mayReadAccounts = can('readserviceaccount')
  const accounts = useQuery({ ...listQuery('serviceaccount', { size: SIZE, sort: 'name' }), enabled: mayReadAccounts })
  const items = accounts.data?.items ?? []
  const names = new Map(items.map(({ id, name }) => [id, name]))
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
        <TokenCard title={t('tokens')} holderOf={({ serviceaccount: id }) => names.get(id ?? '')} />
        {mayReadAccounts && accounts.data !== undefined ? <Accounts accounts={items} /> : null}
      </Stack>
      {isOpen && can('createapitoken') ? <TokenDialog accounts={items} onClose={close} /> : null}
    </Page>
  )
}

/** /access: tokens and service accounts of the level, and the making of tokens. */
export const AccessPage = () => <AccessContent isNew={false} />
export const NewTokenPage = () => <AccessContent isNew />

/** /account/tokens: tokens with which programs act as the person. */
export const PersonalTokensPage = () => {
  const { t } = useTranslation('access')
  const { user, can } = useSession()
  const [isOpen, setOpen] = useState(false)
  useEntityTexts(['apitoken'])
  if (!can('createapitoken') || !can('readapitoken')) return <ErrorMessage code="403" />
  return (
    <Page
      title={t('personal.title')}
      purpose={t('personal.text')}
      width={1080}
      actions={
        <Button variant="solid" onClick={() => setOpen(true)}>
          <Plus size={15} aria-hidden="true" />
          {t('new')}
        </Button>
      }
    >
      <TokenCard title={t('personal.title')} user={user.id} />
      {isOpen ? <TokenDialog accounts={[]} onClose={() => setOpen(false)} /> : null}
    </Page>
  )
}
