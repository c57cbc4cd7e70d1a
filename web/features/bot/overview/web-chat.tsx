import { Box, Button, chakra, Field, HStack, Input, Stack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Copy, ExternalLink, Monitor, X } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { channel as channelEntity } from '#schemas/entities/channel.ts'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Chat } from '#web/chat-window/chat-pane.tsx'
import { chatAddress } from '#web/chat-window/chat-window.ts'
import { Card } from '#web/components/card.tsx'
import { Chip } from '#web/components/chip.tsx'
import { CodeLine } from '#web/components/code-line.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Segments } from '#web/components/segments.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { agoOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'
import { useCopy } from '#web/notice/use-copy.ts'
import { WebChatDays } from './web-chat-days.tsx'
import { countedSites, originOf, siteState, sitesOf } from './web-chat-site.ts'

const REFRESH_MS = 30_000
/** Limit of the list: the rest is in the bot's log. */
const MAX_REFUSED = 5

/** Sites in the log of a bot: where conversations began, or where the chat was refused. */
const useLoggedSites = (bot: string, channel: string | undefined, code: 'channel.site' | 'channel.origin') => {
  const { data } = useQuery({
    queryKey: ['bot', 'sites', bot, code],
    queryFn: ({ signal }) =>
      http.get('/bot/{id}/logs', { params: { id: bot }, query: { search: code, size: 100 }, signal }),
    refetchInterval: REFRESH_MS,
    enabled: channel !== undefined,
  })
  return countedSites(data?.items ?? [], channel ?? '')
}

/** Saves the sites of a web chat, with the way back in the notice. */
const useSaveSites = (channel: RowOf<'channel'>) => {
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  const command = useEntityCommand(channelEntity)
  const save = async (revision: number, sites: readonly string[], text: string, before?: readonly string[]) => {
    try {
      const { revision: saved } = await http.patch('/{entity}/{id}', {
        params: { entity: 'channel', id: channel.id },
        body: { channel_origin: sites.length === 0 ? null : sites.join('; ') },
        revision,
      })
      await Promise.all([command.refresh(), client.invalidateQueries({ queryKey: ['webchat'] })])
      const undo = before && { label: t('undo'), run: () => void save(saved, before, t('saved')) }
      notice.snack(text, { tone: 'positive', ...(undo === undefined ? {} : { action: undo }) })
    } catch (error) {
      command.failed(error)
    }
  }
  const current = sitesOf(channel.channel_origin)
  return (sites: readonly string[], text: string) => save(channel.revision, sites, text, current)
}

interface SiteProps {
  readonly channel: RowOf<'channel'>
}

const AddSite = ({ onAdd }: { readonly onAdd: (site: string) => void }) => {
  const { t } = useTranslation('overview')
  const [typed, setTyped] = useState('')
  const [isBad, setBad] = useState(false)
  const add = (event: FormEvent) => {
    event.preventDefault()
    const site = originOf(typed)
    setBad(site === undefined)
    if (site === undefined) return
    setTyped('')
    onAdd(site)
  }
  return (
    <Field.Root asChild invalid={isBad} mt="1">
      <form onSubmit={add} noValidate>
        <HStack gap="2" w="full">
          <Input
            size="sm"
            inputMode="url"
            value={typed}
            aria-label={t('webchat.address')}
            placeholder={t('webchat.example')}
            onChange={event => {
              setTyped(event.target.value)
              setBad(false)
            }}
          />
          <Button type="submit" size="sm" variant="outline" disabled={typed.trim() === ''}>
            {t('webchat.add')}
          </Button>
        </HStack>
        <Field.ErrorText>{t('webchat.badsite')}</Field.ErrorText>
      </form>
    </Field.Root>
  )
}

interface SitesProps extends SiteProps {
  /** Sites where conversations began. */
  readonly seen: ReturnType<typeof countedSites>
}

/** Sites that may open the chat, with the conversations that began there. */
const Sites = ({ channel, seen }: SitesProps) => {
  const { t } = useTranslation('overview')
  const { can } = useSession()
  const save = useSaveSites(channel)
  const sites = sitesOf(channel.channel_origin)
  const mayChange = can('updatechannel')
  return (
    <Box>
      <Text textStyle="secondary" color="fg.muted">
        {t(sites.length === 0 ? 'webchat.nosite' : 'webchat.sitehint')}
      </Text>
      <chakra.ul listStyleType="none" mt="1">
        {sites.map(site => (
          <HStack as="li" key={site} gap="1">
            <Text fontFamily="mono" textStyle="secondary" flex="1" minW="0" wordBreak="break-all">
              {site}
            </Text>
            <Text textStyle="secondary" color="fg.muted" flex="none">
              {t('webchat.begun', { count: seen.find(each => each.site === site)?.count ?? 0 })}
            </Text>
            {mayChange ? (
              <IconButton
                icon={X}
                iconSize={14}
                label={t('webchat.removesite', { site })}
                onClick={() =>
                  void save(
                    sites.filter(other => other !== site),
                    t('webchat.siteremoved', { site }),
                  )
                }
              />
            ) : null}
          </HStack>
        ))}
      </chakra.ul>
      {mayChange ? (
        <AddSite
          onAdd={site =>
            sites.includes(site) ? undefined : void save([...sites, site], t('webchat.sitesaved', { site }))
          }
        />
      ) : null}
    </Box>
  )
}

