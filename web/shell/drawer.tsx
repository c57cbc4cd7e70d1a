import { ICONS, PLACES } from 'virtual:place'
import { Box, chakra, HStack, Kbd, Text } from '@chakra-ui/react'
import { skipToken, useQuery } from '@tanstack/react-query'
import { ChevronLeft, PanelLeftClose, PanelLeftOpen, X } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { campaignEntry, isInCampaigns } from '#domain/breadcrumb.ts'
import {
  activeEntry,
  botMenu,
  botScoped,
  campaignMenu,
  footMenu,
  hubEntries,
  hubOf,
  type MenuEntry,
  mainMenu,
  toolEntries,
} from '#domain/menu.ts'
import { sectionOf } from '#domain/place.ts'
import { HUBS } from '#schemas/place.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Hint, IconButton } from '#web/components/hint.tsx'
import { SideDialog } from '#web/components/side-dialog.tsx'
import { useLabel } from '#web/entity/label.ts'
import { ENTITY_PLACES } from '#web/entity/place.ts'
import { useBotOfPage } from '#web/entity/use-ancestors.ts'
import { showUnloaded } from '#web/lazy-module.ts'
import { notice } from '#web/notice/notice.ts'
import { RouterLink } from '#web/page/router-link.ts'
import { useDeskWaiting } from './desk-summary.ts'
import { LanguageMenu } from './language-menu.tsx'
import { LevelButton } from './level-button.tsx'

/** In place of a part that did not load. Browsers keep the failure of a module: only a reload asks again. */
const UnloadedPart = () => {
  const { t } = useTranslation('shell')
  useEffect(() => {
    const action = { label: t('part.reload'), run: () => location.reload() }
    notice.toast(t('part.unloaded'), { tone: 'danger', action })
  }, [t])
  return null
}
showUnloaded(UnloadedPart)

/** Pages that the menus and hubs lead to, each once; inside a bot its sections first. */
export const reachablePages = (can: (permission: string) => boolean, bot: string | undefined): readonly MenuEntry[] => {
  const inBot = bot === undefined ? [] : botMenu(PLACES, bot, can).flatMap(group => group.entries)
  const main = mainMenu(PLACES, can).flatMap(group => group.entries)
  const hubs = HUBS.flatMap(hub => hubEntries(PLACES, hub, can))
  const others = [...footMenu(PLACES, can), ...toolEntries(can)]
  return [...new Map([...inBot, ...main, ...hubs, ...others].map(entry => [entry.to, entry])).values()]
}

/** The words of a menu entry: of a page, or of the entity that it lists. */
export const useEntryLabel = () => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  return ({ key, entity = '' }: MenuEntry) => (key === undefined ? label.menu(entity) : t(`menu.${key}`))
}

interface EntryProps {
  readonly to: string
  readonly icon: React.ComponentType<{ size?: number; strokeWidth?: number; 'aria-hidden'?: 'true' }> | undefined
  readonly label: string
  readonly active?: boolean
  readonly mini: boolean
  readonly count?: number | undefined
  readonly onGo?: (() => void) | undefined
}

