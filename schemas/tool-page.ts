import type { HubName, MenuGroupName } from './place.ts'

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
    key: 'suppression',
    to: '/campaignmanagement/suppression',
    icon: 'BellOff',
    permission: 'readsuppression',
    hub: { page: 'campaignmanagement', order: 38 },
  },
  { key: 'inspire', to: '/inspire', icon: 'Lightbulb' },
]
