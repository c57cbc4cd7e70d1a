import { TOOL_PAGES } from '#schemas/place.ts'
import { HUB_ADDRESS } from './menu.ts'
import { type Entities, entityAddress, listAddress, type PlacedEntity, sectionAddress } from './place.ts'

const HUB = '/campaignmanagement/search'
const APPS = '/campaignmanagement/channel/apps'
const BELOW = '/campaignmanagement/'
/** Pages of a campaign's contacts, which belong to the list of campaigns. */
const CONTACT = '/campaignmanagement/contact/'
/** Pages that add contacts to a list. */
const LIST_CONTACTS = /^\/contactlist\/(add|map)\/([^/]+)\/?$/u
/** Contacts that a file brought to a campaign or a list. */
const UPLOAD = /^\/campaignupload\/[^/]+\/?$/u
/** An app that sends. The other two words are the stems of its campaigns and templates. */
const APP = /^\/campaignmanagement\/channel\/app\/(?!(?:template|campaign)(?:\/|$))[^/]+\/?$/u

/** An app that sends, as its addresses name it. */
interface SendingApp {
  readonly id: string
  readonly name?: string | undefined
  /** Number that is looked at, where the app has several. */
  readonly phone?: string | undefined
}

interface AppCrumb {
  /** Of the list of apps; an app has a name. */
  readonly key?: string
  readonly name?: string
  readonly to: string
}

const queryOf = (values: Readonly<Record<string, string | undefined>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined && value !== '') query.set(name, value)
  return query.size === 0 ? '' : `?${query}`
}

/** Page of an app that sends. */
export const appAddress = ({ id, name, phone }: SendingApp): string =>
  `/campaignmanagement/channel/app/${encodeURIComponent(id)}${queryOf({ appName: name, phone })}`

/** The list of an app's campaigns or templates. */
export const ofAppAddress = (list: 'campaign' | 'template', { id, name, phone }: SendingApp): string =>
  `/campaignmanagement/channel/app/${list}/search${queryOf({ appid: id, appName: name, phone })}`

/** Whether pages of an entity show the menu of campaigns. */
export const isOfCampaigns = ({ place }: PlacedEntity): boolean =>
  place.hub?.page === 'campaignmanagement' || place.withCampaigns !== undefined

/** Whether a page shows the menu of campaigns. */
export const isInCampaigns = (entities: Entities, path: string, search: string): boolean => {
  if (path.startsWith(BELOW) || LIST_CONTACTS.test(path) || UPLOAD.test(path)) return true
  const entity = entityAddress(entities, path, search)?.entity
  return entity !== undefined && isOfCampaigns(entity)
}

/** The address of the menu of campaigns that a page of theirs belongs to. */
export const campaignEntry = (entities: Entities, path: string, search: string): string => {
  if (APP.test(path)) return APPS
  const campaign = entities.get('campaign')
  if ((path.startsWith(CONTACT) || UPLOAD.test(path)) && campaign !== undefined) return listAddress(campaign)
  const entity = LIST_CONTACTS.test(path) ? entities.get('contactlist') : entityAddress(entities, path, search)?.entity
  return entity === undefined ? path : listAddress(entity)
}

/** Crumbs between the campaign hub and a page: the apps, and the app that filters a list. */
const appTrail = (path: string, search: string): readonly AppCrumb[] => {
  const apps: AppCrumb = { key: 'campaignapps', to: APPS }
  if (APP.test(path)) return [{ key: 'campaignmanagement', to: HUB }, apps]
  const query = new URLSearchParams(search)
  const id = query.get('appid')
  if (id === null || !path.startsWith(BELOW)) return []
  const name = query.get('appName') ?? id
  return [apps, { name, to: appAddress({ id, name, phone: query.get('phone') ?? undefined }) }]
}

export interface Crumb {
  /** Translation key under `shell:crumb`. */
  readonly key?: string
  /** Entity whose plural it shows. */
  readonly entity?: string
  readonly name?: string
  /** Absent on the last one. */
  readonly to?: string
}

/** Ancestor entity of a page. */
export interface Ancestor {
  readonly entity: string
  readonly id: string
  /** Undefined until it is read, or when the person may not read it. */
  readonly name?: string | undefined
}

/** Page data beside its address. */
interface TrailContext {
  /** From the outermost to the parent. */
  readonly ancestors?: readonly Ancestor[]
  /** Name of what is open: the last crumb. */
  readonly name?: string
}

