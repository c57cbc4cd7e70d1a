import { expect, test } from 'vitest'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { PLACED_ENTITIES } from '#test/entity/placed-entities.ts'
import { trailOf } from './breadcrumb.ts'
import { botMenu, botSettings, hubEntries, mainMenu } from './menu.ts'
import { botOfAddress, entitiesByName, entityAddress, levelSource, parentQuery, sectionOf, tabsOf } from './place.ts'
import { placedEntities } from './placed-entity.ts'

const entities = entitiesByName(placedEntities(Object.values(ENTITIES)))
const botOf = (path: string, search = '') => botOfAddress(entities, path, search)

test('finds the bot in the path, else in pid', () => {
  expect(botOf('/bot/b1')).toBe('b1')
  expect(botOf('/bot/dialogtask/b1', '?pid=b2')).toBe('b1')
  expect(botOf('/bot/settings/variable/b1/v9')).toBe('b1')
  expect(botOf('/bot/settings/b1')).toBe('b1')
  expect(botOf('/dialogtask/t1', '?pid=b3')).toBe('b3')
  expect(botOf('/version/search', '?pid=b3')).toBe('b3')
  expect(botOf('/designer/dialog/d1', '?pid=b3')).toBe('b3')
})

test('takes the level of a page from the thing of its address, else from the bot or parent that it lists [P-2819]', () => {
  const sourceOf = (path: string, search = '') => {
    const source = levelSource(entities, path, search)
    return source === undefined ? undefined : `${source.isOwn ? 'own ' : ''}${source.entity} ${source.id}`
  }
  const bots = ['/bot/b1', '/bot/settings/b1', '/bot/insight/b1', '/bot/conversation/b1', '/bot/reports/b1']
  expect(bots.map(path => sourceOf(path))).toEqual(['own bot b1', ...bots.slice(1).map(() => 'bot b1')])
  for (const path of ['/bot/conversationtest/b1', '/bot/settings/variable/b1', '/bot/settings/botlogs/b1'])
    expect(sourceOf(path), path).toBe('bot b1')
  expect(sourceOf('/version/search', '?pid=b1')).toBe('bot b1')
  expect(sourceOf('/conversationtest/new', '?pid=b1')).toBe('bot b1')
  // The thing itself: a wrong pid must not lead to and fro between two levels.
  expect(sourceOf('/dialogtask/t1', '?pid=b1')).toBe('own dialogtask t1')
  expect(sourceOf('/designer/dialog/d1', '?pid=b1')).toBe('own dialog d1')
  expect(sourceOf('/nluproject/training/p1')).toBe('nluproject p1')
  for (const path of ['/bot/search', '/bot/new', '/audit', '/bot/reports', '/designer/conversation/c1'])
    expect(sourceOf(path), path).toBeUndefined()
})

test('resolves a custom list address to its entity [C-2.47]', () => {
  expect(entityAddress(entities, '/tools/uploadfiletocloud')?.entity.name).toBe('cloudfile')
  expect(entityAddress(entities, '/tools/unknown')).toBeUndefined()
})

test('finds no bot when a page of a bot is opened without one [P-93]', () => {
  expect(botOf('/bot/dialogtask')).toBeUndefined()
  expect(botOf('/bot/dialogtask/')).toBeUndefined()
  expect(botOf('/bot/settings')).toBeUndefined()
  expect(botOf('/bot/settings/botlogs')).toBeUndefined()
  expect(botOf('/bot/settings/botlogs', '?pid=b2')).toBe('b2')
  expect(botOf('/bot/reports')).toBeUndefined()
  expect(botOf('/bot/dialogtask', '?pid=b2')).toBe('b2')
  expect(botOf('/bot/settings/variable', '?pid=b2')).toBe('b2')
})

test('takes lists and new things for no bot', () => {
  expect(botOf('/bot/search')).toBeUndefined()
  expect(botOf('/bot/new')).toBeUndefined()
  expect(botOf('/audit')).toBeUndefined()
})

test('a section of a bot exists for what belongs to a bot alone [P-116]', () => {
  expect(entityAddress(entities, '/bot/settings/user/b1')).toBeUndefined()
  expect(entityAddress(entities, '/bot/settings/codesample/b1')).toBeUndefined()
  expect(entityAddress(entities, '/bot/user/b1')).toBeUndefined()
  expect(entityAddress(entities, '/bot/settings/variable/b1')).toMatchObject({
    entity: { name: 'variable' },
    within: { entity: 'bot', id: 'b1' },
    section: true,
  })
})

test('the page of a thing belongs to the section of its entity', () => {
  expect(sectionOf(entities, '/variable/v1', '?pid=b1', 'b1')).toBe('/bot/settings/variable/b1')
  expect(sectionOf(entities, '/dialogtask/t1', '?pid=b1', 'b1')).toBe('/bot/dialogtask/b1')
  expect(sectionOf(entities, '/bot/b1', '', 'b1')).toBeUndefined()
})

