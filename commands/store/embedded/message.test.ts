import { expect, it } from 'vitest'
import { StoreCorrupt, StoreReadOnly, StoreUnavailable, StreamTombstoned, WrongRevision } from '../port.ts'
import { fromFailure, storageError, toFailure } from './message.ts'

const sqlite = (errcode: number) => Object.assign(new Error('as SQLite says'), { errcode })

it.each([
  [11, StoreCorrupt],
  [26, StoreCorrupt],
  [13, StoreReadOnly],
  [8 | (1 << 8), StoreReadOnly],
  [14, StoreReadOnly],
  [10 | (3 << 8), StoreReadOnly],
  [10 | (4 << 8), StoreUnavailable],
  [10 | (1 << 8), StoreUnavailable],
  [5, StoreUnavailable],
])('reads SQLite’s code %i as what it means to the caller', (code, meaning) => {
  expect(storageError(sqlite(code), 'events.sqlite')).toBeInstanceOf(meaning)
})

it('reads a refusal of the file system as read-only and leaves every other error as it is', () => {
  expect(storageError(Object.assign(new Error('full'), { code: 'ENOSPC' }), 'f')).toBeInstanceOf(StoreReadOnly)
  const bug = new TypeError('bug')
  expect(storageError(bug, 'f')).toBe(bug)
})

it('brings errors across a thread as the classes they were', () => {
  const wrong = new WrongRevision('bot-1', 3, 4)
  for (const error of [wrong, new StreamTombstoned('bot-1'), new StoreCorrupt('x'), new Error('y')]) {
    const crossed = fromFailure(structuredClone(toFailure(error)))
    expect(crossed).toEqual(error)
    expect(crossed.constructor).toBe(error.constructor)
  }
  expect(fromFailure(toFailure(wrong))).toMatchObject({ stream: 'bot-1', expected: 3, actual: 4 })
})
