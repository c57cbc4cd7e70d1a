import { describe, expect, it } from 'vitest'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { trailOf } from './breadcrumb.ts'
import { entitiesByName } from './place.ts'
import { placedEntities } from './placed-entity.ts'

const entities = entitiesByName(placedEntities(Object.values(ENTITIES)))

const bot = { entity: 'bot', id: 'b1', name: 'Aurora' }
const task = { entity: 'dialogtask', id: 't1', name: 'Vendas' }
const words = (address: string, context: Parameters<typeof trailOf>[3] = {}) => {
  const [path = '', search = ''] = address.split('?')
  return trailOf(entities, path, search, context).map(crumb => crumb.name ?? crumb.key ?? crumb.entity)
}

describe('the breadcrumb', () => {
  it('starts with home and ends with what is open, which is no link', () => {
    expect(trailOf(entities, '/bot/search')).toEqual([{ key: 'home', to: '/' }, { entity: 'bot' }])
  })

  it('runs from the bots over the bot to its tasks', () => {
    expect(words('/bot/dialogtask/b1', { ancestors: [bot] })).toEqual(['home', 'bot', 'Aurora', 'dialogtask'])
  })

  it('runs through bot and task to a dialog', () => {
    const context = { ancestors: [bot, task], name: 'Menu' }
    const trail = ['home', 'bot', 'Aurora', 'dialogtask', 'Vendas', 'Menu']
    expect(words('/designer/dialog/d1?pid=b1', context)).toEqual(trail)
    expect(words('/dialog/d1', context)).toEqual(trail)
  })

  it('takes the settings of a bot for a section, not for the bot', () => {
    const trail = ['home', 'bot', 'Aurora', 'variableschema']
    expect(words('/bot/settings/variableschema/b1', { ancestors: [bot] })).toEqual(trail)
    expect(words('/bot/settings/b1', { ancestors: [bot] })).toEqual(['home', 'bot', 'Aurora', 'botsettings'])
  })

  it('runs through the section of the bot to the form of one of its things [P-116]', () => {
    const context = { ancestors: [bot], name: 'convenio' }
    const trail = ['home', 'bot', 'Aurora', 'variable', 'convenio']
    for (const path of ['/variable/v1?pid=b1', '/variable/v1', '/bot/settings/variable/b1/v1'])
      expect(words(path, context), path).toEqual(trail)
  })

  it('leads over the bots to the lists of their things in all bots [P-1861]', () => {
    expect(words('/botspecificlocalemessage/search')).toEqual(['home', 'bot', 'botspecificlocalemessage'])
    expect(words('/variable/search')).toEqual(['home', 'bot', 'variable'])
  })

  it('keeps the way while the name of a parent is unknown', () => {
    const unnamed = { entity: 'bot', id: 'b1' }
    expect(words('/bot/dialogtask/b1', { ancestors: [unnamed] })).toEqual(['home', 'bot', 'dialogtask'])
  })

  it('leads over the apps to the accounts at Meta [C-2.44]', () => {
    expect(words('/metaaccount/search')).toEqual(['home', 'metaapp', 'metaaccount'])
  })

  it('shows the hub of campaigns before apps, campaigns and templates, for any parent [C-2.94]', () => {
    const at = (address: string, context: Parameters<typeof trailOf>[3] = {}) => {
      const [path = '', search = ''] = address.split('?')
      return trailOf(entities, path, search, context)
    }
    const home = [
      { key: 'home', to: '/' },
      { key: 'campaignmanagement', to: '/campaignmanagement/search' },
    ]
    const apps = { key: 'campaignapps', to: '/campaignmanagement/channel/apps' }
    expect(words('/campaignmanagement/search')).toEqual(['home', 'campaignmanagement'])
    expect(words('/campaignmanagement/campaign/create')).toEqual(words('/campaign/new'))
    expect(words('/campaignmanagement/campaign/create').slice(0, 2)).toEqual(['home', 'campaignmanagement'])
    expect(words('/campaignmanagement/channel/search')).toEqual(['home', 'campaignmanagement', 'campaignchannels'])
    expect(at('/campaignmanagement/channel/apps')).toEqual([...home, { key: 'campaignapps' }])
    expect(at('/campaignmanagement/channel/app/a1?appName=Lume', { name: 'Lume' })).toEqual([
      ...home,
      apps,
      { name: 'Lume' },
    ])
    const templates = '/campaignmanagement/channel/app/template/search'
    expect(at(templates)).toEqual([...home, { entity: 'template' }])
    expect(at(`${templates}?appid=a1&appName=Lume&phone=%2B55`)).toEqual([
      ...home,
      apps,
      { name: 'Lume', to: '/campaignmanagement/channel/app/a1?appName=Lume&phone=%2B55' },
      { entity: 'template' },
    ])
    expect(words('/campaignmanagement/channel/app/campaign/search?appid=a1&appName=Lume')).toEqual([
      'home',
      'campaignmanagement',
      'campaignapps',
      'Lume',
      'campaign',
    ])
    expect(words('/template/new', { name: 'Nova' })).toEqual(['home', 'campaignmanagement', 'template', 'Nova'])
    expect(words('/campaignuploadprofile/search')).toEqual([
      'home',
      'campaignmanagement',
      'campaign',
      'campaignuploadprofile',
    ])
    const profile = { entity: 'campaignuploadprofile', id: 'u1', name: 'Planilha' }
    expect(words('/campaignuploadprofile/campaignupload/u1', { ancestors: [profile] })).toContain('Planilha')
    const account = { entity: 'metaaccount', id: 'm1', name: 'Casa Lume' }
    expect(at('/template/t1', { ancestors: [account], name: 'novidades' })).toEqual([
      ...home,
      { entity: 'template', to: templates },
      { name: 'novidades' },
    ])
  })

  it('puts the hub before the lists that it shows', () => {
    expect(words('/role/actionandservices/r1', { name: 'Editor' })).toEqual(['home', 'admin', 'role', 'Editor'])
    expect(words('/globalvariable/g1', { name: 'x' })).toEqual(['home', 'appsettings', 'globalvariable', 'x'])
    expect(words('/admin')).toEqual(['home', 'admin'])
  })

  it('has /admin as the parent of roles, their rights, users, groups and levels [C-2.95]', () => {
    for (const path of [
      '/role/search',
      '/role/actionandservices/r1',
      '/user/search',
      '/usergroup/search',
      '/hierarchy',
    ]) {
      const trail = trailOf(entities, path, '', { name: 'Editor' })
      expect(trail[1], path).toMatchObject({ key: 'admin', to: '/admin' })
    }
  })

  it('puts the list before the form of a new one', () => {
    expect(words('/codesample', { name: 'New code sample' })).toEqual(['home', 'codesample', 'New code sample'])
    expect(words('/releasenote/new', { name: 'New' })).toEqual(['home', 'appsettings', 'releasenote', 'New'])
  })

  it('tells the levels from what is below them', () => {
    expect(words('/hierarchy')).toEqual(['home', 'admin', 'hierarchy'])
    expect(words('/hierarchy/h1', { name: 'Norte' })).toEqual(['home', 'admin', 'hierarchy', 'Norte'])
  })

  it('does not repeat the bot on its own page', () => {
    expect(words('/bot/b1', { name: 'Aurora' })).toEqual(['home', 'bot', 'Aurora'])
  })

  it.each([
    ['dialogtask', 'dialogtask'],
    ['channel', 'channel'],
    ['agentchannel', 'agentchannel'],
    ['mlchannel', 'mlchannel'],
    ['botservice', 'botservice'],
    ['reports', 'botanalytics'],
    ['settings', 'botsettings'],
  ])('leads from the bots over the bot to /bot/%s/{id} [C-2.92]', (page, last) => {
    expect(words(`/bot/${page}/b1`, { ancestors: [bot] })).toEqual(['home', 'bot', 'Aurora', last])
  })

  it('leads from the tasks of a bot over the task to the designer of its dialogs and handlers [C-2.92]', () => {
    expect(words('/bot/search')).toEqual(['home', 'bot'])
    expect(words('/dialogtask/t1?pid=b1', { ancestors: [bot], name: 'Vendas' })).toEqual([
      'home',
      'bot',
      'Aurora',
      'dialogtask',
      'Vendas',
    ])
    const inTask = { ancestors: [bot, task], name: 'Menu' }
    for (const kind of ['dialog', 'handler'])
      expect(words(`/designer/${kind}/d1?pid=b1`, inTask)).toEqual([
        'home',
        'bot',
        'Aurora',
        'dialogtask',
        'Vendas',
        'Menu',
      ])
  })

  it('has projects as the parent of their intents and entities, and the list of brains [C-2.97]', () => {
    const project = { entity: 'nluproject', id: 'p1', name: 'Clinic' }
    const inProject = (path: string) => words(path, { ancestors: [project] })
    expect(words('/nluproject/search')).toEqual(['home', 'nlu', 'nluproject'])
    expect(inProject('/nluproject/intent/p1')).toEqual(['home', 'nlu', 'nluproject', 'Clinic', 'intent'])
    expect(inProject('/nluproject/nluprojectentity/p1')).toEqual([
      'home',
      'nlu',
      'nluproject',
      'Clinic',
      'nluprojectentity',
    ])
    for (const designer of ['statementdesigner', 'responsedesigner'])
      expect(words(`/intent/${designer}/i1`, { ancestors: [project], name: 'marcar' })).toEqual([
        'home',
        'nlu',
        'nluproject',
        'Clinic',
        'intent',
        'marcar',
      ])
    expect(words('/brain/search')).toEqual(['home', 'nlu', 'brain'])
  })

  it('gives each entry its entity or name, its link with the query that keeps the menu, and home first [C-3.04]', () => {
    expect(trailOf(entities, '/dialog/d1', '', { ancestors: [bot, task], name: 'Menu' })).toEqual([
      { key: 'home', to: '/' },
      { entity: 'bot', to: '/bot/search' },
      { name: 'Aurora', to: '/bot/b1' },
      { entity: 'dialogtask', to: '/bot/dialogtask/b1' },
      { name: 'Vendas', to: '/dialogtask/t1?pid=b1' },
      { name: 'Menu' },
    ])
  })
})
