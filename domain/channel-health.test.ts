import { expect, test } from 'vitest'
import { idleFields } from '#schemas/channel-type.ts'
import { channelBehaviour } from './channel.ts'
import {
  channelHealth,
  channelStanding,
  failureCause,
  type HealthSlot,
  isThrottle,
  restrictionIn,
  type Trouble,
} from './channel-health.ts'

type HealthSignals = Parameters<typeof channelHealth>[0]

const NOW = Date.UTC(2026, 10, 28, 12)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const slot = (kind: HealthSlot['kind'], ago: number, count = 1): HealthSlot => ({
  ...{ kind, count, at: NOW - ago, last: NOW - ago },
})
const USED = [slot('in', 4 * MINUTE), slot('sent', 3 * MINUTE), slot('receipt', 2 * MINUTE)]
const health = (more: Partial<HealthSignals> = {}) =>
  channelHealth({
    ...{ now: NOW, type: 'whatsapp_meta', isEnabled: true },
    ...{ missing: [], slots: USED, unrouted: 0 },
    ...more,
  })
const NUMBER = { quality: 'GREEN', status: 'CONNECTED', restriction: '' }
const trouble = (cause: Trouble['cause'], code: string, ago = MINUTE): Partial<HealthSignals> => ({
  trouble: { cause, code, since: NOW - ago, last: NOW - ago },
})
const hourly = (last: number) => Array.from({ length: 6 }, (_, at) => slot('in', last + (5 - at) * 20 * MINUTE))

test.each<[string, Partial<HealthSignals>, string]>([
  ['works', {}, 'ok  '],
  ['is disabled', { isEnabled: false }, 'off  '],
  ['misses a field', { missing: ['auth_token'] }, 'incomplete missing auth_token'],
  ['was never called', { slots: [] }, 'new  '],
  ['lost its credentials', { refused: { code: '190', since: NOW } }, 'error unauthorized 190'],
  ['is not called by its provider', { unconnected: { reason: 'bad host', since: NOW } }, 'error unconnected bad host'],
  ['failed 5 of 25', { slots: [slot('failed', MINUTE, 5), slot('sent', MINUTE, 20)] }, 'error failures 5'],
  ['failed 5 of 26', { slots: [...USED, slot('failed', MINUTE, 5), slot('sent', MINUTE, 20)] }, 'ok  '],
  ['failed 4 of 5', { slots: [...USED, slot('failed', MINUTE, 4)] }, 'ok  '],
  ['failed before', { slots: [...USED, slot('failed', 11 * MINUTE, 9)] }, 'ok  '],
  ['hears only strangers', { unproven: { first: NOW - 11 * MINUTE, last: NOW, count: 3 } }, 'error unproven 3'],
  ['heard a stranger just now', { unproven: { first: NOW - MINUTE, last: NOW, count: 3 } }, 'ok  '],
  ['has a token for 13 days', { tokenEnds: NOW + 13 * 24 * HOUR }, 'warning token 13'],
  ['has a token for 15 days', { tokenEnds: NOW + 15 * 24 * HOUR }, 'ok  '],
  ['is rated badly', { number: { ...NUMBER, quality: 'RED' } }, 'warning quality RED'],
  ['gets events that are not its own', { unrouted: 2 }, 'warning unrouted 2'],
  ['has no receipts', { slots: [slot('receipt', 2 * HOUR), slot('sent', 40 * MINUTE, 20)] }, 'warning receipts '],
  ['has none of few', { slots: [slot('receipt', 2 * HOUR), slot('sent', 40 * MINUTE, 19)] }, 'ok  '],
  ['could not take a file', { fileRefused: NOW - HOUR }, 'warning files '],
  ['has no receipts of a type without them', { type: 'microsoft', slots: [slot('sent', 40 * MINUTE, 20)] }, 'ok  '],
  ['is silent for 3 usual gaps', { slots: hourly(61 * MINUTE) }, 'quiet quiet '],
  ['is silent for less than an hour', { slots: hourly(59 * MINUTE) }, 'ok  '],
])('health of a channel that %s [P-1750]', (_, signals, told) => {
  const { state, code, detail } = health(signals)
  expect(`${state} ${code} ${detail}`).toBe(told)
})

