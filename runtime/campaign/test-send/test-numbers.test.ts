import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { NewContact } from '../audience/audience.ts'
import type { StoredAudience } from '../audience/open-audience.ts'
import { MAX_TESTS, TestNumbers } from './test-numbers.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const folder = mkdtempSync(join(tmpdir(), 'parley-test-numbers-'))
let store: EventStore
beforeAll(async () => {
  store = await openEmbeddedStore({ folder })
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

/** An audience in memory that holds one contact at most. */
const memoryAudience = () => {
  let held: NewContact | undefined
  return {
    index: { count: () => (held === undefined ? 0 : 1), member: () => held },
    add: async (_audience: string, [contact]: readonly NewContact[]) => {
      held ??= contact
      return { contacts: [{ contact: 'n1', isDuplicate: false }] }
    },
    change: async (_audience: string, _contact: string, next: NewContact) => {
      held = next
      return true
    },
    open: async () => new Map(held === undefined ? [] : [['n1', held]]),
    digest: (text: string) => text,
  } as unknown as StoredAudience
}

test('takes a code for ten minutes, and a verified number gets no other one [P-2150]', async () => {
  let now = Date.parse('2026-12-01T12:00:00Z')
  const numbers = new TestNumbers(memoryAudience(), store, () => now)
  const contact: NewContact = { phone: '+5511987650001', nome: '', fields: {}, country: 'BR', aliases: [] }
  const begin = () => numbers.begin('l1', contact, null)
  const first = (await begin())?.code ?? ''
  now += 10 * MINUTE_MS
  expect(await numbers.verify('l1', 'n1', first, null)).toBe(false)
  const second = (await begin())?.code ?? ''
  now += 10 * MINUTE_MS - 1
  expect(await numbers.verify('l1', 'n1', second, null)).toBe(true)
  expect(await begin()).toBeUndefined()
})

test('admits no test beyond twenty of a campaign until 24 hours have passed [P-2150]', async () => {
  let now = Date.parse('2026-12-01T12:00:00Z')
  const numbers = new TestNumbers(memoryAudience(), store, () => now)
  expect(await numbers.admit('c1', MAX_TESTS - 1)).toBe(true)
  now += 1
  expect([await numbers.admit('c1', 2), await numbers.admit('c1', 1)]).toEqual([false, true])
  expect([await numbers.admit('c1', 1), await numbers.admit('c2', 1)]).toEqual([false, true])
  now += DAY_MS - 1
  expect([await numbers.admit('c1', MAX_TESTS), await numbers.admit('c1', MAX_TESTS - 1)]).toEqual([false, true])
})
