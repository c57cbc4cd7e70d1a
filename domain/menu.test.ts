import { describe, expect, it } from 'vitest'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { campaignEntry, isInCampaigns } from './breadcrumb.ts'
import {
  activeEntry,
  botMenu,
  botScoped,
  botSettings,
  campaignMenu,
  footMenu,
  hubEntries,
  hubOf,
  type MenuEntry,
  mainMenu,
} from './menu.ts'
import { entitiesByName } from './place.ts'
import { placedEntities } from './placed-entity.ts'

const places = placedEntities(Object.values(ENTITIES))
const all = () => true
const nameOf = ({ key, entity }: MenuEntry) => key ?? entity

const keys = (menu: ReturnType<typeof mainMenu>) => menu.flatMap(group => group.entries.map(nameOf))

describe('the side menu', () => {
  it('shows home alone to someone without permissions', () => {
    // Campaign menu entries have no action filter.
    expect(keys(mainMenu(places, () => false))).toEqual(['home', 'campaignmanagement'])
  })

  it('leaves out entries and groups that are not permitted', () => {
    const menu = mainMenu(places, permission => permission === 'showbot')
    expect(keys(menu)).toEqual(['home', 'bot', 'campaignmanagement'])
    expect(menu.map(group => group.key)).toEqual([undefined, 'build', 'reach'])
  })

  it('marks the entry that contains the page', () => {
    const menu = mainMenu(places, all)
    expect(activeEntry(menu, '/bot/search')).toBe('/bot/search')
    expect(activeEntry(menu, '/codesample/c1')).toBe('/codesample/search')
    expect(activeEntry(menu, '/')).toBe('/')
    expect(activeEntry(menu, '/nowhere')).toBeUndefined()
  })

  it('keeps a bot and its tasks apart', () => {
    const menu = botMenu(places, 'b1', all)
    expect(activeEntry(menu, '/bot/b1')).toBe('/bot/b1')
    expect(activeEntry(menu, '/bot/dialogtask/b1')).toBe('/bot/dialogtask/b1')
    expect(activeEntry(menu, '/version/search', '?pid=b1')).toBe('/version/search?pid=b1')
    for (const path of ['/version', '/version/v1'])
      expect(activeEntry(menu, path, '?pid=b1')).toBe('/version/search?pid=b1')
  })

  it('shows the entries in the order of the declarations [D-2.11]', () => {
    expect(keys(mainMenu(places, all))).toEqual([
      'home',
      'dashboard',
      'bot',
      'nlu',
      'nluproject',
      'story',
      'brain',
      'localemessage',
      'codesample',
      'campaignmanagement',
      'metaapp',
      'campaignuploadprofile',
      'tinyurlmapping',
      'sitesearchindex',
      'desk',
      'deskqueue',
      'cannedanswer',
      'reports',
      'audit',
      'admin',
      'apitoken',
      'version',
      'appsettings',
    ])
    expect(footMenu(places, all).map(nameOf)).toEqual(['releasenote'])
    expect(keys(botMenu(places, 'b1', all))).toEqual([
      'overview',
      'dialogtask',
      'version',
      'conversations',
      'insight',
      'conversationtest',
      'channel',
      'agentchannel',
      'mlchannel',
      'botservice',
      'botanalytics',
      'settings',
      'variable',
      'variableschema',
      'globalvariable',
      'conversationsetting',
      'botadvancedsetting',
      'botspecificlocalemessage',
      'integration',
      'oauth',
      'intentgroup',
      'intentmapping',
      'entityvaluepair',
      'chatinterface',
      'theme',
      'metricalert',
      'usertip',
      'botlogs',
    ])
  })

  it('gives the links of a bot its id, its name and what it is [C-2.86]', () => {
    expect(botScoped('/bot/settings/variable/b1', 'b1', 'São João')).toBe(
      '/bot/settings/variable/b1?pid=b1&pname=S%C3%A3o+Jo%C3%A3o&ptype=bot',
    )
    expect(botScoped('/version/search?pid=b1', 'b1', undefined)).toBe('/version/search?pid=b1&ptype=bot')
  })

  it('has an icon, a name in every language, the permission that shows it and an address in each entry [C-3.05]', () => {
    const entries = [...mainMenu(places, all), ...botMenu(places, 'b1', all)].flatMap(group => group.entries)
    for (const { key, entity, icon, to, action } of entries) {
      expect(to, to).toMatch(/^\//u)
      expect(icon, to).toMatch(/^[A-Z]\w+$/u)
      expect(
        [key, entity].filter(name => name !== undefined),
        to,
      ).toHaveLength(1)
      expect(action === undefined, to).toBe(key === 'home' || key === 'campaignmanagement')
    }
  })

  it('shows the welcome entry and the menu of a bot without a menu action [C-6.05]', () => {
    const [home] = mainMenu(places, () => false).flatMap(group => group.entries)
    expect(home).toMatchObject({ key: 'home', to: '/' })
    expect(home).not.toHaveProperty('action')
    // Read permissions show all entries without a menu action, except the reports, which cover all bots.
    const shown = keys(botMenu(places, 'b1', permission => permission.startsWith('read')))
    expect(shown).toEqual(keys(botMenu(places, 'b1', all)).filter(key => key !== 'botanalytics'))
  })

  it('is that of campaigns on their pages, of apps and accounts at Meta included [C-2.06] [C-6.05]', () => {
    const entities = entitiesByName(places)
    for (const path of [
      '/campaignmanagement/search',
      '/campaignmanagement/channel/app/a1',
      '/template/t1',
      '/metaapp/a1',
      '/contactlist/map/l1',
    ])
      expect(isInCampaigns(entities, path, ''), path).toBe(true)
    for (const path of ['/', '/bot/b1', '/channel/search', '/bot/channel/b1'])
      expect(isInCampaigns(entities, path, ''), path).toBe(false)
    const menu = campaignMenu(places, all)
    expect(keys(menu).slice(0, 1)).toEqual(['overview'])
    expect(keys(menu)).toEqual(expect.arrayContaining(['template', 'campaignapps', 'campaignchannels', 'metaapp']))
    const at = (path: string) => activeEntry(menu, campaignEntry(entities, path, ''))
    expect(at('/campaignmanagement/search')).toBe('/campaignmanagement/search')
    expect(at('/campaignmanagement/channel/app/a1')).toBe('/campaignmanagement/channel/apps')
    expect(at('/campaignmanagement/channel/app/template/search')).toBe(
      '/campaignmanagement/channel/app/template/search',
    )
    expect(at('/template/t1')).toBe('/campaignmanagement/channel/app/template/search')
    expect(at('/metaapp/metaaccount/a1')).toBe('/metaaccount/search')
    expect(at('/campaignmanagement/campaign/create')).toBe('/campaignmanagement/channel/app/campaign/search')
    expect(at('/campaignmanagement/contact/map/c1')).toBe('/campaignmanagement/channel/app/campaign/search')
    expect(at('/contactlist/add/l1')).toBe('/contactlist/search')
    // Everybody sees the hub; it needs no menu action.
    expect(keys(campaignMenu(places, () => false))).toEqual(['overview'])
    expect(keys(campaignMenu(places, permission => permission.startsWith('read')))).toEqual(keys(menu))
  })

  it('has no section in a bot for an entity that does not belong to one [P-116]', () => {
    const fields = (name: string | undefined) =>
      Object.keys(Object.values(ENTITIES).find(one => one.name === name)?.fields ?? {})
    const sections = botMenu(places, 'b1', all).flatMap(group => group.entries.flatMap(({ entity }) => entity ?? []))
    expect(sections.filter(section => !fields(section).includes('bot'))).toEqual([])
  })

  it('leaves out the cards of a hub that the person may not read', () => {
    const can = (permission: string) => ['readrole', 'readuser', 'readvariable'].includes(permission)
    expect(hubEntries(places, 'admin', can).map(({ to }) => to)).toEqual(['/user/search', '/role/search'])
    expect(hubEntries(places, 'appsettings', can)).toEqual([])
    expect(botSettings(places, 'b1', can).map(({ to }) => to)).toEqual(['/bot/settings/variable/b1'])
  })

  it('marks the hub on pages of its entities, unless they have their own entry', () => {
    const entities = entitiesByName(places)
    expect(hubOf(entities, '/role/actionandservices/r1', '')).toBe('/admin')
    expect(hubOf(entities, '/globalvariable/search', '')).toBe('/appsettings/search')
    expect(hubOf(entities, '/releasenote/search', '')).toBeUndefined()
    expect(hubOf(entities, '/codesample/c1', '')).toBeUndefined()
  })
})