/** Pages that are no entity's, by their path. */
const PAGES: Readonly<Record<string, string>> = {
  '/audit': 'audit',
  '/audit/access': 'accessreview',
  '/admin': 'admin',
  '/appsettings/search': 'appsettings',
  '/dashboard/example': 'example',
  '/reports': 'reports',
  '/nlu/search': 'nlu',
  '/campaignmanagement/search': 'campaignmanagement',
  '/password/passwordchange': 'password',
  '/account/mail': 'mail',
  '/account/sessions': 'sessions',
  '/account/tokens': 'tokens',
  '/account/twofactor': 'twofactor',
}

const BOT_SETTINGS = /^\/bot\/settings\/[^/]+\/?$/u
const BOT_REPORTS = /^\/bot\/reports\/[^/]+\/?$/u
const BOT_CONVERSATIONS = /^\/bot\/conversation\/[^/]+\/?$/u
const BOT_INSIGHT = /^\/bot\/insight\/[^/]+\/?$/u
const BOT_LOGS = /^\/bot\/settings\/botlogs\/[^/]+\/?$/u
const CONTACTS = /^\/campaignmanagement\/contact\/(?:(add|map)\/)?([^/]+)\/?$/u
const HOME: Crumb = { key: 'home', to: '/' }

/**
 * The list of all of an entity, after the hub that shows it; of settings of bots after the bots. Other entities without
 * menu entry and hub have none.
 */
const listTrail = (entities: Entities, entity: PlacedEntity | undefined): readonly Crumb[] => {
  if (entity === undefined) return []
  const { menu, hub, listUnder } = entity.place
  const own = { entity: entity.name, to: listAddress(entity) }
  if (listUnder !== undefined) return [...listTrail(entities, entities.get(listUnder)), own]
  if (menu === undefined && hub === undefined)
    return entity.place.bot === undefined ? [] : [...listTrail(entities, entities.get('bot')), own]
  const above = hub === undefined ? [] : [{ key: hub.page, to: HUB_ADDRESS[hub.page] }]
  return [...above, own]
}

/** The list of an entity within its parent, else the list of all when there is no parent. */
const sectionTrail = (
  entities: Entities,
  entity: PlacedEntity | undefined,
  parent: Ancestor | undefined,
): readonly Crumb[] => {
  if (entity === undefined) return []
  if (parent === undefined) return listTrail(entities, entity)
  const to = sectionAddress(entity, parent.id)
  return to === undefined ? [] : [{ entity: entity.name, to }]
}

/** Address of an entity. `pid` keeps the menu of its bot. */
const thingAddress = ({ entity, id }: Ancestor, [outermost]: readonly Ancestor[]): string =>
  `/${entity}/${id}${outermost?.entity === 'bot' && entity !== 'bot' ? `?pid=${outermost.id}` : ''}`

const ancestorTrail = (entities: Entities, ancestors: readonly Ancestor[]): readonly Crumb[] =>
  ancestors.flatMap((one, at) => [
    ...sectionTrail(entities, entities.get(one.entity), ancestors[at - 1]),
    ...(one.name === undefined ? [] : [{ name: one.name, to: thingAddress(one, ancestors) }]),
  ])

/** A page that belongs to no entity, or a page below it, after the hub that shows it. */
const toolTrail = (path: string): readonly Crumb[] =>
  TOOL_PAGES.filter(({ to }) => `${path}/`.startsWith(`${to}/`)).flatMap(({ key, to, hub }) => [
    ...(hub === undefined ? [] : [{ key: hub.page, to: HUB_ADDRESS[hub.page] }]),
    { key, to },
  ])

/** Has a list with all entities, regardless of the parent: a bot's list filters by bot, a hub's list has an address. */
const isListedApart = ({ entity, section }: NonNullable<ReturnType<typeof entityAddress>>): boolean => {
  const { botList, hub, list } = entity.place
  return botList === true || (section !== true && hub !== undefined && list !== undefined)
}

/** Contacts of a campaign, after the campaign; adding them after their list. Empty on other pages. */
const contactTrail = (entities: Entities, path: string, name: string | undefined): readonly Crumb[] => {
  const [, listAct, list] = LIST_CONTACTS.exec(path) ?? []
  if (list !== undefined) {
    const own = name === undefined ? [] : [{ name, to: `/contactlist/${list}` }]
    return [...listTrail(entities, entities.get('contactlist')), ...own, { key: `${listAct}contacts` }]
  }
  const [, act, id] = CONTACTS.exec(path) ?? []
  if (id === undefined) return []
  const campaign = name === undefined ? [] : [{ name, to: `/campaign/${id}` }]
  const added = act === undefined ? [] : [{ key: `${act}contacts` }]
  const contacts = { key: 'contacts', to: `/campaignmanagement/contact/${id}` }
  return [...listTrail(entities, entities.get('campaign')), ...campaign, contacts, ...added]
}