test.each<[string, Partial<HealthSignals>, string]>([
  ['failed with all 4 answers', { slots: [slot('in', MINUTE), slot('failed', MINUTE, 4)] }, 'warning unaccepted 4'],
  ['failed with its only answer', { slots: [slot('in', HOUR), slot('failed', HOUR)] }, 'warning unaccepted 1'],
  ['failed with all 5 answers', { slots: [slot('in', MINUTE), slot('failed', MINUTE, 5)] }, 'error failures 5'],
  ['had 5 failures an hour ago and nothing since', { slots: [slot('failed', HOUR, 5)] }, 'error failures 5'],
  [
    'failed with 5 of 25 an hour ago and nothing since',
    { slots: [slot('sent', 61 * MINUTE, 20), slot('failed', HOUR, 5)] },
    'error failures 5',
  ],
  ['sent after 5 failures', { slots: [slot('failed', HOUR, 5), slot('sent', 50 * MINUTE)] }, 'ok  '],
])('health of a channel that %s is not that it works until an answer is accepted [P-2204]', (_, signals, told) => {
  const { state, code, detail } = health(signals)
  expect(`${state} ${code} ${detail}`).toBe(told)
})

test.each<[string, Partial<HealthSignals>, string]>([
  ['is throttled', trouble('limit', '130429'), 'failing limit 130429'],
  ['cannot be reached', trouble('unreachable', 'ECONNREFUSED'), 'failing unreachable ECONNREFUSED'],
  ['was refused on another node', trouble('credentials', '190'), 'error unauthorized 190'],
  ['failed the test of its token', { token: { code: 'http.401', since: NOW } }, 'error unauthorized http.401'],
  ['passed a test after that', { ...trouble('credentials', '190'), proven: NOW }, 'ok  '],
  [
    'passed a test of the token before that',
    { ...trouble('credentials', '190'), proven: NOW - HOUR },
    'error unauthorized 190',
  ],
  ['passed a test that proves no limit', { ...trouble('limit', '4'), proven: NOW }, 'failing limit 4'],
  ['failed a day ago', trouble('provider', 'http.503', 25 * HOUR), 'ok  '],
  ['is of a stopped bot', { isStopped: true }, 'stopped stopped '],
  ['is disabled and of a stopped bot', { isEnabled: false, isStopped: true }, 'off  '],
])('health of a channel that %s, with the begin of its failures [P-1960]', (_, signals, told) => {
  const { state, code, detail, since } = health(signals)
  expect(`${state} ${code} ${detail}`).toBe(told)
  expect(since).toBe(state === 'failing' || state === 'error' ? (signals.trouble ?? signals.token)?.since : undefined)
})

const DAY = 24 * HOUR
const iso = (time: number) => new Date(time).toISOString()

test.each<[string, Partial<NonNullable<HealthSignals['number']>>, string]>([
  ['whose number is banned', { status: 'BANNED' }, 'error banned '],
  ['whose account is banned', { restriction: 'BANNED' }, 'error banned '],
  ['whose number moved away', { status: 'MIGRATED' }, 'error removed MIGRATED'],
  ['whose account is no longer at Meta', { restriction: 'REMOVED' }, 'error removed '],
  [
    'that may not answer until tomorrow',
    { restriction: 'NO_ANSWERS', restrictionAt: NOW + DAY },
    `error noanswers ${iso(NOW + DAY)}`,
  ],
  ['that might not answer until yesterday', { restriction: 'NO_ANSWERS', restrictionAt: NOW - DAY }, 'ok  '],
  ['that may not write first', { restriction: 'NO_TEMPLATES' }, 'warning notemplates '],
  [
    'that will be banned',
    { restriction: 'BAN_PLANNED', restrictionAt: NOW + DAY },
    `warning banplanned ${iso(NOW + DAY)}`,
  ],
  ['whose number is restricted', { status: 'RESTRICTED' }, 'warning limited RESTRICTED'],
  ['whose limit was lowered a day ago', { lowered: { people: 250, at: NOW - DAY } }, 'warning tier 250'],
  ['whose limit was lowered 8 days ago', { lowered: { people: 250, at: NOW - 8 * DAY } }, 'ok  '],
  ['in a state that nobody knows', { status: 'NEW_WORD', restriction: 'NEW_WORD' }, 'ok  '],
])('health of a channel %s says what Meta decided [P-2926]', (_, number, told) => {
  const { state, code, detail } = health({ number: { ...NUMBER, ...number } })
  expect(`${state} ${code} ${detail}`).toBe(told)
})

