import { Box, chakra } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Bell as BellIcon } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '#web/components/hint.tsx'
import { lazyPart } from '#web/lazy-module.ts'
import { notificationsQuery } from './use-notification.ts'

const NotificationList = lazyPart(async () => (await import('./notification-list.tsx')).NotificationList)

/** Counts what one has not read; shakes once for each new one. */
export const Bell = () => {
  const { t } = useTranslation('shell')
  const unread = useQuery(notificationsQuery).data?.unread ?? 0
  const anchor = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  return (
    <Box position="relative" flex="none">
      <chakra.span
        key={unread}
        display="inline-flex"
        animation={unread > 0 ? 'parley-shake 600ms cubic-bezier(.5,0,.2,1) 1' : undefined}
      >
        <IconButton
          ref={anchor}
          icon={BellIcon}
          iconSize={17}
          label={unread > 0 ? t('bell.unread', { count: unread }) : t('bell.title')}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
      </chakra.span>
      {unread > 0 ? (
        <chakra.span
          aria-hidden="true"
          position="absolute"
          top="-1"
          right="-0.5"
          minW="16px"
          h="16px"
          px="1"
          borderRadius="full"
          bg="danger.solid"
          color="danger.contrast"
          fontSize="10px"
          fontWeight="semibold"
          lineHeight="16px"
          textAlign="center"
          pointerEvents="none"
        >
          {unread > 99 ? '99+' : unread}
        </chakra.span>
      ) : null}
      {open ? (
        <Suspense>
          <NotificationList anchor={anchor.current} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </Box>
  )
}
