import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { audienceStream, suppressionStream, uploadRowsStream } from '#schemas/events/campaign.ts'
import { processorMs } from '#test/fixture/processor-clock.ts'
import { storedDigests } from './audience.ts'
import { AudienceIndex } from './audience-index.ts'

const ROWS = 5_000
const folder = mkdtempSync(join(tmpdir(), 'audience-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let position = 0
const event = (stream: string, type: string, data: JsonObject): StoredEvent => {
  position += 1
  const at = String(position).padStart(8, '0')
  const time = '2026-11-28T12:00:00.000Z'
  return { stream, type, data, position: at, time, actor: null } as unknown as StoredEvent
}

test('shows an upload as a whole while its rows are added, and completes it after a crash [P-1675]', async () => {
  const file = join(folder, 'a.sqlite')
  const index = new AudienceIndex(file)
  const stream = uploadRowsStream('u')
  const rows = Array.from({ length: ROWS }, (_, n) => ({
    ...{ contact: `c${n}`, phone: `p${n}`, aliases: [], country: 'BR', sealed: 's' },
  }))
  await index.apply('log', event(audienceStream('k'), 'AudienceBegun', { key: {} }))
  await index.apply('log', event(audienceStream('k'), 'ContactsAdded', { rows: rows.slice(0, 1) }))
  await index.apply('log', event(stream, 'UploadReceived', { campaign: 'k', digest: 'd', file: 'f' }))
  await index.apply('log', event(stream, 'UploadRows', { rows }))
  const completed = event(stream, 'UploadCompleted', { fields: {} })

  let isDone = false
  const completing = Promise.resolve(index.apply('log', completed)).finally(() => {
    isDone = true
  })
  const copy = join(folder, 'b.sqlite')
  let turns = 0
  while (!isDone) {
    expect(index.count('k')).toBe(1)
    expect(index.memberWith('k', storedDigests(['p1']))).toBeUndefined()
    expect(index.page('k', 0, 10)).toHaveLength(1)
    expect(
      index.contactsIn(
        'k',
        ['p0', 'p1', 'p2'].map(digest => storedDigests([digest])),
      ).size,
    ).toBe(1)
    expect(index.uploadWith('k', 'd')).toBeUndefined()
    turns += 1
    if (turns === 3) for (const end of ['', '-wal']) copyFileSync(file + end, copy + end)
    await nextTurn()
  }
  await completing
  expect(turns).toBeGreaterThan(3)

  const crashed = new AudienceIndex(copy)
  expect(crashed.position('log')).not.toBe(completed.position)
  await crashed.apply('log', completed)
  for (const each of [index, crashed]) {
    await each.apply('log', completed)
    expect(each.count('k')).toBe(ROWS)
    expect(each.addedBy('u')).toBe(ROWS - 1)
    expect(
      each.contactsIn(
        'k',
        ['p0', 'p1', 'p2', 'other'].map(digest => storedDigests([digest])),
      ).size,
    ).toBe(3)
    expect(each.newest('k', 0, 1)).toMatchObject([{ contact: `c${ROWS - 1}`, upload: 'u' }])
    await each.close()
  }
})

test('finds the suppressions of a person as fast in a long list as in a short one [P-1948]', async () => {
  const index = new AudienceIndex(join(folder, 'c.sqlite'))
  const suppress = (list: string, name: string) =>
    index.apply(
      'log',
      event(suppressionStream(list), 'ContactSuppressed', { category: 'marketing', person: [name], source: 'import' }),
    )
  for (let n = 0; n < 4; n += 1) await suppress('short', `s${n}`)
  for (let n = 0; n < ROWS; n += 1) await suppress('long', `l${n}`)
  const people = Array.from({ length: 200 }, (_, n) => storedDigests([`l${ROWS - 1 - n}`, `x${n}`]))
  const timeOf = (list: string) => {
    const began = processorMs()
    const found = people.filter(person =>
      index.suppressions.isSuppressed({ lists: [list], category: 'marketing' }, person),
    )
    return { found: found.length, ms: processorMs() - began }
  }
  timeOf('short')
  const fastest = (list: string) => Math.min(...[1, 2, 3].map(() => timeOf(list).ms))
  expect([timeOf('short').found, timeOf('long').found]).toEqual([0, people.length])
  // A scan of the long list takes several hundred times as long.
  expect(fastest('long') / fastest('short')).toBeLessThan(20)
  await index.close()
}, 60_000)
