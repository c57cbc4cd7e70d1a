import { type HubName, MENU_GROUPS, type MenuGroupName, TOOL_PAGES } from '#schemas/place.ts'
import { type Entities, entityAddress, listAddress, type PlacedEntity, sectionAddress } from './place.ts'

export interface MenuEntry {
  /** Translation key under `shell:menu`; absent for an entity. */
  readonly key?: string
  /** Entity whose name it shows. */
  readonly entity?: string
  readonly to: string
  /** lucide icon name. */
  readonly icon: string
  /** Permission without which it is absent. */
  readonly action?: string
  /** Shows how many things of its entity there are. */
  readonly count?: true
}

interface MenuGroup {
  /** Translation key under `shell:menu.group`; the first group has none. */
  readonly key?: string
  readonly entries: readonly MenuEntry[]
}

interface RankedEntry extends MenuEntry {
  readonly order: number
}

/** Pages of the side menu that are no entity's. */
const PAGES: readonly (RankedEntry & { readonly group: MenuGroupName })[] = [
  { group: 'main', order: 10, key: 'home', to: '/', icon: 'House' },
  { group: 'build', order: 12, key: 'nlu', to: '/nlu/search', icon: 'Languages', action: 'shownlu' },
  { group: 'reach', order: 10, key: 'campaignmanagement', to: '/campaignmanagement/search', icon: 'Megaphone' },
  { group: 'observe', order: 10, key: 'reports', to: '/reports', icon: 'ChartColumn', action: 'showreport' },
  { group: 'observe', order: 100, key: 'audit', to: '/audit', icon: 'Fingerprint', action: 'readaudit' },
  { group: 'run', order: 10, key: 'admin', to: '/admin', icon: 'ShieldCheck', action: 'showadmin' },
  {
    group: 'run',
    order: 30,
    key: 'appsettings',
    to: '/appsettings/search',
    icon: 'SlidersHorizontal',
    action: 'showappsettings',
  },
]

/** Address of each hub page. */
export const HUB_ADDRESS: Readonly<Record<HubName, string>> = {
  admin: '/admin',
  appsettings: '/appsettings/search',
  reports: '/reports',
  nlu: '/nlu/search',
  campaignmanagement: '/campaignmanagement/search',
}

const ranked = (entries: readonly RankedEntry[]): readonly MenuEntry[] =>
  entries.toSorted((one, other) => one.order - other.order).map(({ order: _order, ...entry }) => entry)

type ToolEntry = Required<Pick<MenuEntry, 'key'>> & MenuEntry

const toolEntry = ({ key, to, icon, permission }: (typeof TOOL_PAGES)[number]): ToolEntry => ({
  key,
  to,
  icon,
  ...(permission === undefined ? {} : { action: permission }),
})

const permitted = (groups: readonly MenuGroup[], can: (permission: string) => boolean): readonly MenuGroup[] =>
  groups
    .map(group => ({ ...group, entries: group.entries.filter(({ action }) => action === undefined || can(action)) }))
    .filter(group => group.entries.length > 0)

const groupsOf = (
  entities: readonly PlacedEntity[],
  names: readonly MenuGroupName[],
  can: (permission: string) => boolean,
) => {
  const all = [
    ...PAGES,
    ...TOOL_PAGES.flatMap(page => (page.menu === undefined ? [] : [{ ...page.menu, ...toolEntry(page) }])),
    ...entities.flatMap(entity => {
      const { name, icon, place } = entity
      if (place.menu === undefined) return []
      return [{ ...place.menu, entity: name, to: listAddress(entity), icon, action: place.permission ?? `read${name}` }]
    }),
  ]
  const groups = names.map(name => ({
    ...(name === 'main' || name === 'foot' ? {} : { key: name }),
    entries: ranked(all.flatMap(({ group, ...entry }) => (group === name ? [entry] : []))),
  }))
  return permitted(groups, can)
}

/** The side menu of a person. Entries without permission are absent. */
export const mainMenu = (entities: readonly PlacedEntity[], can: (permission: string) => boolean) =>
  groupsOf(
    entities,
    MENU_GROUPS.filter(name => name !== 'foot'),
    can,
  )

/** Entries at the bottom of every menu. */
export const footMenu = (entities: readonly PlacedEntity[], can: (permission: string) => boolean) =>
  groupsOf(entities, ['foot'], can).flatMap(group => group.entries)

const botEntries = (entities: readonly PlacedEntity[], group: 'bot' | 'settings', bot: string): RankedEntry[] =>
  entities.flatMap(entity => {
    const { name, icon, place } = entity
    const to = sectionAddress(entity, bot)
    if (place.bot?.group !== group || to === undefined) return []
    return [{ order: place.bot.order, entity: name, to, icon, action: `read${name}` }]
  })

const settingsEntries = (entities: readonly PlacedEntity[], bot: string): readonly MenuEntry[] => {
  const logs = { order: 200, key: 'botlogs', to: `/bot/settings/botlogs/${bot}`, icon: 'ScrollText', action: 'readbot' }
  return ranked([...botEntries(entities, 'settings', bot), logs])
}

