import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { noticeStream } from '#schemas/events/notification.ts'
import { type DeskNotice, openDeskNotices } from './desk-notices.ts'

afterEach(() => vi.useRealTimers())

test('gives the same notice of several nodes once in a minute [P-2152]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-desk-notices-'))
  const store = await openEmbeddedStore({ folder })
  const failed: unknown[] = []
  const open = () => openDeskNotices({ store, log: { error: error => void failed.push(error) } })
  const given = async () => {
    const found: unknown[] = []
    for await (const { data } of store.read(noticeStream('deskqueue', 'q1'), { direction: 'forwards' }))
      found.push([data.message, data.recipients])
    return found
  }
  const goal: DeskNotice = { message: 'desk.goal', queue: 'q1', users: ['u2', 'u1'], conversation: 'a' }
  vi.useFakeTimers({ toFake: ['Date'] })
  for (const give of [open(), open()]) give(goal)
  open()({ ...goal, users: ['u3'] })
  open()({ ...goal, queue: '' })
  await vi.waitFor(async () => expect(await given()).toHaveLength(2))
  vi.setSystemTime(Date.now() + 59_000)
  open()(goal)
  vi.setSystemTime(Date.now() + 2_000)
  open()({ ...goal, conversation: 'b' })
  open()(goal)
  await vi.waitFor(async () => expect(await given()).toHaveLength(4))
  expect((await given()).slice(2)).toEqual(Array.from({ length: 2 }, () => ['desk.goal', ['u1', 'u2']]))
  expect(failed).toEqual([])
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})
