import { type Entities, entityAddress, listAddress, type PlacedEntity } from './place.ts'

const HUB = '/campaignmanagement/search'
const APPS = '/campaignmanagement/channel/apps'
const BELOW = '/campaignmanagement/'
/** Pages of a campaign's contacts, which belong to the list of campaigns. */
const CONTACT = '/campaignmanagement/contact/'
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
  if (path.startsWith(BELOW)) return true
  const entity = entityAddress(entities, path, search)?.entity
  return entity !== undefined && isOfCampaigns(entity)
}

/** The address of the menu of campaigns that a page of theirs belongs to. */
export const campaignEntry = (entities: Entities, path: string, search: string): string => {
  if (APP.test(path)) return APPS
  const campaign = entities.get('campaign')
  if (path.startsWith(CONTACT) && campaign !== undefined) return listAddress(campaign)
  const entity = entityAddress(entities, path, search)?.entity
  return entity === undefined ? path : listAddress(entity)
}

/** Crumbs between the campaign hub and a page: the apps, and the app that filters a list. */
export const appTrail = (path: string, search: string): readonly AppCrumb[] => {
  const apps: AppCrumb = { key: 'campaignapps', to: APPS }
  if (APP.test(path)) return [{ key: 'campaignmanagement', to: HUB }, apps]
  const query = new URLSearchParams(search)
  const id = query.get('appid')
  if (id === null || !path.startsWith(BELOW)) return []
  const name = query.get('appName') ?? id
  return [apps, { name, to: appAddress({ id, name, phone: query.get('phone') ?? undefined }) }]
}