/** Sites whose visitors were refused, each with a button that allows it. */
const RefusedSites = ({ bot, channel }: SiteProps & { readonly bot: string }) => {
  const { t } = useTranslation('overview')
  const { can } = useSession()
  const save = useSaveSites(channel)
  const sites = sitesOf(channel.channel_origin)
  const logged = useLoggedSites(bot, channel.id, 'channel.origin')
  const refused = logged.filter(({ site }) => !sites.includes(site)).slice(0, MAX_REFUSED)
  if (refused.length === 0) return null
  return (
    <Box as="section" aria-label={t('webchat.refused')} borderTopWidth="1px" px="4" py="3">
      <Text textStyle="card">{t('webchat.refused')}</Text>
      <Text textStyle="secondary" color="fg.muted">
        {t('webchat.refusedhint')}
      </Text>
      <Stack as="ul" gap="2" mt="2" listStyleType="none">
        {refused.map(({ site, count, latest }) => (
          <HStack as="li" key={site} gap="2">
            <Box flex="1" minW="0">
              <Text fontFamily="mono" textStyle="secondary" wordBreak="break-all">
                {site}
              </Text>
              <Text textStyle="secondary" color="fg.muted">
                {t('webchat.times', { count, ago: agoOf(latest) })}
              </Text>
            </Box>
            {can('updatechannel') ? (
              <Button
                size="sm"
                variant="outline"
                aria-label={t('webchat.allowsite', { site })}
                onClick={() => void save([...sites, site], t('webchat.sitesaved', { site }))}
              >
                {t('webchat.allow')}
              </Button>
            ) : null}
          </HStack>
        ))}
      </Stack>
    </Box>
  )
}

/** A drawn page, in blocks. */
const DrawnPage = () => (
  <Box p="5" aria-hidden="true">
    <HStack justify="space-between">
      <Box w="24" h="3" borderRadius="sm" bg="border.emphasized" />
      <HStack gap="3">
        {[1, 2, 3].map(entry => (
          <Box key={entry} w="10" h="2" borderRadius="sm" bg="border" />
        ))}
      </HStack>
    </HStack>
    <Box mt="5" h="180px" borderRadius="md" bg="bg.sunken" />
    {[1, 2, 3].map(line => (
      <Box key={line} mt="3" h="2.5" w={`${90 - line * 12}%`} borderRadius="sm" bg="bg.sunken" />
    ))}
  </Box>
)

const STATES = ['open', 'closed'] as const
type State = (typeof STATES)[number]

interface Props {
  readonly channel: string
  /** The first site of the chat; undefined without one. */
  readonly site: string | undefined
  onClose(): void
}

/** The chat as it stands on a site. One can talk to it. */
const SitePreview = ({ channel, site, onClose }: Props) => {
  const { t } = useTranslation('overview')
  const [state, setState] = useState<State>('open')
  return (
    <Modal width={900} icon={<Monitor size={18} aria-hidden />} title={t('webchat.preview')} onClose={onClose}>
      <HStack mb="3" justify="space-between" flexWrap="wrap" gap="2">
        <Text textStyle="secondary" color="fg.muted">
          {t('webchat.previewhint')}
        </Text>
        <Segments<State>
          label={t('webchat.preview')}
          value={state}
          options={STATES.map(value => ({ value, label: t(`webchat.shown.${value}`) }))}
          onChange={setState}
        />
      </HStack>
      <Box borderWidth="1px" borderRadius="lg" overflow="hidden">
        <HStack gap="1.5" px="3" h="9" bg="bg.sunken" borderBottomWidth="1px">
          {[1, 2, 3].map(dot => (
            <Box key={dot} boxSize="2" borderRadius="full" bg="border.emphasized" />
          ))}
          <Text ms="2" px="3" py="0.5" borderRadius="full" bg="bg.surface" textStyle="secondary" flex="1" truncate>
            {site ?? t('webchat.example')}
          </Text>
        </HStack>
        <Box position="relative" minH={{ base: '480px', md: '560px' }} bg="bg.surface">
          <DrawnPage />
          {state === 'open' ? (
            <Box
              position="absolute"
              right={{ base: '0', md: '4' }}
              bottom={{ base: '0', md: '4' }}
              w={{ base: 'full', md: '360px' }}
              h={{ base: 'full', md: '520px' }}
              display="flex"
              flexDirection="column"
              borderRadius="lg"
              overflow="hidden"
              boxShadow="overlay"
            >
              <Chat channel={channel} />
            </Box>
          ) : (
            <Box
              position="absolute"
              right="4"
              bottom="4"
              boxSize="14"
              borderRadius="full"
              bg="fg"
              role="img"
              aria-label={t('webchat.shown.closed')}
            />
          )}
        </Box>
      </Box>
    </Modal>
  )
}

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
