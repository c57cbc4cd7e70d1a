import { Box, HStack, Portal, Text } from '@chakra-ui/react'
import { ExternalLink, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatMessage } from '#web/chat/chat-protocol.ts'
import { IconButton } from '#web/components/hint.tsx'
import { chatAddress, chatWindow, type ShownChat } from './chat-window.ts'

interface ChatProps {
  readonly channel: string
  /** Called with the conversation when it opens and after each message. */
  onNews?(conversation: string, message?: ChatMessage): void
}

/** The widget as a visitor's page shows it, in a new conversation that no figure counts. */
export const Chat = ({ channel, onNews }: ChatProps) => {
  const hear = useEffectEvent((conversation: string, message?: ChatMessage) => onNews?.(conversation, message))
  const place = useRef<HTMLDivElement>(null)
  const { t } = useTranslation('shell')
  const [isFailed, setFailed] = useState(false)
  useEffect(() => {
    const host = document.createElement('parley-chat')
    host.dataset.inline = 'phone'
    // Outside of its shadow root a key's target is the host: shortcuts of the page would take it for one of theirs.
    for (const type of ['keydown', 'copy', 'cut', 'paste']) {
      host.addEventListener(type, event => event.stopPropagation())
    }
    place.current?.append(host)
    let isGone = false
    let stop = () => {}
    const start = async () => {
      const [{ askLanguage, ChatWidget }, { createChatStorage }] = await Promise.all([
        import('#web/chat/chat-widget.ts'),
        import('#web/chat/chat-storage.ts'),
      ])
      const language = await askLanguage(location.origin, channel)
      if (isGone) return
      // A new release runs in new conversations only.
      createChatStorage(channel).write(undefined)
      const widget = new ChatWidget(host, {
        ...{ channel, language, base: location.origin, isHosted: true, person: { trial: true } },
        onNews: (conversation, message) => hear(conversation, message),
      })
      stop = () => widget.stop()
      await widget.start()
      host.shadowRoot?.querySelector<HTMLElement>('textarea')?.focus()
    }
    start().catch(() => setFailed(true))
    return () => {
      isGone = true
      stop()
      host.remove()
    }
  }, [channel])
  return isFailed ? (
    <Text role="alert" p="4" textStyle="dense" color="danger.fg">
      {t('reach.failed')}
    </Text>
  ) : (
    <Box ref={place} flex="1" minH="0" />
  )
}

const TOUCH = { minW: { base: '11', md: '7' }, minH: { base: '11', md: '7' } }

/** Draws the chat that is open, beside what one works on; on a phone over it. */
export const ChatPane = ({ shown }: { readonly shown: ShownChat }) => {
  const { t } = useTranslation('shell')
  return (
    <Portal>
      <Box
        role="dialog"
        aria-label={t('reach.chatwith', { bot: shown.bot })}
        position="fixed"
        zIndex="overlay"
        right={{ base: '0', md: '5' }}
        bottom={{ base: '0', md: '5' }}
        w={{ base: '100vw', md: '380px' }}
        h={{ base: '100dvh', md: 'min(640px, calc(100dvh - 96px))' }}
        display="flex"
        flexDirection="column"
        bg="bg.raised"
        borderWidth={{ base: '0', md: '1px' }}
        borderRadius={{ base: '0', md: 'lg' }}
        boxShadow="overlay"
        overflow="hidden"
        onKeyDown={({ key }) => {
          if (key === 'Escape') chatWindow.close()
        }}
      >
        <HStack ps="4" pe="2" minH="11" gap="1" borderBottomWidth="1px">
          <Text as="h2" textStyle="card" flex="1" truncate>
            {t('reach.chatwith', { bot: shown.bot })}
          </Text>
          <IconButton
            icon={ExternalLink}
            size="xs"
            {...TOUCH}
            label={t('reach.open')}
            onClick={() => void window.open(chatAddress(shown.channel), '_blank', 'noreferrer')}
          />
          <IconButton icon={X} size="xs" {...TOUCH} label={t('close')} onClick={chatWindow.close} />
        </HStack>
        <Chat key={shown.channel} channel={shown.channel} />
      </Box>
    </Portal>
  )
}