test.each([
  ['policy-enforcement', { action: 'block', reason: 'Spam' }, 'error banned Spam'],
  ['policy_enforcement', { action: 'block' }, 'error banned '],
  ['policy_enforcement', { action: 'unblock' }, 'ok  '],
  ['policy_enforcement', { action: 'new word' }, undefined],
  ['account_update', { event: 'ACCOUNT_DELETED' }, 'error removed '],
  ['account_update', { event: 'ACCOUNT_RECONNECTED' }, 'ok  '],
  ['account_update', { event: 'PARTNER_ADDED' }, undefined],
  ['app_roles', { action: 'block' }, undefined],
])('%s %j is kept for the health of its channel [P-2928]', (name, data, told) => {
  const restriction = restrictionIn(name, data, iso(NOW))
  const { state, code, detail } = health({ number: channelStanding(restriction) })
  expect(restriction === undefined ? undefined : `${state} ${code} ${detail}`).toBe(told)
})

test('a message that was accepted after it was announced shows that a block ended [P-2928]', () => {
  const number = channelStanding(restrictionIn('policy_enforcement', { action: 'block' }, iso(NOW - HOUR)))
  const after = (minutes: number) => health({ number, slots: [slot('sent', minutes * MINUTE)] }).code
  expect([after(61), after(59)]).toEqual(['banned', ''])
})

test.each([
  ['account_id', { code: 'BANNED' }, null],
  ['sender_number', { code: 'BANNED' }, null],
  ['metaaccount', { code: 'BANNED' }, null],
  ['name', { code: 'BANNED' }, undefined],
  ['account_id', null, undefined],
])('a change of %s with the restriction %j stores %j [P-2937]', (name, restriction, stored) => {
  const fields = { type: 'whatsapp_gupshup', enable: false, account_id: '1', sender_number: '1', restriction }
  const outcome = channelBehaviour.onChange({ fields } as never, { [name]: '2' }, { facts: { id: 'c1' } } as never)
  expect(outcome.ok && (outcome.value as { readonly restriction?: unknown }).restriction).toBe(stored)
})

test.each([
  ['credentials', ['190', '0', '20003', 'http.401', 'http.403', 'channel.token']],
  ['limit', ['http.429', '130429', '4', '20429']],
  ['unreachable', ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ECONNRESET', 'outbound.unknown']],
  ['certificate', ['outbound.certificate', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT']],
  ['timeout', ['outbound.timeout', 'http.408', 'ETIMEDOUT']],
  ['provider', ['http.500', 'http.502', 'http.503', '131016']],
  ['account', ['131031', '131042', '368', '131048', '30002', '1003', '61', 'REJECTED_NOT_ENOUGH_CREDITS']],
  ['settings', ['http.404', 'outbound.address', 'channel.profile']],
  [undefined, ['131026', '131047', '100', '551', '21610', 'channel.message', 'window', 'http.400']],
] as const)('the cause of a failed delivery is %s by its code [P-1961]', (cause, codes) => {
  expect(codes.map(failureCause)).toEqual(codes.map(() => cause))
})

test.each([
  [{ type: 'whatsapp_twilio' }, ['media_id', 'account_key']],
  [{ type: 'whatsapp_meta' }, ['username', 'password', 'sender_number', 'media_id', 'account_key']],
  [{ type: 'whatsapp_gupshup', username: 'u', media_id: '1' }, ['password', 'account_key']],
  [
    { type: 'whatsapp_meta', metaaccount: 'a', auth_token: 't' },
    ['username', 'password', 'sender_number', 'media_id', 'account_key', 'account_id', 'auth_token', 'app_secret'],
  ],
  [{ type: 'webchat' }, []],
])('the form of %j leaves out fields without effect [P-1970]', (fields, idle) => {
  expect(idleFields(fields)).toEqual(idle)
})

test('a limit of one person is no limit of the number [P-2706]', () => {
  expect(['130429', '80007', '20429', 'http.429'].map(isThrottle)).toEqual([true, true, true, true])
  expect(['131056', 'http.503', 'ECONNREFUSED', '131026'].map(isThrottle)).toEqual([false, false, false, false])
})
