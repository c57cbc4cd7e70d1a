import { expect, test, vi } from 'vitest'
import { follow } from '#commands/store/follow.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { ReadModels } from '#projections/port.ts'
import { Readiness } from './readiness.ts'

const open = (status: Partial<ReturnType<ReadModels['status']>> = {}) => {
  const shown = { position: '5', behind: 0, lateWaits: 0, ready: true, ...status }
  let rooms: string | undefined
  const readiness = new Readiness(
    { status: () => shown } as ReadModels,
    { unready: () => rooms },
    { reason: () => undefined },
  )
  return {
    readiness,
    shown,
    loseSight: () => {
      rooms = 'the event log is out of sight'
    },
  }
}

test('a node is ready while its read models are and nothing it promised is missing', () => {
  const { readiness, shown } = open()
  expect(readiness.reason()).toBeUndefined()
  readiness.fellBehind('7')
  readiness.fellBehind('6')
  expect(readiness.reason()).toBe('the read models are behind')
  shown.position = '7'
  expect(readiness.reason()).toBeUndefined()
})

test('read models that are being built say why', () => {
  expect(open({ ready: false, reason: 'an event of a newer version' }).readiness.reason()).toBe(
    'an event of a newer version',
  )
  expect(open({ ready: false }).readiness.reason()).toBe('the read models are being built')
})

test('a node that is far behind says so, and is ready again when it has caught up', () => {
  const { readiness, shown } = open({ behind: 1999 })
  expect(readiness.reason()).toBeUndefined()
  shown.behind = 2000
  expect(readiness.reason()).toBe('the read models are far behind')
  shown.behind = 3
  expect(readiness.reason()).toBeUndefined()
})

test('a node that is going or has lost sight of the log takes no writes', () => {
  const { readiness, loseSight } = open()
  expect(readiness.writeRefusal).toBeUndefined()
  loseSight()
  expect([readiness.reason(), readiness.writeRefusal]).toEqual(['the event log is out of sight', 'store.unavailable'])
  readiness.leave()
  expect([readiness.isLeaving, readiness.reason()]).toEqual([true, 'draining'])
  expect(readiness.writeRefusal).toBe('store.unavailable')
  readiness.drain()
  expect([readiness.reason(), readiness.writeRefusal]).toEqual(['draining', 'server.draining'])
})

const away = {
  head: async () => {
    throw new Error('away')
  },
} as unknown as EventStore

test('a node is not ready while a follower of any of its stores has failed for 10 s [P-1493]', async () => {
  vi.useFakeTimers()
  const { readiness } = open()
  readiness.watch({} as EventStore)
  readiness.watch(away)
  const follower = follow(away, {
    name: 'channels',
    from: () => away.head(),
    event: () => undefined,
    failed: () => undefined,
  })
  await vi.advanceTimersByTimeAsync(9000)
  expect([readiness.reason(), readiness.followers()]).toEqual([undefined, [follower]])
  await vi.advanceTimersByTimeAsync(2000)
  expect(readiness.reason()).toBe('the follower of channels fails')
  await follower.stop()
  expect([readiness.reason(), readiness.followers()]).toEqual([undefined, []])
  vi.useRealTimers()
})
