import { Box } from '@chakra-ui/react'
import { CircleQuestionMark } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { IconButton } from '#web/components/hint.tsx'
import { help, useHelp } from './help-state.ts'
import { hasUnseenNews } from './news.ts'

/** Opens the help panel. A dot says that there are news since the last time. */
export const HelpButton = () => {
  const { t } = useTranslation('shell')
  const { user } = useSession()
  const { isOpen } = useHelp()
  const isNew = !isOpen && hasUnseenNews(user.id)
  return (
    <Box position="relative" flex="none">
      <IconButton
        icon={CircleQuestionMark}
        iconSize={17}
        label={t(isNew ? 'help.news' : 'help.open')}
        keys="F1"
        aria-expanded={isOpen}
        data-help=""
        onClick={help.toggle}
      />
      {isNew ? (
        <Box
          data-news=""
          aria-hidden="true"
          position="absolute"
          top="0.5"
          right="0.5"
          boxSize="7px"
          borderRadius="full"
          bg="accent.solid"
          pointerEvents="none"
        />
      ) : null}
    </Box>
  )
}
