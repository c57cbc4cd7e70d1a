import { Button } from '@chakra-ui/react'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { useEntityTexts } from '#web/entity/label.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { TokenCard } from './token-card.tsx'
import { TokenDialog } from './token-form.tsx'

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
