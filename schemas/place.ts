/** Groups of the side menu, in their order. `main` has no title; `foot` stays at the bottom, inside a bot too. */
export const MENU_GROUPS = ['main', 'build', 'reach', 'serve', 'observe', 'run', 'foot'] as const
export type MenuGroupName = (typeof MENU_GROUPS)[number]

/** Pages that show one card per entity. A bot's settings are the third: `bot.group` says which entities are there. */
export const HUBS = ['admin', 'appsettings', 'reports', 'nlu', 'campaignmanagement'] as const
export type HubName = (typeof HUBS)[number]

/** Place of an entity in the console. Menus, hubs, routes, breadcrumb, palette and permissions follow from it. */
export interface EntityPlace {
  /** Entry of the side menu, with the number of things if `count` is set. Entries are in ascending `order`. */
  readonly menu?: { readonly group: MenuGroupName; readonly order: number; readonly count?: true }
  readonly hub?: { readonly page: HubName; readonly order: number }
  /**
   * Its list within a bot: an entry of the bot's menu. `settings`: at `/bot/settings/{name}/{bot}` and a card of the
   * bot's settings; `bot`: at `/bot/{name}/{bot}`. `address` replaces either; the bot's id is appended to it.
   */
  readonly bot?: { readonly group: 'bot' | 'settings'; readonly order: number; readonly address?: string }
  /** Its list has a second address, `/{name}/bot/search`, that narrows it to the bot in `pid`. */
  readonly botList?: true
  /** Address of its list; `/{name}/search` where none is given. */
  readonly list?: string
  /** Another address at which one is made, beside `/{name}/new`. */
  readonly create?: string
  /** The entity whose list comes before its own in the trail, where no hub does. */
  readonly listUnder?: string
  /**
   * Its pages show the menu of campaigns, with an entry there although no hub shows it. Entries are in ascending
   * `order`.
   */
  readonly withCampaigns?: { readonly order: number }
  /** Permission that shows its menu entry; `read{name}` where none is given. */
  readonly permission?: string
  /** It has no page: another page shows it. */
  readonly hidden?: true
}

/**
 * A page without an entity: an entry of the side menu or a card of its hub if it has one, and an entry of the palette.
 * Its name is `shell:menu.<key>`, its purpose `tool:purpose.<key>`; its route is in `web/app/router.tsx`.
 */
interface ToolPage {
  readonly key: string
  readonly to: string
  /** lucide icon name. */
  readonly icon: string
  /** Permission that shows it; everybody sees it without. */
  readonly permission?: string
  readonly menu?: { readonly group: MenuGroupName; readonly order: number }
  readonly hub?: { readonly page: HubName; readonly order: number }
}

export const TOOL_PAGES: readonly ToolPage[] = [
  {
    key: 'dashboard',
    to: '/dashboard',
    icon: 'Gauge',
    permission: 'showdashboard',
    menu: { group: 'main', order: 20 },
  },
  { key: 'desk', to: '/desk', icon: 'Headset', permission: 'showdesk', menu: { group: 'serve', order: 10 } },
  {
    key: 'jsonpath',
    to: '/tools/jsonpathonline',
    icon: 'FileJson',
    permission: 'showappsettings',
    hub: { page: 'appsettings', order: 50 },
  },
  {
    key: 'campaignapps',
    to: '/campaignmanagement/channel/apps',
    icon: 'Smartphone',
    permission: 'readmetaapp',
    hub: { page: 'campaignmanagement', order: 24 },
  },
  {
    key: 'campaignchannels',
    to: '/campaignmanagement/channel/search',
    icon: 'RadioTower',
    permission: 'readchannel',
    hub: { page: 'campaignmanagement', order: 26 },
  },
  {
    key: 'simulatednumber',
    to: '/campaignmanagement/phone',
    icon: 'TabletSmartphone',
    permission: 'readmetaaccount',
    hub: { page: 'campaignmanagement', order: 36 },
  },
  {
    key: 'suppression',
    to: '/campaignmanagement/suppression',
    icon: 'BellOff',
    permission: 'readsuppression',
    hub: { page: 'campaignmanagement', order: 38 },
  },
  { key: 'inspire', to: '/inspire', icon: 'Lightbulb' },
]
