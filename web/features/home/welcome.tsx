import { Box, Button } from '@chakra-ui/react'
import { Bot, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'

/** The first step of someone who has nothing yet. */
export const Welcome = () => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const navigate = useNavigate()
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
      <EmptyState icon={Bot} title={t('home.empty')} text={t('home.emptytext')}>
        {can('createbot') ? (
          <Button variant="solid" onClick={() => void navigate('/bot/new')}>
            <Plus size={16} aria-hidden="true" />
            {t('home.first')}
          </Button>
        ) : null}
      </EmptyState>
    </Box>
  )
}