const withOpenEnd = (crumbs: readonly Crumb[]): readonly Crumb[] => {
  const { to: _to, ...words } = crumbs.at(-1) ?? HOME
  return [...crumbs.slice(0, -1), words]
}

/** The trail to a path: from Home over hub, list and parents to what is open. The last crumb is no link. */
export const trailOf = (
  entities: Entities,
  path: string,
  search = '',
  context: TrailContext = {},
): readonly Crumb[] => {
  const contacts = contactTrail(entities, path, context.name)
  if (contacts.length > 0) return withOpenEnd([HOME, ...contacts])
  const page = PAGES[path]
  const address = entityAddress(entities, path, search)
  // A list that is narrowed to a bot is no page of the bot.
  const ancestors = address === undefined || !isListedApart(address) ? (context.ancestors ?? []) : []
  const crumbs: Crumb[] = [HOME, ...ancestorTrail(entities, ancestors), ...toolTrail(path)]
  const apps = appTrail(path, search)
  const inApp = (trail: readonly Crumb[]) => [...trail.slice(0, 1), ...apps, ...trail.slice(1)]
  if (path.startsWith('/audit/')) crumbs.push({ key: 'audit', to: '/audit' })
  if (page !== undefined) crumbs.push({ key: page })
  else if (BOT_SETTINGS.test(path)) crumbs.push({ key: 'botsettings' })
  else if (BOT_LOGS.test(path)) crumbs.push({ key: 'botlogs' })
  else if (BOT_REPORTS.test(path)) crumbs.push({ key: 'botanalytics' })
  else if (BOT_CONVERSATIONS.test(path)) crumbs.push({ key: 'conversations' })
  else if (BOT_INSIGHT.test(path)) crumbs.push({ key: 'insight' })
  else if (address !== undefined) crumbs.push(...inApp(sectionTrail(entities, address.entity, ancestors.at(-1))))
  else crumbs.push(...apps)
  if (context.name !== undefined && crumbs.at(-1)?.name !== context.name) crumbs.push({ name: context.name })
  return withOpenEnd(crumbs)
}

/** Entries kept after Home. */
const MAX_ENTRIES = 12

/** A page as it enters the trail. */
interface TrailPage {
  /** From Home to the page by the parent rules; the last one is the page itself, with its address in `to`. */
  readonly crumbs: readonly Crumb[]
  /** Resets the trail to its own parents: a list, a hub, a page of the menu. Otherwise the page is one thing. */
  readonly isRoot: boolean
}

const pathOf = ({ to }: Crumb): string | undefined => to?.split('?')[0]

/** The form of something new: it closes once the thing is made or discarded. */
const isForm = (crumb: Crumb | undefined): boolean => crumb !== undefined && pathOf(crumb)?.endsWith('/new') === true

/**
 * The trail after a page is opened. It always begins with Home. Home resets it; a root entry resets it to its parents
 * and itself; an entry that is in it cuts what follows; an empty one is rebuilt from the parents. A thing that is opened
 * from a page outside of its parents (a dialog from the audit) is appended, so that the trail leads back there.
 */
export const updateBreadcrumb = (visited: readonly Crumb[], { crumbs, isRoot }: TrailPage): readonly Crumb[] => {
  const page = crumbs.at(-1)
  const trail = isForm(visited.at(-1)) ? visited.slice(0, -1) : visited
  if (page === undefined || isRoot || trail.length < 2) return crumbs
  const present = trail.findIndex(crumb => pathOf(crumb) === pathOf(page))
  if (present > 0) return [...trail.slice(0, present), page]
  const shared = crumbs.findLastIndex((crumb, at) => at > 0 && trail.some(({ to }) => to === crumb.to))
  if (shared > 0) {
    const end = trail.findIndex(({ to }) => to === crumbs[shared]?.to)
    return [...trail.slice(0, end), ...crumbs.slice(shared)]
  }
  const [home, ...entries] = trail
  return [...(home === undefined ? [] : [home]), ...entries.slice(1 - MAX_ENTRIES), page]
}
