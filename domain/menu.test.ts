import { describe, expect, it } from 'vitest'
import { activeEntry, botMenu, mainMenu } from './menu.ts'

const keys = (menu: ReturnType<typeof mainMenu>) => menu.flatMap(group => group.entries.map(entry => entry.key))

describe('the side menu', () => {
  it('shows home alone to someone without permissions', () => {
    expect(keys(mainMenu(() => false))).toEqual(['home'])
  })

  it('leaves out entries and groups that are not permitted', () => {
    const menu = mainMenu(permission => permission === 'showbot')
    expect(keys(menu)).toEqual(['home', 'bots'])
    expect(menu.map(group => group.key)).toEqual([undefined, 'build'])
  })

  it('marks the entry that the page lies under', () => {
    const menu = mainMenu(() => true)
    expect(activeEntry(menu, '/bot/search')).toBe('/bot/search')
    expect(activeEntry(menu, '/codesample/c1')).toBe('/codesample/search')
    expect(activeEntry(menu, '/')).toBe('/')
    expect(activeEntry(menu, '/nowhere')).toBeUndefined()
  })

  it('keeps a bot and its tasks apart', () => {
    const menu = botMenu('b1', () => true)
    expect(activeEntry(menu, '/bot/b1')).toBe('/bot/b1')
    expect(activeEntry(menu, '/bot/dialogtask/b1')).toBe('/bot/dialogtask/b1')
    expect(activeEntry(menu, '/version/search', '?pid=b1')).toBe('/version/search?pid=b1')
    for (const path of ['/version', '/version/v1'])
      expect(activeEntry(menu, path, '?pid=b1')).toBe('/version/search?pid=b1')
  })
})
