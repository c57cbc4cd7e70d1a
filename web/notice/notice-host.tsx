import { Box, Button, chakra, HStack, Portal, Text } from '@chakra-ui/react'
import { Check, CircleAlert, Info, type LucideIcon, TriangleAlert, X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '#web/components/hint.tsx'
import { clearNamedTimer, setNamedTimer } from '#web/timer.ts'
import { BOTTOM_INSET, type Notice, notice } from './notice.ts'

const TIMER = 'notice'

const ICONS = { positive: Check, warning: TriangleAlert, danger: CircleAlert, info: Info }

/** Tone info confirms the user's action: a tick; else the tone's icon. */
const snackIcon = ({ tone }: Notice) => (tone === 'info' ? Check : ICONS[tone])

const Snackbar = ({ shown, glyph: Glyph }: { readonly shown: Notice; readonly glyph: LucideIcon }) => {
  const { t } = useTranslation('shell')
  return (
    <HStack
      bg="bg.inverted"
      color="fg.inverted"
      borderRadius="md"
      boxShadow="overlay"
      gap="3"
      px="4"
      minH="10"
      w="max-content"
      maxW="min(560px, calc(100vw - 24px))"
      fontSize="sm"
      animation="slide-from-bottom 160ms, fade-in 160ms"
    >
      <Glyph size={16} aria-hidden="true" />
      <Text flex="1" py="2">
        {shown.text}
      </Text>
      {shown.action ? (
        <Button
          variant="plain"
          color="inherit"
          textDecoration="underline"
          onClick={() => {
            shown.action?.run()
            notice.close(shown.id)
          }}
        >
          {shown.action.label}
        </Button>
      ) : null}
      {shown.stays === true ? (
        <Button variant="plain" color="inherit" px="1" aria-label={t('close')} onClick={() => notice.close(shown.id)}>
          <X size={16} aria-hidden="true" />
        </Button>
      ) : null}
    </HStack>
  )
}

const Toast = ({ shown, paused }: { shown: Notice; paused: boolean }) => {
  const { t } = useTranslation('shell')
  const Glyph = ICONS[shown.tone]
  return (
    <Box
      colorPalette={shown.tone}
      onClick={() => notice.close(shown.id)}
      cursor="pointer"
      bg="bg.raised"
      borderWidth="1px"
      borderRadius="md"
      boxShadow="overlay"
      w="min(400px, calc(100vw - 24px))"
      overflow="hidden"
      animation="slide-from-bottom 160ms, fade-in 160ms"
    >
      <HStack align="start" gap="3" p="3" ps="4">
        <Box color="colorPalette.fg" pt="0.5">
          <Glyph size={17} aria-hidden="true" />
        </Box>
        <Box flex="1" minW="0">
          <Text textStyle="dense" fontWeight="semibold" overflowWrap="anywhere">
            {shown.text}
          </Text>
          {shown.detail ? (
            <Text textStyle="dense" color="fg.muted" overflowWrap="anywhere">
              {shown.detail}
            </Text>
          ) : null}
          {shown.action ? (
            <Button variant="plain" mt="1" onClick={shown.action.run}>
              {shown.action.label}
            </Button>
          ) : null}
        </Box>
        <IconButton icon={X} label={t('close')} size="xs" onClick={() => notice.close(shown.id)} />
      </HStack>
      {shown.lasts === undefined ? (
        <Box h="2px" bg="colorPalette.solid" />
      ) : (
        <chakra.div
          h="2px"
          bg="colorPalette.solid"
          transformOrigin="left"
          style={{
            animation: `parley-drain ${shown.lasts}ms linear forwards`,
            animationPlayState: paused ? 'paused' : 'running',
          }}
        />
      )}
    </Box>
  )
}

/** Draws the present notice: snackbar bottom centre, toast bottom right; the pointer over it stops its time. */
export const NoticeHost = () => {
  const shown = useSyncExternalStore(notice.subscribe, notice.current)
  const [paused, setPaused] = useState(false)
  useEffect(() => {
    if (shown?.lasts === undefined || paused) return
    setNamedTimer(TIMER, () => notice.close(shown.id), shown.lasts)
    return () => clearNamedTimer(TIMER)
  }, [shown, paused])
  const snack = shown?.kind === 'snack'
  return (
    <Portal>
      <Box
        role={shown?.tone === 'danger' ? 'alert' : 'status'}
        aria-live={shown?.tone === 'danger' ? 'assertive' : 'polite'}
        position="fixed"
        zIndex="toast"
        {...(shown?.at === 'top' ? { top: '64px' } : { bottom: `calc(var(${BOTTOM_INSET}, 0px) + 20px)` })}
        {...(snack ? { left: '50%', translate: '-50% 0' } : { right: { base: '3', md: '5' } })}
        onPointerEnter={() => setPaused(true)}
        onPointerLeave={() => setPaused(false)}
      >
        {shown === undefined ? null : snack ? (
          <Snackbar key={shown.id} shown={shown} glyph={snackIcon(shown)} />
        ) : (
          <Toast key={shown.id} shown={shown} paused={paused} />
        )}
      </Box>
    </Portal>
  )
}
