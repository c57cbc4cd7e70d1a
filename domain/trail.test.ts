import { describe, expect, test } from 'vitest'
import { type Crumb, updateBreadcrumb } from './breadcrumb.ts'

const HOME: Crumb = { key: 'home', to: '/' }
const BOTS: Crumb = { entity: 'bot', to: '/bot/search' }
const BOT: Crumb = { name: 'Varejo', to: '/bot/b1' }
const TASKS: Crumb = { entity: 'dialogtask', to: '/bot/dialogtask/b1' }
const TASK: Crumb = { name: 'Entrega', to: '/dialogtask/t1?pid=b1' }
const AUDIT: Crumb = { key: 'audit', to: '/audit' }
const USER: Crumb = { name: 'Camila', to: '/user/u1' }
const USERS: Crumb = { entity: 'user', to: '/user/search' }
const ADMIN: Crumb = { key: 'admin', to: '/admin' }

const thing = (...crumbs: Crumb[]) => ({ crumbs, isRoot: false })
const root = (...crumbs: Crumb[]) => ({ crumbs, isRoot: true })
const toTask = [HOME, BOTS, BOT, TASKS, TASK]

describe('trail', () => {
  test('rebuilds an empty trail from the parents of the page [C-4.23]', () => {
    expect(updateBreadcrumb([], thing(...toTask))).toEqual(toTask)
    expect(updateBreadcrumb([HOME], thing(...toTask))).toEqual(toTask)
  })

  test('resets to Home and itself when a root entry is opened [C-4.22]', () => {
    expect(updateBreadcrumb(toTask, root(HOME, AUDIT))).toEqual([HOME, AUDIT])
    expect(updateBreadcrumb(toTask, root(HOME, ADMIN, USERS))).toEqual([HOME, ADMIN, USERS])
  })

  test('resets to Home alone when Home is opened [C-4.24]', () => {
    expect(updateBreadcrumb(toTask, root(HOME))).toEqual([HOME])
  })

  test('cuts what follows an entry that is opened again [C-4.21]', () => {
    const trail = [HOME, AUDIT, TASK, USER]
    expect(updateBreadcrumb(trail, thing(...toTask))).toEqual([HOME, AUDIT, TASK])
  })

  test('takes the present name of an entry that is opened again', () => {
    const renamed = { ...TASK, name: 'Entregas' }
    expect(updateBreadcrumb(toTask, thing(HOME, BOTS, BOT, TASKS, renamed)).at(-1)).toEqual(renamed)
  })

  test('continues below the deepest parent that the trail shares with the page', () => {
    const other: Crumb = { name: 'Outro', to: '/bot/b2' }
    expect(updateBreadcrumb([HOME, BOTS, BOT], thing(...toTask))).toEqual(toTask)
    expect(updateBreadcrumb(toTask, thing(HOME, BOTS, other))).toEqual([HOME, BOTS, other])
  })

  test('appends a thing that is opened from a page outside of its parents', () => {
    expect(updateBreadcrumb([HOME, AUDIT], thing(...toTask))).toEqual([HOME, AUDIT, TASK])
    expect(updateBreadcrumb([HOME, AUDIT, TASK], thing(HOME, ADMIN, USERS, USER))).toEqual([HOME, AUDIT, TASK, USER])
  })

  test('begins with Home and keeps a bounded number of entries [C-2.90]', () => {
    let trail: readonly Crumb[] = [HOME, AUDIT]
    for (let n = 0; n < 40; n += 1) trail = updateBreadcrumb(trail, thing(HOME, { name: `${n}`, to: `/user/${n}` }))
    expect(trail[0]).toEqual(HOME)
    expect(trail).toHaveLength(13)
    expect(trail.at(-1)?.name).toBe('39')
  })
})
