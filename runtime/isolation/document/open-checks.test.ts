import { afterAll, expect, test } from 'vitest'
import { openPool } from '../pool.ts'
import { openChecks } from './open-checks.ts'

const pool = openPool(1)
afterAll(() => pool.close())

const FILE = 'format: parley-test\nversion: 1\nname: t\ngiven: { channel: webchat }\nsteps:\n  - user: oi\n'

test('reads where each of 300 tests of a level begins, all asked for at once [P-1616]', async () => {
  const checks = openChecks(pool)
  const given = await Promise.all(Array.from({ length: 300 }, () => checks.given(FILE, 'l')))
  expect(given.filter(each => each === undefined)).toEqual([])
})
