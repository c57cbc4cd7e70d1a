import { Box, Button, HStack, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Check, Copy, ExternalLink, Monitor } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { chatAddress } from '#web/chat-window/chat-window.ts'
import { Card } from '#web/components/card.tsx'
import { Chip } from '#web/components/chip.tsx'
import { CodeLine } from '#web/components/code-line.tsx'
import { agoOf } from '#web/format/time.ts'
import { useCopy } from '#web/notice/use-copy.ts'
import { SitePreview } from './site-preview.tsx'
import { WebChatDays } from './web-chat-days.tsx'
import { siteState, sitesOf } from './web-chat-site.ts'
import { RefusedSites, Sites, useLoggedSites } from './web-chat-sites.tsx'

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

interface StepProps {
  readonly place: number
  readonly title: string
  readonly isDone: boolean
  readonly children: ReactNode
}

/** A step with a tick once it is a fact. */
const Step = ({ place, title, isDone, children }: StepProps) => {
  const { t } = useTranslation('overview')
  return (
    <HStack as="li" align="start" gap="3" px="4" py="3" borderTopWidth="1px" data-done={isDone || undefined}>
      <Box
        flex="none"
        display="grid"
        placeItems="center"
        boxSize="6"
        borderRadius="full"
        textStyle="secondary"
        {...(isDone
          ? { bg: 'positive.solid', color: 'positive.contrast' }
          : { borderWidth: '1.5px', borderColor: 'border.emphasized', color: 'fg.muted' })}
      >
        {isDone ? <Check size={14} strokeWidth={3} aria-label={t('webchat.done')} /> : place}
      </Box>
      <Box flex="1" minW="0">
        <Text textStyle="card">{title}</Text>
        {children}
      </Box>
    </HStack>
  )
}

const TONES = { nosite: 'neutral', waiting: 'info', receiving: 'positive', silent: 'warning' } as const

interface LineActsProps {
  readonly line: string
  readonly address: string
  readonly isCopied: boolean
  onCopied(isCopied: boolean): void
  onPreview(): void
}

/** Copies the line, shows the chat on a page, or opens it alone. */
const LineActs = ({ line, address, isCopied, onCopied, onPreview }: LineActsProps) => {
  const { t } = useTranslation('overview')
  const copy = useCopy()
  return (
    <HStack gap="2" flexWrap="wrap" mt="2">
      <Button size="sm" variant="outline" onClick={() => void copy(line).then(onCopied)}>
        <Copy size={15} aria-hidden />
        {t(isCopied ? 'webchat.copied' : 'webchat.copy')}
      </Button>
      <Button size="sm" variant="ghost" onClick={onPreview}>
        <Monitor size={15} aria-hidden />
        {t('webchat.preview')}
      </Button>
      <Button asChild size="sm" variant="ghost">
        <a href={address} target="_blank" rel="noreferrer">
          <ExternalLink size={15} aria-hidden />
          {t('webchat.open')}
        </a>
      </Button>
    </HStack>
  )
}

/** Puts the web chat on a site: its address, the line for its pages, and whether conversations come from there. */
export const WebChat = ({ bot, isStarted }: { readonly bot: string; readonly isStarted: boolean }) => {
  const { t } = useTranslation('overview')
  const { can } = useSession()
  const [isCopied, setCopied] = useState(false)
  const [isShown, show] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const channel = useWebChat(bot, can('readchannel'))
  const seen = useLoggedSites(bot, channel?.id, 'channel.site')
  const isThere = channel !== null && channel !== undefined
  useEffect(() => {
    if (isThere && location.hash === '#site') place.current?.scrollIntoView({ block: 'start' })
  }, [isThere])
  if (!isThere) return null
  const address = chatAddress(channel.id)
  const line = `<script src="${location.origin}/chat/widget.js" data-channel="${channel.id}" async></script>`
  const sites = sitesOf(channel.channel_origin)
  const state = siteState(sites, seen)
  const last = seen.toSorted((a, b) => a.latest.localeCompare(b.latest)).at(-1)
  const site = last?.site.replace(/^https?:\/\//u, '') ?? ''
  const count = seen.reduce((sum, each) => sum + each.count, 0)
  return (
    <Box ref={place} id="site">
      <Card
        title={t('webchat.title')}
        beside={
          <Chip tone={TONES[state]}>
            {t(`webchat.state.${state}`, { site, ago: last === undefined ? '' : agoOf(last.latest) })}
          </Chip>
        }
      >
        {isStarted ? null : (
          <Text textStyle="secondary" color="warning.fg" px="4" pb="3">
            {t('webchat.stopped')}
          </Text>
        )}
        <Box as="ol" listStyleType="none">
          <Step place={1} title={t('webchat.site')} isDone={sites.length > 0}>
            <Sites channel={channel} seen={seen} />
          </Step>
          <Step place={2} title={t('webchat.paste')} isDone={isCopied || last !== undefined}>
            <CodeLine mt="1.5" aria-label={t('webchat.line')}>
              {line}
            </CodeLine>
            <LineActs
              line={line}
              address={address}
              isCopied={isCopied}
              onCopied={setCopied}
              onPreview={() => show(true)}
            />
          </Step>
          <Step
            place={3}
            title={t(last === undefined ? 'webchat.first' : 'webchat.worked')}
            isDone={last !== undefined}
          >
            <Stack gap="1.5" align="start">
              <Text textStyle="secondary" color="fg.muted" role="status">
                {last === undefined
                  ? t('webchat.firsthint')
                  : t('webchat.lastone', { count, site, ago: agoOf(last.latest) })}
              </Text>
              <WebChatDays bot={bot} />
              {last === undefined ? null : (
                <Button asChild size="sm" variant="outline">
                  <Link to={`/bot/conversation/${bot}?channel=webchat`}>{t('webchat.conversations')}</Link>
                </Button>
              )}
            </Stack>
          </Step>
        </Box>
        <RefusedSites bot={bot} channel={channel} />
      </Card>
      {isShown ? <SitePreview channel={channel.id} site={sites[0]} onClose={() => show(false)} /> : null}
    </Box>
  )
}