const Entry = ({ to, icon: Glyph, label, active = false, mini, count, onGo }: EntryProps) => (
  <Hint text={label} side="right" disabled={!mini}>
    <RouterLink
      to={to}
      {...(active ? { 'aria-current': 'page' as const } : {})}
      {...(mini ? { 'aria-label': label } : {})}
      {...(onGo ? { onClick: onGo } : {})}
      position="relative"
      display="flex"
      alignItems="center"
      justifyContent={mini ? 'center' : 'flex-start'}
      gap="3"
      minH={{ base: '11', md: '30px' }}
      mb="1px"
      px="2"
      borderRadius="md"
      fontSize="sm"
      color={active ? 'accent.fg' : 'fg.muted'}
      fontWeight={active ? 'semibold' : 'normal'}
      bg={active ? 'accent.subtle' : 'transparent'}
      transition="background 90ms, color 90ms"
      _hover={{ bg: active ? 'accent.subtle' : 'bg.emphasized/40', color: active ? 'accent.fg' : 'fg' }}
      focusVisibleRing="inside"
      _before={
        active
          ? {
              content: '""',
              position: 'absolute',
              left: '-2.5',
              top: '1',
              bottom: '1',
              w: '3px',
              bg: 'accent.solid',
              borderRightRadius: '2px',
            }
          : {}
      }
    >
      {Glyph ? <Glyph size={16} strokeWidth={1.75} aria-hidden="true" /> : null}
      {mini ? null : (
        <>
          <Box flex="1">{label}</Box>
          {count === undefined ? null : (
            <Text as="span" fontSize="2xs" color="fg.subtle" fontVariantNumeric="tabular-nums">
              {count}
            </Text>
          )}
        </>
      )}
    </RouterLink>
  </Hint>
)

const useCount = (entity: string, enabled: boolean) =>
  useQuery({
    queryKey: [entity, 'count'],
    queryFn: async () => (await http.get('/{entity}', { params: { entity }, query: { size: 1 } })).total,
    enabled,
  }).data

interface MenuLinkProps {
  readonly entry: MenuEntry
  readonly active: string | undefined
  readonly mini: boolean
  /** The bot that its link carries. */
  readonly bot?: { readonly id: string; readonly name: string | undefined } | undefined
  readonly onGo: (() => void) | undefined
}

const MenuLink = ({ entry, active, mini, bot, onGo }: MenuLinkProps) => {
  const label = useEntryLabel()
  const { can } = useSession()
  const { entity = '', count = false, to, icon } = entry
  const total = useCount(entity, count && can(`read${entity}`))
  const { pathname } = useLocation()
  const isDesk = entry.key === 'desk' && can('showdesk')
  // The page of the desk has a socket that brings the counts as well.
  const waiting = useDeskWaiting(isDesk && pathname !== to)
  return (
    <Entry
      to={bot === undefined ? to : botScoped(to, bot.id, bot.name)}
      icon={ICONS[icon]}
      label={label(entry)}
      active={to === active}
      mini={mini}
      // An empty queue shows no number.
      count={isDesk ? waiting || undefined : total}
      onGo={onGo}
    />
  )
}

const useBot = (bot: string | undefined) =>
  useQuery({
    queryKey: ['bot', 'detail', bot],
    queryFn: bot === undefined ? skipToken : () => http.get('/{entity}/{id}', { params: { entity: 'bot', id: bot } }),
    retryOnMount: false,
  })

interface Props {
  readonly mini: boolean
  readonly onToggle?: () => void
  /** After going somewhere: closes the drawer that lies over the page. */
  readonly onGo?: () => void
  /** Overflow of a small toolbar. */
  readonly children?: React.ReactNode
}