const PLACES = placedEntities([
  ...Object.values<EntityDeclaration>(ENTITIES),
  ...Object.values<EntityDeclaration>(PLACED_ENTITIES),
])
const DECLARED = entitiesByName(PLACES)
const addresses = (entries: readonly { readonly to: string }[]) => entries.map(({ to }) => to)

test('a declaration alone puts an entity into menu, hub and bot, with its routes [P-117]', () => {
  const all = () => true
  const main = mainMenu(PLACES, all).find(({ key }) => key === 'observe')?.entries ?? []
  expect(main.map(({ entity, key, action }) => [entity ?? key, action])).toEqual([
    ['announcement', 'showannouncement'],
    ['reports', 'showreport'],
    ['audit', 'readaudit'],
  ])
  expect(addresses(hubEntries(PLACES, 'appsettings', all))[0]).toBe('/depot/search')
  expect(addresses(hubEntries(PLACES, 'admin', all)).at(-1)).toBe('/sitepreference')
  const bot = addresses(botMenu(PLACES, 'b1', all).flatMap(group => group.entries))
  expect(bot.indexOf('/bot/shelf/b1')).toBe(bot.indexOf('/bot/dialogtask/b1') + 1)
  expect(addresses(botSettings(PLACES, 'b1', all))[0]).toBe('/bot/settings/botpreference/b1')
})

test('shows child entities as tabs of the page, except those in the menu of the bot [P-117]', () => {
  expect(tabsOf(DECLARED, 'shelf').map(({ name }) => name)).toEqual(['crate', 'ticket', 'manual', 'lighting'])
  expect(tabsOf(DECLARED, 'bot').map(({ name }) => name)).toEqual(['receipt'])
  expect(tabsOf(DECLARED, 'dialogtask')).toEqual([])
  expect(tabsOf(DECLARED, 'dialog')).toEqual([])
  expect(entityAddress(DECLARED, '/shelf/crate/s1')).toMatchObject({
    entity: { name: 'crate' },
    within: { entity: 'shelf', id: 's1' },
    section: true,
  })
  expect(entityAddress(DECLARED, '/shelf/parcel/s1')).toBeUndefined()
})

test('reads pid as the bot for entities in a bot at any depth, else as the parent', () => {
  expect(botOfAddress(DECLARED, '/parcel/p1', '?pid=b1')).toBe('b1')
  expect(botOfAddress(DECLARED, '/bot/shelf/b1', '')).toBe('b1')
  expect(botOfAddress(DECLARED, '/depot/d1', '?pid=b1')).toBeUndefined()
})

test('a page in a thing that is no bot names it by its entity', () => {
  const within = { entity: 'shelf', id: 's1' }
  expect(entityAddress(DECLARED, '/crate/new', parentQuery(within))).toMatchObject({ within })
  expect(parentQuery({ entity: 'bot', id: 'b1' })).toBe('?pid=b1')
})

test('the trail runs through every parent with its list [P-117]', () => {
  const ancestors = [
    { entity: 'bot', id: 'b1', name: 'Aurora' },
    { entity: 'shelf', id: 's1', name: 'Top' },
    { entity: 'crate', id: 'c1', name: 'Red' },
  ]
  const trail = trailOf(DECLARED, '/parcel/p1', '', { ancestors, name: 'Box' })
  expect(trail.map(({ name, key, entity }) => name ?? key ?? entity)).toEqual([
    'home',
    'bot',
    'Aurora',
    'shelf',
    'Top',
    'crate',
    'Red',
    'parcel',
    'Box',
  ])
  expect(trail.flatMap(({ to }) => to ?? [])).toEqual([
    '/',
    '/bot/search',
    '/bot/b1',
    '/bot/shelf/b1',
    '/shelf/s1?pid=b1',
    '/shelf/crate/s1',
    '/crate/c1?pid=b1',
    '/crate/parcel/c1',
  ])
})

test('places a page beside the form inside its entity, and inside none without an id [C-2.75] [C-2.97]', () => {
  const address = entityAddress(entities, '/nluproject/testnlu/p')
  expect(address).toMatchObject({ entity: { name: 'nluproject' }, within: { entity: 'nluproject', id: 'p' } })
  expect(entityAddress(entities, '/nluproject/testnlu')?.within).toBeUndefined()
  const ancestors = [{ entity: 'nluproject', id: 'p', name: 'Banco' }]
  const trail = trailOf(entities, '/nluproject/testnlu/p', '', { ancestors, name: 'Test' })
  expect(trail.slice(-2)).toEqual([{ name: 'Banco', to: '/nluproject/p' }, { name: 'Test' }])
})
