import { ICONS as MENU_ICONS } from 'virtual:icon/../domain/menu.ts'
import { ICONS } from 'virtual:icon/../schemas/entities/*.ts'
import { ICONS as TOOL_ICONS } from 'virtual:icon/../schemas/place.ts'
import { PLACES } from 'virtual:place'
import { Box, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import { botSettings, hubEntries, type MenuEntry } from '#domain/menu.ts'
import { listAddress, sectionAddress } from '#domain/place.ts'
import type { HubName } from '#schemas/place.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { BOT_QUERY } from '#web/entity/address.ts'
import { detailQuery } from '#web/entity/entity-query.ts'
import { useEntityTexts, useLabel } from '#web/entity/label.ts'
import { ENTITY_PLACES } from '#web/entity/place.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { Redirect } from '#web/page/redirect.tsx'
import { RouterLink } from '#web/page/router-link.ts'
import { levelsQuery } from '#web/shell/level.ts'

interface CardProps {
  readonly entry: MenuEntry
  /** Limits the count to a parent's children. */
  readonly within: Readonly<Record<string, string>>
}

const HubCard = ({ entry: { key, entity = '', to, icon }, within }: CardProps) => {
  const { t } = useTranslation(['shell', 'tool'])
  const label = useLabel()
  const Glyph = ICONS[icon] ?? TOOL_ICONS[icon] ?? MENU_ICONS[icon]
  const single = ENTITY_PLACES.get(entity)?.single
  // The hierarchy page shows the whole tree, not only the session's level.
  const isTree = entity === 'hierarchy'
  const levels = useQuery({ ...levelsQuery, enabled: isTree }).data
  const counted = useQuery({
    enabled: key === undefined && single !== true && !isTree,
    queryKey: [entity, 'count', within],
    queryFn: async () => (await http.get('/{entity}', { params: { entity }, query: { ...within, size: 1 } })).total,
  }).data
  const total = isTree ? levels?.length : counted
  return (
    <RouterLink
      to={to}
      display="block"
      p="4"
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="lg"
      _hover={{ borderColor: 'border.emphasized', bg: 'bg.subtle' }}
      focusVisibleRing="outside"
    >
      <HStack gap="3" mb="2">
        <Box boxSize="34px" display="grid" placeItems="center" borderRadius="md" bg="bg.sunken" color="fg.muted">
          {Glyph ? <Glyph size={17} strokeWidth={1.75} aria-hidden="true" /> : null}
        </Box>
        <Text textStyle="title" flex="1">
          {key === undefined ? label.menu(entity) : t(`shell:menu.${key}`)}
        </Text>
        <Text textStyle="page" color="fg.muted" fontVariantNumeric="tabular-nums">
          {total}
        </Text>
      </HStack>
      <Text textStyle="dense" color="fg.muted">
        {key === undefined ? label.purpose(entity) : t(`tool:purpose.${key}`)}
      </Text>
    </RouterLink>
  )
}

interface Props {
  readonly title: string
  readonly purpose: string
  readonly entries: readonly MenuEntry[]
  readonly within?: Readonly<Record<string, string>>
}

const NOWHERE: Readonly<Record<string, string>> = {}

/** One card per entity, with its purpose and count. */
export const CardsPage = ({ title, purpose, entries, within = NOWHERE }: Props) => {
  const { t } = useTranslation('shell')
  useEntityTexts(entries.flatMap(({ entity }) => entity ?? []))
  return (
    <Page title={title} purpose={purpose} width={1280}>
      {entries.length === 0 ? (
        <EmptyState title={t('hub.empty')} text={t('hub.emptytext')} />
      ) : (
        <SimpleGrid gap="4" columns={{ base: 1, md: 2, xl: 3 }}>
          {entries.map(entry => (
            <HubCard key={entry.to} entry={entry} within={within} />
          ))}
        </SimpleGrid>
      )}
    </Page>
  )
}

const HubPage = ({ hub }: { readonly hub: HubName }) => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  return <CardsPage title={t(`menu.${hub}`)} purpose={t(`${hub}.text`)} entries={hubEntries(PLACES, hub, can)} />
}

/** /admin */
export const AdminPage = () => <HubPage hub="admin" />

/** /appsettings/search */
export const AppSettingsPage = () => <HubPage hub="appsettings" />

/** /nlu/search */
export const NluPage = () => <HubPage hub="nlu" />

/** /campaignmanagement/search */
export const CampaignsPage = () => <HubPage hub="campaignmanagement" />

/** /bot/settings/{id}: the sections of a bot. /bot/settings/{section}: that section of the bot that `pid` names. */
export const BotSettingsPage = () => {
  const { word } = useParams()
  const [search] = useSearchParams()
  const pid = search.get(BOT_QUERY)
  if (word === undefined) return <Redirect to={pid === null ? '/bot/search' : `/bot/settings/${pid}`} />
  if (word === 'botlogs') return <Redirect to={pid === null ? '/bot/search' : `/bot/settings/botlogs/${pid}`} />
  const section = ENTITY_PLACES.get(word)
  if (section === undefined) return <Sections bot={word} />
  if (section.place.bot?.group !== 'settings') return <ErrorMessage code="404" />
  return <Redirect to={(pid === null ? undefined : sectionAddress(section, pid)) ?? listAddress(section)} />
}

const Sections = ({ bot }: { readonly bot: string }) => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const { data, error, refetch } = useQuery(detailQuery('bot', bot))
  if (error && data === undefined) return <PageLoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <PageSkeleton />
  return (
    <CardsPage
      title={t('menu.group.botsettings')}
      purpose={String(data.name)}
      entries={botSettings(PLACES, bot, can)}
      within={{ bot }}
    />
  )
}
