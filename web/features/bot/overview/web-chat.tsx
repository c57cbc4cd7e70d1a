import { Button, chakra, HStack, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Copy, ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { chatAddress } from '#web/chat-window/chat-window.ts'
import { Card } from '#web/components/card.tsx'
import { RefusedSites, Sites } from './web-chat-sites.tsx'

/** The bot's first web chat that is switched on. */
const useWebChat = (bot: string, isReadable: boolean) =>
  useQuery({
    queryKey: ['webchat', bot],
    enabled: isReadable,
    queryFn: async ({ signal }) => {
      const query = { bot, type: 'webchat', enable: true, size: 1 }
      const { items } = await http.get('/{entity}', { params: { entity: 'channel' }, query, signal })
      return (items[0] ?? null) as RowOf<'channel'> | null
    },
  }).data

/** Address of the web chat, and the HTML to embed it. */
export const WebChat = ({ bot, isStarted }: { readonly bot: string; readonly isStarted: boolean }) => {
  const { t } = useTranslation('overview')
  const { can } = useSession()
  const [isCopied, setCopied] = useState(false)
  const channel = useWebChat(bot, can('readchannel'))
  if (channel === null || channel === undefined) return null
  const address = chatAddress(channel.id)
  const line = `<script src="${location.origin}/chat/widget.js" data-channel="${channel.id}" async></script>`
  return (
    <Card title={t('webchat.title')}>
      <Stack px="4" pb="4" gap="3">
        {isStarted ? null : (
          <Text textStyle="secondary" color="fg.muted">
            {t('webchat.stopped')}
          </Text>
        )}
        <Sites channel={channel} />
        <Text textStyle="card" mb="-1">
          {t('webchat.paste')}
        </Text>
        <chakra.code
          textStyle="secondary"
          fontFamily="mono"
          bg="bg.subtle"
          borderRadius="md"
          p="2"
          wordBreak="break-all"
          aria-label={t('webchat.line')}
        >
          {line}
        </chakra.code>
        <HStack gap="2" flexWrap="wrap">
          <Button asChild size="sm" variant="outline">
            <a href={address} target="_blank" rel="noreferrer">
              <ExternalLink size={15} aria-hidden />
              {t('webchat.open')}
            </a>
          </Button>
          <Button
            size="sm"
            variant="ghost"
            onClick={() => {
              void navigator.clipboard.writeText(line).then(() => setCopied(true))
            }}
          >
            <Copy size={15} aria-hidden />
            {t(isCopied ? 'webchat.copied' : 'webchat.copy')}
          </Button>
        </HStack>
      </Stack>
      <RefusedSites bot={bot} channel={channel} />
    </Card>
  )
}
