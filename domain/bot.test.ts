import { expect, test } from 'vitest'
import { nextStatus } from './bot.ts'

const none = { needed: 0, up: 0 }

test('a bot starts at once, waits for the services it needs, or runs when they are up', () => {
  expect(nextStatus('stopped', 'start', none)).toBe('started')
  expect(nextStatus('stopped', 'start', { needed: 2, up: 1 })).toBe('pending')
  expect(nextStatus('stopped', 'start', { needed: 2, up: 2 })).toBe('running')
})

test('fixing and restarting look at the services anew', () => {
  expect(nextStatus('pending', 'fix', { needed: 1, up: 1 })).toBe('running')
  expect(nextStatus('running', 'restart', { needed: 1, up: 0 })).toBe('pending')
  expect(nextStatus('started', 'stop', none)).toBe('stopped')
})

test('what is stopped can only be started', () => {
  expect(nextStatus('stopped', 'restart', none)).toBeUndefined()
  expect(nextStatus('stopped', 'fix', none)).toBeUndefined()
})
