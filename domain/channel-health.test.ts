import { expect, test } from 'vitest'
import { channelHealth, type HealthSlot } from './channel-health.ts'

type HealthSignals = Parameters<typeof channelHealth>[0]

const NOW = Date.UTC(2026, 10, 28, 12)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const slot = (kind: HealthSlot['kind'], ago: number, count = 1): HealthSlot => ({
  ...{ kind, count, at: NOW - ago, last: NOW - ago },
})
const USED = [slot('in', 4 * MINUTE), slot('sent', 3 * MINUTE), slot('receipt', 2 * MINUTE)]
const health = (more: Partial<HealthSignals> = {}) =>
  channelHealth({ now: NOW, isEnabled: true, missing: [], slots: USED, unrouted: 0, ...more })
const hourly = (last: number) => Array.from({ length: 6 }, (_, at) => slot('in', last + (5 - at) * 20 * MINUTE))

test.each<[string, Partial<HealthSignals>, string]>([
  ['works', {}, 'ok  '],
  ['is disabled', { isEnabled: false }, 'off  '],
  ['misses a field', { missing: ['auth_token'] }, 'incomplete missing auth_token'],
  ['was never called', { slots: [] }, 'new  '],
  ['lost its credentials', { refused: { code: '190', since: NOW } }, 'error unauthorized 190'],
  ['failed 5 of 25', { slots: [slot('failed', MINUTE, 5), slot('sent', MINUTE, 20)] }, 'error failures 5'],
  ['failed 5 of 26', { slots: [...USED, slot('failed', MINUTE, 5), slot('sent', MINUTE, 20)] }, 'ok  '],
  ['failed 4 of 4', { slots: [...USED, slot('failed', MINUTE, 4)] }, 'ok  '],
  ['failed before', { slots: [...USED, slot('failed', 11 * MINUTE, 9)] }, 'ok  '],
  ['hears only strangers', { unproven: { first: NOW - 11 * MINUTE, last: NOW, count: 3 } }, 'error unproven 3'],
  ['heard a stranger just now', { unproven: { first: NOW - MINUTE, last: NOW, count: 3 } }, 'ok  '],
  ['has a token for 13 days', { tokenEnds: NOW + 13 * 24 * HOUR }, 'warning token 13'],
  ['has a token for 15 days', { tokenEnds: NOW + 15 * 24 * HOUR }, 'ok  '],
  ['is rated badly', { quality: 'RED' }, 'warning quality RED'],
  ['gets events that are not its own', { unrouted: 2 }, 'warning unrouted 2'],
  ['has no receipts', { slots: [slot('receipt', 2 * HOUR), slot('sent', 40 * MINUTE, 20)] }, 'warning receipts '],
  ['has none of few', { slots: [slot('receipt', 2 * HOUR), slot('sent', 40 * MINUTE, 19)] }, 'ok  '],
  ['could not take a file', { fileRefused: NOW - HOUR }, 'warning files '],
  ['is silent for 3 usual gaps', { slots: hourly(61 * MINUTE) }, 'quiet quiet '],
  ['is silent for less than an hour', { slots: hourly(59 * MINUTE) }, 'ok  '],
])('health of a channel that %s [P-1750]', (_, signals, told) => {
  const { state, code, detail } = health(signals)
  expect(`${state} ${code} ${detail}`).toBe(told)
})
