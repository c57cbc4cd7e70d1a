import { Box, Button, chakra, Field, HStack, Input, Stack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { channel as channelEntity } from '#schemas/entities/channel.ts'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { IconButton } from '#web/components/hint.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { agoOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'
import { countedSites, originOf, sitesOf } from './web-chat-site.ts'

const REFRESH_MS = 30_000
/** Limit of the list: the rest is in the bot's log. */
const MAX_REFUSED = 5

/** Sites in the log of a bot: where conversations began, or where the chat was refused. */
export const useLoggedSites = (bot: string, channel: string | undefined, code: 'channel.site' | 'channel.origin') => {
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
export const Sites = ({ channel, seen }: SitesProps) => {
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
export const RefusedSites = ({ bot, channel }: SiteProps & { readonly bot: string }) => {
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