/** The menu that replaces it inside a bot. */
export const botMenu = (entities: readonly PlacedEntity[], bot: string, can: (permission: string) => boolean) => {
  const overview = { order: 10, key: 'overview', to: `/bot/${bot}`, icon: 'Flag', action: 'readbot' }
  const conversations = {
    order: 35,
    key: 'conversations',
    to: `/bot/conversation/${bot}`,
    icon: 'MessagesSquare',
    action: 'readbot',
  }
  const insight = { order: 35, key: 'insight', to: `/bot/insight/${bot}`, icon: 'ChartColumn', action: 'readbot' }
  const analytics = {
    order: 100,
    key: 'botanalytics',
    to: `/bot/reports/${bot}`,
    icon: 'ChartLine',
    action: 'showreport',
  }
  const settings = { key: 'settings', to: `/bot/settings/${bot}`, icon: 'Settings', action: 'readbot' }
  return permitted(
    [
      { entries: ranked([overview, conversations, insight, ...botEntries(entities, 'bot', bot), analytics]) },
      { key: 'botsettings', entries: [settings, ...settingsEntries(entities, bot)] },
    ],
    can,
  )
}

/** A link of a bot's menu: with the bot as `pid`, its name as `pname` where it is known, and what it is as `ptype`. */
export const botScoped = (to: string, bot: string, name: string | undefined): string => {
  const [path = to, own = ''] = to.split('?')
  const query = new URLSearchParams(own)
  query.set('pid', bot)
  if (name !== undefined) query.set('pname', name)
  query.set('ptype', 'bot')
  return `${path}?${query}`
}

/** Cards of a bot's settings page: those sections that the person may read. */
export const botSettings = (entities: readonly PlacedEntity[], bot: string, can: (permission: string) => boolean) =>
  permitted([{ entries: settingsEntries(entities, bot) }], can).flatMap(group => group.entries)

/** Pages that belong to no entity and no menu. */
export const toolEntries = (can: (permission: string) => boolean): readonly MenuEntry[] =>
  permitted([{ entries: TOOL_PAGES.filter(({ menu }) => menu === undefined).map(toolEntry) }], can).flatMap(
    group => group.entries,
  )

const hubRanked = (entities: readonly PlacedEntity[], hub: HubName): readonly RankedEntry[] => {
  const ofEntities = entities.flatMap(entity => {
    const { name, icon, place } = entity
    if (place.hub?.page !== hub) return []
    return [{ order: place.hub.order, entity: name, to: listAddress(entity), icon, action: `read${name}` }]
  })
  const ofTools = TOOL_PAGES.flatMap(page =>
    page.hub?.page === hub ? [{ order: page.hub.order, ...toolEntry(page) }] : [],
  )
  return [...ofEntities, ...ofTools]
}

/** Cards of a hub page that the person may read. */
export const hubEntries = (entities: readonly PlacedEntity[], hub: HubName, can: (permission: string) => boolean) =>
  permitted([{ entries: ranked(hubRanked(entities, hub)) }], can).flatMap(group => group.entries)

/** The menu that replaces the console's on pages of campaigns: the hub, what it shows, and the apps at Meta. */
export const campaignMenu = (entities: readonly PlacedEntity[], can: (permission: string) => boolean) => {
  const overview = { order: 0, key: 'overview', to: HUB_ADDRESS.campaignmanagement, icon: 'Flag' }
  const beside = entities.flatMap(entity => {
    const { name, icon, place } = entity
    if (place.withCampaigns === undefined) return []
    return [{ ...place.withCampaigns, entity: name, to: listAddress(entity), icon, action: `read${name}` }]
  })
  const entries = ranked([overview, ...hubRanked(entities, 'campaignmanagement'), ...beside])
  return permitted([{ key: 'campaigns', entries }], can)
}

/** The entry of the present address, else that whose address is its longest beginning. */
export const activeEntry = (groups: readonly MenuGroup[], path: string, search = ''): string | undefined => {
  const here = `${path}${search}`
  let best: string | undefined
  let depth = 0
  for (const { to } of groups.flatMap(group => group.entries)) {
    const [address = to] = to.split('?')
    const stem = address.endsWith('/search') ? address.slice(0, -'search'.length) : address
    const isHere = here === to || path === to
    const matches =
      to === '/' ? path === '/' : isHere || `${path}/`.startsWith(`${stem}${stem.endsWith('/') ? '' : '/'}`)
    const own = isHere ? Number.POSITIVE_INFINITY : stem.length
    if (matches && own > depth) [best, depth] = [to, own]
  }
  return best
}

/** The hub of a page if its entity has no own menu entry. */
export const hubOf = (entities: Entities, path: string, search: string): string | undefined => {
  const tool = TOOL_PAGES.find(({ to }) => to === path)
  if (tool?.hub !== undefined) return HUB_ADDRESS[tool.hub.page]
  const place = entityAddress(entities, path, search)?.entity.place
  return place?.hub === undefined || place.menu !== undefined ? undefined : HUB_ADDRESS[place.hub.page]
}
