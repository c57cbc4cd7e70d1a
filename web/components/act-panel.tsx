import { Box, Button, HStack, Stack, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAttempt } from '#web/notice/use-attempt.ts'
import { AnchoredPopover } from './anchored-popover.tsx'
import { ErrorLine } from './error-state.tsx'

interface Props {
  readonly anchor: HTMLElement | null
  readonly title: string
  /** The verb of the button. */
  readonly action: string
  readonly icon: ReactNode
  readonly isReady: boolean
  readonly note?: ReactNode
  /** Carries the act out; the panel closes when it is done, and shows a refusal. */
  readonly onAct: () => Promise<unknown>
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A question beside the button that asks it, and the button that acts. */
export const ActPanel = ({ anchor, title, action, icon, isReady, note, onAct, onClose, children }: Props) => {
  const { t } = useTranslation('shell')
  const { isBusy, failure, attempt } = useAttempt(t('error.noanswer'))
  const act = () =>
    attempt(async () => {
      await onAct()
      onClose()
    })
  return (
    <AnchoredPopover anchor={anchor} align="end" onClose={onClose} role="dialog" aria-label={title} w="344px">
      <Stack gap="3" p="3.5">
        <Text as="h2" textStyle="card">
          {title}
        </Text>
        {children}
        <ErrorLine text={failure} />
      </Stack>
      <HStack px="3.5" py="2.5" gap="2" bg="bg" borderTopWidth="1px">
        <Box flex="1" textStyle="secondary" color="fg.muted">
          {note}
        </Box>
        <Button variant="ghost" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button variant="solid" disabled={!isReady} loading={isBusy} onClick={() => void act()}>
          {icon}
          {action}
        </Button>
      </HStack>
    </AnchoredPopover>
  )
}
