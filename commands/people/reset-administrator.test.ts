import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bootstrap } from './bootstrap.ts'
import { ADMIN_PASSWORD, openPeopleBench, type PeopleBench } from './fixture/people-bench.ts'
import { resetAdministrator } from './reset-administrator.ts'
import { sessionId } from './session.ts'

let bench: PeopleBench
beforeEach(async () => {
  bench = await openPeopleBench()
})
afterEach(() => bench.close())

const signIn = async (username: string, password: string) => {
  const result = await bench.people.signIn({ username, password })
  return result.ok ? result.value.token : undefined
}

describe('the first start', () => {
  it('happens once: later starts make nobody and leave the password alone', async () => {
    const head = await bench.store.head()
    expect(await bootstrap({ ...bench, password: 'Another-1' })).toEqual({ first: false })
    expect(await bench.store.head()).toBe(head)
    expect(await signIn('admin', ADMIN_PASSWORD)).toBeDefined()
  })
})

describe('the way back in', () => {
  it('unlocks the first user, takes the second factor away, ends sessions and gives every right back', async () => {
    const { user, group, role } = bench.ids
    const session = sessionId((await signIn('admin', ADMIN_PASSWORD)) ?? '')
    await bench.must('user', 'create', '', { username: 'other', usergroup: [group] })
    await bench.must('user', 'change', user, { enabletwofactor: true, usergroup: [] })
    await bench.must('user', 'lock', user)
    await bench.must('role', 'change', role, { services: ['user', 'usergroup', 'role'], actions: [] })
    const { username, password } = await resetAdministrator(bench.store, bench.keys)
    expect(username).toBe('admin')
    expect(await signIn('admin', ADMIN_PASSWORD)).toBeUndefined()
    expect(await signIn('admin', password)).toBeDefined()
    expect(await bench.people.sessions.read(session)).toBeUndefined()
    expect(await bench.lookup.administrators()).toContain(user)
    expect((await bench.lookup.permissionsOfGroups([group])).has('deletebot')).toBe(true)
  })

  it('brings a removed user back, and makes a new one after a forgotten one', async () => {
    const { user, group } = bench.ids
    const other = { username: 'other', usergroup: [group] }
    await bench.must('user', 'create', '', other)
    await bench.must('user', 'remove', user, { confirm: 'CONFIRM' })
    expect(await signIn('admin', (await resetAdministrator(bench.store, bench.keys)).password)).toBeDefined()
    await bench.must('user', 'forget', user, { confirm: 'CONFIRM' })
    expect(await signIn('admin', (await resetAdministrator(bench.store, bench.keys)).password)).toBeDefined()
  })
})
