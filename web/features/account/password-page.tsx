import { Box } from '@chakra-ui/react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '#web/api/failure.ts'
import { notice } from '#web/notice/notice.ts'
import { Page } from '#web/page/page.tsx'
import { useGuardedNavigate } from '#web/page/use-address.ts'
import { changePassword, type PasswordChange, PasswordForm } from '../sign-in/index.ts'

/** /password/passwordchange */
export const PasswordPage = () => {
  const { t } = useTranslation('shell')
  const goOn = useGuardedNavigate()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const change = async ({ token: _none, ...given }: PasswordChange) => {
    setBusy(true)
    setError(undefined)
    try {
      await changePassword(given)
      notice.snack(t('password.done'), { tone: 'positive' })
      await goOn('/')
    } catch (failure) {
      setError(failure instanceof Problem ? (failure.errors[0]?.message ?? failure.message) : t('error.noanswer'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Page title={t('password.title')}>
      <Box maxW="480px" bg="bg.surface" borderWidth="1px" borderRadius="lg" p={{ base: '4', md: '6' }}>
        <PasswordForm busy={busy} error={error} onSubmit={given => void change(given)} />
      </Box>
    </Page>
  )
}
