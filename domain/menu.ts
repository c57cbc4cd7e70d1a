export interface MenuEntry {
  /** Translation key under `shell:menu`. */
  readonly key: string
  readonly to: string
  /** lucide icon name. */
  readonly icon: string
  /** Permission without which it is absent. */
  readonly action?: string
  /** Entity whose count is shown beside it. */
  readonly counts?: string
}

export interface MenuGroup {
  /** Translation key under `shell:menu.group`; the first group has none. */
  readonly key?: string
  readonly entries: readonly MenuEntry[]
}

const MAIN: readonly MenuGroup[] = [
  { entries: [{ key: 'home', to: '/', icon: 'House' }] },
  {
    key: 'build',
    entries: [
      { key: 'bots', to: '/bot/search', icon: 'Bot', action: 'showbot', counts: 'bot' },
      { key: 'localemessages', to: '/localemessage/search', icon: 'MessagesSquare', action: 'showlocalemessage' },
      { key: 'codesamples', to: '/codesample/search', icon: 'CodeXml', action: 'showcodesample' },
    ],
  },
  { key: 'observe', entries: [{ key: 'audit', to: '/audit', icon: 'Fingerprint', action: 'readaudit' }] },
  {
    key: 'run',
    entries: [
      { key: 'admin', to: '/admin', icon: 'ShieldCheck', action: 'showadmin' },
      { key: 'versions', to: '/version/search', icon: 'PackageCheck', action: 'readversion' },
      { key: 'appsettings', to: '/appsettings/search', icon: 'SlidersHorizontal', action: 'showappsettings' },
    ],
  },
]

/** Settings sections of a bot that have a page, by entity. */
export const BOT_SECTIONS = ['variable', 'variableschema', 'globalvariable', 'localemessage'] as const

const SECTION_ICONS: Readonly<Record<(typeof BOT_SECTIONS)[number], string>> = {
  variable: 'Variable',
  variableschema: 'Braces',
  globalvariable: 'Globe',
  localemessage: 'Languages',
}

const botGroups = (bot: string): readonly MenuGroup[] => [
  {
    entries: [
      { key: 'overview', to: `/bot/${bot}`, icon: 'Flag', action: 'readbot' },
      { key: 'tasks', to: `/bot/dialogtask/${bot}`, icon: 'Workflow', action: 'readdialogtask' },
      { key: 'versions', to: `/version/search?pid=${bot}`, icon: 'PackageCheck', action: 'readversion' },
    ],
  },
  {
    key: 'botsettings',
    entries: BOT_SECTIONS.map(section => ({
      key: section,
      to: `/bot/settings/${section}/${bot}`,
      icon: SECTION_ICONS[section],
      action: `read${section}`,
    })),
  },
]

const permitted = (groups: readonly MenuGroup[], can: (permission: string) => boolean): readonly MenuGroup[] =>
  groups
    .map(group => ({ ...group, entries: group.entries.filter(({ action }) => action === undefined || can(action)) }))
    .filter(group => group.entries.length > 0)

/** The side menu of someone: what they may not open is absent. */
export const mainMenu = (can: (permission: string) => boolean) => permitted(MAIN, can)
/** The menu that replaces it inside a bot. */
export const botMenu = (bot: string, can: (permission: string) => boolean) => permitted(botGroups(bot), can)

/** The entry whose address is the longest beginning of where one is. */
export const activeEntry = (groups: readonly MenuGroup[], path: string, search = ''): string | undefined => {
  const here = `${path}${search}`
  let best: string | undefined
  for (const { to } of groups.flatMap(group => group.entries)) {
    const [address = to] = to.split('?')
    const stem = address.endsWith('/search') ? address.slice(0, -'search'.length) : address
    const matches =
      to === '/'
        ? path === '/'
        : here === to || path === to || `${path}/`.startsWith(`${stem}${stem.endsWith('/') ? '' : '/'}`)
    if (matches && to.length > (best?.length ?? 0)) best = to
  }
  return best
}
