import { Box, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { useElapsed } from '#web/use-elapsed.ts'

/** A page that comes sooner needs no word. */
const PATIENCE_MS = 1000

/** Says that a page is on its way. It takes no focus: the page before can still be used. */
export const PageLoadingNotice = () => {
  const { t } = useTranslation('shell')
  const isLate = useElapsed(PATIENCE_MS)
  if (!isLate) return null
  return (
    <Box
      role="dialog"
      aria-label={t('standby')}
      position="fixed"
      top="72px"
      left="50%"
      translate="-50% 0"
      zIndex="toast"
      px="4"
      py="2.5"
      borderWidth="1px"
      borderRadius="lg"
      bg="bg.raised"
      boxShadow="overlay"
      pointerEvents="none"
    >
      <Text role="status" textStyle="dense" fontWeight="semibold" _firstLetter={{ textTransform: 'uppercase' }}>
        {t('standby')}
      </Text>
    </Box>
  )
}
