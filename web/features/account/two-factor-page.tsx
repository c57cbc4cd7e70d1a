import { Box } from '@chakra-ui/react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Problem } from '#web/api/failure.ts'
import { notice } from '#web/notice/notice.ts'
import { Page } from '#web/page/page.tsx'
import { RegisterStep, verify } from '../sign-in/index.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

/** Registers or replaces one's own second factor. */
export const TwoFactorPage = () => {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const confirm = async (code: string) => {
    setBusy(true)
    setError(undefined)
    try {
      await verify(code)
      notice.snack(t('twofactor.done'), { tone: 'positive' })
      await navigate('/')
    } catch (failure) {
      setError(failure instanceof Problem ? failure.message : t('error.noanswer'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Page title={t('twofactor.title')} purpose={t('twofactor.text')}>
      <Box maxW="480px" bg="bg.surface" borderWidth="1px" borderRadius="lg" p={{ base: '4', md: '6' }}>
        <RegisterStep busy={busy} error={error} onCode={code => void confirm(code)} onBack={() => void navigate('/')} />
      </Box>
      <RecoveryCodes />
    </Page>
  )
}