const ToggleButton = ({ mini, onToggle }: { readonly mini: boolean; onToggle(): void }) => {
  const { t } = useTranslation('shell')
  return (
    <Hint text={t('menu.expand')} keys="[" side="right" disabled={!mini}>
      <chakra.button
        type="button"
        onClick={onToggle}
        aria-label={mini ? t('menu.expand') : t('menu.collapse')}
        display="flex"
        alignItems="center"
        justifyContent={mini ? 'center' : 'flex-start'}
        w="100%"
        gap="3"
        minH="30px"
        px="2"
        borderRadius="md"
        fontSize="sm"
        color="fg.muted"
        cursor="pointer"
        _hover={{ bg: 'bg.emphasized/40', color: 'fg' }}
        focusVisibleRing="inside"
      >
        {mini ? <PanelLeftOpen size={16} strokeWidth={1.75} /> : <PanelLeftClose size={16} strokeWidth={1.75} />}
        {mini ? null : (
          <HStack flex="1" justify="space-between">
            <span>{t('menu.collapse')}</span>
            <Kbd>[</Kbd>
          </HStack>
        )}
      </chakra.button>
    </Hint>
  )
}

/** The form of a thing belongs to the section or the hub of its entity. */
const menuPath = (path: string, search: string, bot: string | undefined): string =>
  (bot === undefined ? hubOf(ENTITY_PLACES, path, search) : sectionOf(ENTITY_PLACES, path, search, bot)) ?? path

/** The menu of a page, its exit link and its active entry. */
const menuOf = (path: string, search: string, bot: string | undefined, can: (permission: string) => boolean) => {
  if (bot !== undefined)
    return {
      groups: botMenu(PLACES, bot, can),
      here: menuPath(path, search, bot),
      out: 'allbots',
      outAt: '/bot/search',
    }
  if (isInCampaigns(ENTITY_PLACES, path, search))
    return {
      groups: campaignMenu(PLACES, can),
      here: campaignEntry(ENTITY_PLACES, path, search),
      out: 'main',
      outAt: '/',
    }
  return { groups: mainMenu(PLACES, can), here: menuPath(path, search, undefined), out: undefined, outAt: '/' }
}

/** The side menu: the console's, that of campaigns on their pages, or a bot's own inside a bot. */
export const Drawer = ({ mini, onToggle, onGo, children }: Props) => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const { pathname, search } = useLocation()
  const address = useBotOfPage()
  const named = useBot(address)
  // A bot that is not there, or not to be seen, has no menu.
  const bot = named.isError ? undefined : address
  const botName = named.data === undefined ? undefined : String(named.data.name)
  const scope = bot === undefined ? undefined : { id: bot, name: botName }
  const { groups, here, out, outAt } = menuOf(pathname, search, bot, can)
  const foot = footMenu(PLACES, can)
  const active = activeEntry([...groups, { entries: foot }], here, search)
  return (
    <chakra.nav aria-label={t('menu.label')} display="flex" flexDirection="column" h="100%" minH="0">
      <Box flex="1" overflowY="auto" px="2.5" py="2.5" scrollbarWidth="thin">
        {children}
        {out === undefined ? null : (
          <Entry to={outAt} icon={ChevronLeft} label={t(`menu.${out}`)} mini={mini} onGo={onGo} />
        )}
        {groups.map((group, at) => (
          <Box key={group.key ?? 'first'} as="section" mb="1">
            {mini ? (
              at > 0 && <Box h="1px" bg="border" my="2" />
            ) : group.key || bot !== undefined ? (
              <Text px="2" pt="3" pb="1.5" fontSize="2xs" fontWeight="semibold" color="fg.subtle" truncate>
                {group.key ? t(`menu.group.${group.key}`) : (botName ?? '…')}
              </Text>
            ) : null}
            {group.entries.map(entry => (
              <MenuLink key={entry.to} entry={entry} active={active} mini={mini} bot={scope} onGo={onGo} />
            ))}
          </Box>
        ))}
      </Box>
      <Box flex="none" borderTopWidth="1px" px="2.5" py="2">
        {foot.map(entry => (
          <MenuLink key={entry.to} entry={entry} active={active} mini={mini} onGo={onGo} />
        ))}
        {onToggle ? <ToggleButton mini={mini} onToggle={onToggle} /> : null}
      </Box>
    </chakra.nav>
  )
}

/** The side menu over the page on small screens, with what the toolbar has no room for. */
export const DrawerOver = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation('shell')
  return (
    <SideDialog side="left" onClose={onClose} aria-label={t('menu.label')} w="min(300px, 86vw)" bg="bg">
      <Drawer mini={false} onGo={onClose}>
        <HStack justify="space-between" mb="2" gap="1">
          <LevelButton />
          <HStack gap="0">
            <LanguageMenu />
            <IconButton icon={X} label={t('close')} size="xl" onClick={onClose} />
          </HStack>
        </HStack>
      </Drawer>
    </SideDialog>
  )
}
