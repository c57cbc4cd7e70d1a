import { Button, HStack, Text } from '@chakra-ui/react'
import { Eye } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { nameOf } from '#web/components/person-avatar.tsx'
import { basePath } from '#web/i18n/path-language.ts'
import { notice } from '#web/notice/notice.ts'

/** Stands above every page while the console is shown as another person sees it, and ends that. */
export const SeeAsBand = () => {
  const { t } = useTranslation('shell')
  const { user } = useSession()
  const [busy, setBusy] = useState(false)
  if (user.seenby === undefined) return null
  const end = async () => {
    setBusy(true)
    try {
      await http.post('/auth/seeas/end')
      // Nothing that was read as the other person is kept.
      location.assign(`${basePath()}/user/${user.id}`)
    } catch (failure) {
      notice.toast(failureOf(failure, t('error.noanswer')), { tone: 'danger' })
      setBusy(false)
    }
  }
  return (
    <HStack role="status" bg="bg.inverted" color="fg.inverted" px={{ base: '3', md: '6' }} py="2" gap="3" flex="none">
      <Eye size={16} aria-hidden="true" style={{ flex: 'none' }} />
      <Text flex="1" textStyle="dense" fontWeight="medium">
        {t('seeas.banner', { name: nameOf(user) })}
      </Text>
      <Button size="xs" loading={busy} onClick={() => void end()}>
        {t('seeas.end')}
      </Button>
    </HStack>
  )
}
