import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { noticeStream } from '#schemas/events/notification.ts'
import { rowOf } from '#test/fixture/row-of.ts'
import { ApiTokenWatch } from './api-token-watch.ts'

const DAY_MS = 86_400_000
const END = Date.parse('2027-01-31T12:00:00.000Z')

let folder: string
let store: EventStore
let now: number
let commands: JsonObject[]
let watches: ApiTokenWatch[]
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-token-watch-'))
  store = await openEmbeddedStore({ folder })
  now = END - 20 * DAY_MS
  commands = []
  watches = []
})
afterEach(async () => {
  for (const watch of watches) watch.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const TOKENS = [
  rowOf('apitoken', 't', { name: 'Painel', serviceaccount: 's', user: null, expires: new Date(END).toISOString() }),
]
const ACCOUNT = rowOf('serviceaccount', 's', { name: 'Conta', owner: 'ana', enabled: true })

const openWatch = (user: JsonObject | null = { locked: false }): ApiTokenWatch => {
  const read = {
    list: async (_: unknown, entity: string) => {
      const items = entity === 'apitoken' ? TOKENS : [ACCOUNT]
      return { items, total: items.length }
    },
    detail: async (_: unknown, entity: string) => (entity === 'user' ? (user ?? undefined) : ACCOUNT),
  } as unknown as ConstructorParameters<typeof ApiTokenWatch>[0]['read']
  const execute = async ({ entity, action, id, input }: JsonObject) => {
    commands.push({ entity, action, id, input } as JsonObject)
    return { ok: true, id: String(id), revision: 2, position: '1' }
  }
  const watch = new ApiTokenWatch({
    ...{ store, read, now: () => now },
    commands: { execute } as unknown as ConstructorParameters<typeof ApiTokenWatch>[0]['commands'],
    failed: error => {
      throw error
    },
  })
  watches.push(watch)
  return watch
}
const notices = async (entity: string, id: string) => {
  const given: unknown[] = []
  for await (const { data } of store.read(noticeStream(entity, id)))
    given.push([data.message, (data.params as JsonObject).days, data.recipients])
  return given
}

test('notifies the owner once at each stage, from two nodes too, and records the end [P-2430]', async () => {
  const [one, other] = [openWatch(), openWatch()]
  for (const left of [15, 14, 13, 3, 2, 0, -1]) {
    now = END - left * DAY_MS
    await Promise.all([one.look(), other.look()])
    await one.look()
  }
  expect(await notices('apitoken', 't')).toEqual([
    ['apitoken.expiring', 14, ['ana']],
    ['apitoken.expiring', 3, ['ana']],
    ['apitoken.expired', 0, ['ana']],
  ])
  expect(commands[0]).toEqual({ entity: 'apitoken', action: 'expire', id: 't', input: {} })
})

test.each([
  ['locked', { locked: true }],
  ['removed', null],
])('disables a service account whose owner is %s, and notifies its readers [P-2433]', async (_, user) => {
  await openWatch(user).look()
  expect(commands).toEqual([{ entity: 'serviceaccount', action: 'change', id: 's', input: { enabled: false } }])
  expect(await notices('serviceaccount', 's')).toEqual([['serviceaccount.disabled', undefined, undefined]])
})
