import { Button } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { Card } from '#web/components/card.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { listQuery } from '#web/entity/entity-query.ts'
import { useEntityTexts } from '#web/entity/label.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { TokenDialog } from './token-form.tsx'
import { TokenRows } from './token-rows.tsx'

const SIZE = 100

const OwnTokens = ({ user }: { readonly user: string }) => {
  const { t } = useTranslation('access')
  const { data, isPending, error, refetch } = useQuery(listQuery('apitoken', { user, size: SIZE }))
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (isPending) return <RowsSkeleton />
  if (data.items.length === 0) return <EmptyState icon={KeyRound} title={t('none')} text={t('nonetext')} />
  return (
    <Card title={t('personal.title')}>
      <TokenRows tokens={data.items} holderOf={() => undefined} />
    </Card>
  )
}

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
      <OwnTokens user={user.id} />
      {isOpen ? <TokenDialog accounts={[]} onClose={() => setOpen(false)} /> : null}
    </Page>
  )
}
