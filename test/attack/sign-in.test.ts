import { expect, test } from 'vitest'
import { openAdmin } from '#test/api/open-parley.ts'
import type { Answer, Client } from '../api/harness.ts'
import { PASSWORD, person } from '../api/people.ts'

const { parley, admin } = await openAdmin({ env: { TRUSTED_PROXIES: '127.0.0.1', LOGIN_ATTEMPTS: '5' } })
const root = String((await admin.get('/userhierarchy')).body.hierarchylevel)
for (const username of ['ana', 'bia', 'eva', 'leo'])
  await person(parley, admin, { username, level: root, actions: ['readbot'] })

const KNOWN = `${PASSWORD}x`
let addresses = 0
/** A new source address for each call. */
const from = (address = `198.51.${Math.floor(++addresses / 250)}.${addresses % 250}`) => ({
  'x-forwarded-for': address,
})
const login = (username: string, password: string, headers = from()) =>
  parley.anyone.post('/auth/login', { username, password }, headers)
const told = ({ status, body }: Answer) => ({ status, code: body.code, detail: body.detail, params: body.params })

test('reveals in no call whether a name exists: in words, status or headers', async () => {
  const calls = (username: string): readonly Promise<Answer>[] => [
    login(username, 'Errada-2026!'),
    parley.anyone.post('/user/register2fa', { username, password: 'Errada-2026!' }, from()),
    parley.anyone.post('/user/verify2fa', { username, password: 'Errada-2026!', token: '123456' }, from()),
    parley.anyone.post(
      '/user/password',
      { username, old: 'Errada-2026!', new: 'Nova-2026!x', confirm: 'Nova-2026!x' },
      from(),
    ),
  ]
  const answers = async (username: string) => {
    const all: Answer[] = []
    for (const call of calls(username)) all.push(await call)
    return all.map(answer => ({
      ...told(answer),
      headers: [...answer.headers.keys()].filter(name => name !== 'keep-alive').sort(),
    }))
  }
  expect(await answers('ana')).toEqual(await answers('ninguém'))
})

test('offers no link for a new password without a mail server [P-2785]', async () => {
  expect((await parley.anyone.get('/instance')).body).toMatchObject({ mail: false })
  for (const username of ['ana', 'ninguém']) {
    const { status, body } = await parley.anyone.post('/user/password/forgot', { username }, from())
    expect([status, body.code]).toEqual([409, 'mail.off'])
  }
})

test('nor by the time it takes', async () => {
  // When names that are there and names that are not take turns
  const took = async (name: string) => {
    const began = performance.now()
    await login(name, 'Errada-2026!')
    const time = performance.now() - began
    await login('bia', KNOWN)
    return time
  }
  const known: number[] = []
  const unknown: number[] = []
  for (let n = 0; n < 9; n++) {
    known.push(await took(n % 2 === 0 ? 'bia' : 'BIA'))
    unknown.push(await took(`ninguem${n}`))
  }

  // Then a refusal comes after whole steps of 150 ms: the fastest of both, which the machine has delayed least, within one of them.
  const [there, nowhere] = [Math.min(...known), Math.min(...unknown)]
  expect(Math.min(there, nowhere)).toBeGreaterThan(145)
  expect(Math.abs(there - nowhere)).toBeLessThan(170)
}, 60_000)

test('guesses at one name are counted wherever they come from, many at once included, and the right one comes too late', async () => {
  const guesses = await Promise.all(Array.from({ length: 7 }, (_, n) => login('eva', `Tentativa-${n}!`)))
  const counted = guesses.filter(({ status }) => status === 401).length
  expect(counted).toBeLessThanOrEqual(5)
  expect(guesses.every(({ status }) => [401, 423, 429].includes(status))).toBe(true)
  expect((await login('eva', KNOWN)).status).toBe(423)
}, 60_000)

test('guesses at many names from one network are stopped, however many addresses it has', async () => {
  let refused: Answer | undefined
  for (let round = 0; round < 10 && refused === undefined; round++) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        login(`nome${round}-${n}`, 'Senha-2026!', from(`2001:db8:0:7::${round}:${n + 1}`)),
      ),
    )
    refused = answers.find(({ status }) => status === 429)
  }
  expect(refused).toMatchObject({ status: 429, body: { code: 'request.toomany' } })
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  // Others are not held up by it.
  expect((await login('leo', KNOWN, from('2001:db8:0:8::1'))).status).toBe(200)
}, 60_000)

test('stops password guesses with a stolen session, from any number of addresses', async () => {
  const thief = await parley.signIn('leo', KNOWN)
  let last: Answer | undefined
  for (let round = 0; round < 9 && last?.status !== 429; round++) {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        thief.post(
          '/user/password',
          { old: `Chute-${round}-${n}!`, new: 'Nova-2026!x', confirm: 'Nova-2026!x' },
          from(),
        ),
      ),
    )
    last = answers.find(({ status }) => status === 429) ?? answers[0]
  }
  expect(last).toMatchObject({ status: 429, body: { code: 'request.toomany' } })
}, 60_000)

test('lists the sessions of a person and ends the others, never those of other people', async () => {
  // Given three sessions of one person and one of another
  await person(parley, admin, { username: 'ivo', level: root, actions: ['readbot'] })
  const [here, there, third] = [
    await parley.signIn('ivo', KNOWN),
    await parley.signIn('ivo', KNOWN),
    await parley.signIn('ivo', KNOWN),
  ]
  const others = await parley.signIn('ana', KNOWN)
  const sessions = async (client: Client) =>
    (await client.get('/auth/session')).body.items as unknown as { id: string; current: boolean; started: string }[]
  const current = async (client: Client) => (await sessions(client)).find(one => one.current)?.id
  const foreign = await current(others)

  // When each of them is named
  expect((await sessions(here)).filter(one => one.current)).toHaveLength(1)
  const named = await here.post('/auth/session/end', { ids: [await current(there), foreign, 'nobody'] })

  // Then only one's own ends, and its token counts no more
  expect(named.status).toBe(204)
  expect((await there.get('/auth/user')).status).toBe(401)
  expect((await others.get('/auth/user')).status).toBe(200)
  expect((await sessions(others)).map(({ id }) => id)).not.toContain(await current(here))
  expect((await here.post('/auth/session/end', { others: true })).status).toBe(204)
  expect((await third.get('/auth/user')).status).toBe(401)
  expect(await sessions(here)).toMatchObject([{ current: true, id: await current(here) }])
  expect((await here.post('/auth/session/end', {})).status).toBe(422)
})
