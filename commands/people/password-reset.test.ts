import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ADMIN_PASSWORD, openPeopleBench, type PeopleBench } from './fixture/people-bench.ts'
import { RESET_PREFIX, resetToken } from './password-reset.ts'

const NEW = 'Outra-Senha-2026!'
const MINUTE_MS = 60_000
let bench: PeopleBench
beforeEach(async () => {
  bench = await openPeopleBench()
  await bench.must('user', 'change', bench.ids.user, { email: 'admin@aurora.example' })
})
afterEach(() => bench.close())

/** Wishes that are stored, in their order. */
const wishes = async () => {
  const found = []
  for await (const event of bench.store.readAll({ filter: { streamPrefixes: [RESET_PREFIX] } })) found.push(event)
  return found
}
const link = async (name = 'admin') => {
  await bench.people.askReset(name)
  const wish = (await wishes()).at(-1)
  if (wish === undefined) throw new Error('no wish')
  return { issued: await bench.people.issueReset(wish), token: await resetToken(bench.keys, wish.id) }
}
const use = (token: string) => bench.people.useReset({ token, new: NEW, confirm: NEW })

describe('a link for a new password', () => {
  it('works for 30 minutes and not a moment longer [P-2783]', async () => {
    const late = await link()
    bench.later(30 * MINUTE_MS)
    expect(await use(late.token)).toMatchObject({ refusal: { code: 'auth.reset' } })
    const { token } = await link()
    bench.later(30 * MINUTE_MS - 1)
    expect(await use(token)).toMatchObject({ ok: true })
    expect(await use(token)).toMatchObject({ refusal: { code: 'auth.reset' } })
  })

  it('is used by one of many at once', async () => {
    const { token } = await link()
    const passwords = Array.from({ length: 5 }, (_, n) => `${NEW}${n}`)
    const done = await Promise.all(passwords.map(one => bench.people.useReset({ token, new: one, confirm: one })))
    expect(done.filter(({ ok }) => ok)).toHaveLength(1)
  })

  it('ends with another change of the password, and with a lock', async () => {
    const first = await link()
    await bench.must('user', 'resetpassword', bench.ids.user)
    expect(await use(first.token)).toMatchObject({ refusal: { code: 'auth.reset' } })
    const { id } = await bench.must('user', 'create', '', {
      ...{ username: 'ana', email: 'ana@aurora.example', password: ADMIN_PASSWORD },
    })
    const { token } = await link('ana')
    await bench.must('user', 'lock', id)
    expect(await use(token)).toMatchObject({ refusal: { code: 'auth.reset' } })
  })

  it('ends with another change of the password within the same second', async () => {
    await use((await link()).token)
    const [second, third] = [await link(), await link()]
    const set = (token: string, password: string) => bench.people.useReset({ token, new: password, confirm: password })
    expect(await set(second.token, `${NEW}2`)).toMatchObject({ ok: true })
    expect(await set(third.token, `${NEW}3`)).toMatchObject({ refusal: { code: 'auth.reset' } })
  })

  it('is not stored, and its wish has no name [P-2784]', async () => {
    const { token } = await link('Admin')
    const stored = []
    for await (const { stream, data } of bench.store.readAll({ filter: { streamPrefixes: ['request-'] } }))
      stored.push(stream, JSON.stringify(data))
    expect(stored.length).toBeGreaterThan(3)
    for (const text of stored) {
      expect(text).not.toContain(token)
      expect(text.toLowerCase()).not.toContain('admin')
    }
  })

  it('is made for 3 wishes an hour under a name, in any spelling', async () => {
    for (const name of ['admin', 'ADMIN', 'admin', 'Admin']) await bench.people.askReset(name)
    expect(await wishes()).toHaveLength(3)
    bench.later(60 * MINUTE_MS)
    await bench.people.askReset('admin')
    expect(await wishes()).toHaveLength(4)
  })

  it('is made for no unknown name, and for nobody without a password', async () => {
    expect((await link('nobody')).issued).toBeUndefined()
    const { id } = await bench.must('user', 'create', '', { username: 'ana', email: 'ana@aurora.example' })
    expect((await link('ana')).issued).toBeUndefined()
    await bench.must('user', 'change', id, { password: ADMIN_PASSWORD })
    expect((await link('ana')).issued).toMatchObject({ user: id })
    await bench.must('user', 'lock', id)
    expect((await link('ana')).issued).toBeUndefined()
  })
})
