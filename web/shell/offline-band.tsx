import { HStack, Text } from '@chakra-ui/react'
import { CloudOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'

const subscribe = (listener: () => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** Said once above the page while there is no connection. */
export const OfflineBand = () => {
  const { t } = useTranslation('shell')
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  if (online) return null
  return (
    <HStack role="status" bg="warning.subtle" color="warning.fg" px="4" py="1.5" gap="2" fontSize="xs" flex="none">
      <CloudOff size={14} aria-hidden="true" />
      <Text>{t('offline')}</Text>
    </HStack>
  )
}
