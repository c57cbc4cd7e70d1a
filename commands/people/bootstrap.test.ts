import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorkbench, type Workbench } from '../fixture/workbench.ts'
import type { CommandHandler } from '../port.ts'
import { bootstrap, EVERYTHING, firstIds } from './bootstrap.ts'

let bench: Workbench
beforeEach(async () => {
  bench = await openWorkbench()
})
afterEach(() => bench.close())

/** Dies after so many commands, like a process that is killed. */
const dyingAfter = (most: number): CommandHandler => {
  let left = most
  return {
    execute(command) {
      left -= 1
      return left < 0 ? Promise.reject(new Error('killed')) : bench.handler.execute(command)
    },
  }
}

describe('a first start', () => {
  it('resumes a start interrupted at any step and creates nothing twice', async () => {
    const { store, handler: commands } = bench
    for (const most of [0, 1, 2, 3]) {
      await expect(bootstrap({ store, commands: dyingAfter(most) })).rejects.toThrow('killed')
    }
    const begun = await bootstrap({ store, commands })
    expect(begun).toMatchObject({ first: true, password: expect.stringMatching(/^.{20,}$/) })
    expect(await bootstrap({ store, commands })).toEqual({ first: false })
    const ids = firstIds(store)
    for (const stream of [`hierarchy-${ids.level}`, `role-${ids.role}`, `usergroup-${ids.group}`, `user-${ids.user}`]) {
      expect(await bench.events(stream)).toHaveLength(1)
    }
  })

  it('on two nodes at once tells one password', async () => {
    const { store } = bench
    const both = await Promise.all([bench.again(), bench.again()].map(commands => bootstrap({ store, commands })))
    expect(both.map(({ first }) => first).toSorted()).toEqual([false, true])
    expect(both.filter(({ password }) => password !== undefined)).toHaveLength(1)
    expect(await bench.events(`user-${firstIds(store).user}`)).toHaveLength(1)
  })
})

describe('a start after an update', () => {
  const without = (names: readonly string[], taken: string) => names.filter(name => name !== taken)
  const rights = async () => {
    const { role } = firstIds(bench.store)
    const [first, ...later] = await bench.events(`role-${role}`)
    const fields = later.at(-1)?.data.fields ?? first?.data.fields
    return fields as { readonly actions: string[]; readonly services: string[] }
  }

  it('gives new rights to the first role once, and none that was taken from it [P-1900]', async () => {
    const { store, handler: commands } = bench
    const { role } = firstIds(store)
    await bench.must('role', 'create', role, {
      name: 'Administrator',
      actions: without(EVERYTHING.actions, 'readsuppression'),
      services: without(EVERYTHING.services, 'optoutsetting'),
    })
    await bench.must('user', 'create', '', { username: 'old', firstname: 'Old', usergroup: [] })
    expect(await bootstrap({ store, commands })).toEqual({ first: false, position: expect.any(String) })
    const { actions, services } = await rights()
    expect(actions.toSorted()).toEqual(EVERYTHING.actions.toSorted())
    expect(services.toSorted()).toEqual(EVERYTHING.services.toSorted())

    const fewer = { actions: without(actions, 'readsuppression'), services: without(services, 'optoutsetting') }
    await bench.must('role', 'change', role, fewer)
    expect(await bootstrap({ store, commands })).toEqual({ first: false })
    expect((await rights()).actions).not.toContain('readsuppression')
  })
})
