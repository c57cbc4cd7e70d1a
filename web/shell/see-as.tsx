import { Button, HStack, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { notice } from '#web/notice/notice.ts'

/** Changes whose rights, levels and rows are shown; everything that is shown, the user included, is read again. */
export const useSeeAs = () => {
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  const navigate = useNavigate()
  const change = async (request: () => Promise<unknown>, to: string) => {
    try {
      await request()
    } catch (failure) {
      notice.toast(failureOf(failure, t('error.noanswer')), { tone: 'danger' })
      return
    }
    // Data of the previous user must not be visible during the refetch.
    await navigate(to)
    await client.resetQueries()
  }
  return {
    start: (user: string) => change(() => http.post('/auth/seeas', { body: { user } }), '/'),
    end: (user: string) => change(() => http.post('/auth/seeas/end'), `/user/${user}`),
  }
}

/** Shows that the console is in another person's view, with an exit. */
export const SeeAsBand = () => {
  const { t } = useTranslation('shell')
  const { user } = useSession()
  const { end } = useSeeAs()
  if (user.seenby === undefined) return null
  return (
    <HStack bg="warning.subtle" color="warning.fg" px="4" py="1.5" gap="3" fontSize="sm" flex="none" role="status">
      <Eye size={16} aria-hidden="true" />
      <Text flex="1" minW="0">
        {t('seeas.band', { name: user.username })}
      </Text>
      <Button size="xs" onClick={() => void end(user.id)}>
        {t('seeas.end')}
      </Button>
    </HStack>
  )
}
