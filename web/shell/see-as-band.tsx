import { Button, HStack, Text } from '@chakra-ui/react'
import { Eye } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { useSeeAs } from './use-see-as.ts'

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
