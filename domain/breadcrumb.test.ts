import { describe, expect, it } from 'vitest'
import { trailOf } from './breadcrumb.ts'

const bot = { id: 'b1', name: 'Aurora' }
const words = (path: string, place = {}) => trailOf(path, place).map(crumb => crumb.name ?? crumb.key)

describe('the breadcrumb', () => {
  it('starts with home and ends with what is open, which is no link', () => {
    const trail = trailOf('/bot/search')
    expect(trail).toEqual([{ key: 'home', to: '/' }, { key: 'bots' }])
  })

  it('runs from the bots over the bot to its tasks', () => {
    expect(words('/bot/dialogtask/b1', { bot })).toEqual(['home', 'bots', 'Aurora', 'tasks'])
  })

  it('runs through bot and task to a dialog', () => {
    const place = { bot, dialogtask: { id: 't1', name: 'Vendas' }, name: 'Menu' }
    expect(words('/designer/dialog/d1', place)).toEqual(['home', 'bots', 'Aurora', 'tasks', 'Vendas', 'Menu'])
  })

  it('takes the longest beginning: settings of a bot are not the bot', () => {
    expect(words('/bot/settings/variableschema/b1', { bot })).toEqual(['home', 'bots', 'Aurora', 'variableschema'])
  })

  it('puts admin before what it holds', () => {
    expect(words('/role/actionandservices/r1', { name: 'Editor' })).toEqual(['home', 'admin', 'roles', 'Editor'])
  })

  it('puts the list before the form of a new one', () => {
    expect(words('/codesample', { name: 'New code sample' })).toEqual(['home', 'codesamples', 'New code sample'])
    expect(words('/releasenote', { name: 'New' })).toEqual(['home', 'appsettings', 'releasenotes', 'New'])
  })

  it('tells the levels from what is below them', () => {
    expect(words('/hierarchy')).toEqual(['home', 'admin', 'hierarchy'])
    expect(words('/hierarchy/h1', { name: 'Norte' })).toEqual(['home', 'admin', 'hierarchy', 'Norte'])
  })

  it('does not repeat the bot on its own page', () => {
    expect(words('/bot/b1', { bot, name: 'Aurora' })).toEqual(['home', 'bots', 'Aurora'])
  })
})
