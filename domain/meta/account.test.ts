import { describe, expect, test } from 'vitest'
import { accountNotice, loweredLimit } from './account.ts'

const NOW = '2026-11-30T12:00:00.000Z'

describe('loweredLimit', () => {
  test('keeps the first limit over several steps down, until it is back [P-2926]', () => {
    const first = loweredLimit({ messaging_limit: 'TIER_10K' }, { messaging_limit: 'TIER_2K' }, NOW)
    expect(first).toEqual({ limit_before: 'TIER_10K', limit_lowered_at: NOW })
    const second = { messaging_limit: 'TIER_2K', limit_before: 'TIER_10K' }
    expect(loweredLimit(second, { messaging_limit: 'TIER_250' }, NOW)).toMatchObject({ limit_before: 'TIER_10K' })
    expect(loweredLimit(second, { messaging_limit: 'TIER_2K' }, NOW)).toEqual({})
    const back = { limit_before: null, limit_lowered_at: null }
    expect(loweredLimit(second, { messaging_limit: 'TIER_UNLIMITED' }, NOW)).toEqual(back)
  })

  test('says nothing of a limit that is read first, raised, or not sent [P-2926]', () => {
    expect(loweredLimit({}, { messaging_limit: 'TIER_250' }, NOW)).toEqual({})
    expect(loweredLimit({ messaging_limit: 'TIER_250' }, { messaging_limit: 'TIER_2K' }, NOW)).toEqual({})
    expect(loweredLimit({ messaging_limit: 'TIER_250' }, { messaging_limit: null }, NOW)).toEqual({})
  })
})

describe('accountNotice', () => {
  const kind = (restriction_type: string, expiration = 1_780_000_000) => ({ restriction_type, expiration })
  const ends = new Date(1_780_000_000_000).toISOString()

  test.each([
    [{ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } }, 'BANNED', null],
    [{ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'REINSTATE' } }, null, null],
    [
      {
        event: 'DISABLED_UPDATE',
        ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE', waba_ban_date: 'April 17, 2025' },
      },
      'BAN_PLANNED',
      '2025-04-17T00:00:00.000Z',
    ],
    [{ event: 'ACCOUNT_DELETED' }, 'REMOVED', null],
    [{ event: 'ACCOUNT_OFFBOARDED' }, 'REMOVED', null],
    [{ event: 'ACCOUNT_RECONNECTED' }, null, null],
    [
      {
        event: 'ACCOUNT_RESTRICTION',
        restriction_info: [kind('RESTRICTED_BIZ_INITIATED_MESSAGING'), kind('RESTRICTED_ADD_PHONE_NUMBER_ACTION', 9e9)],
      },
      'NO_TEMPLATES',
      ends,
    ],
    [
      {
        event: 'ACCOUNT_RESTRICTION',
        restriction_info: [
          kind('RESTRICTED_BIZ_INITIATED_MESSAGING', 9e9),
          kind('RESTRICTED_CUSTOMER_INITIATED_MESSAGING'),
        ],
      },
      'NO_ANSWERS',
      ends,
    ],
  ])('%j is %s [P-2926]', (value, restriction, restriction_at) => {
    expect(accountNotice(value)).toEqual({ restriction, restriction_at })
  })

  test.each([
    { event: 'PARTNER_ADDED' },
    { event: 'ACCOUNT_RESTRICTION', restriction_info: [kind('RESTRICTED_ADD_PHONE_NUMBER_ACTION')] },
    { event: 'ACCOUNT_RESTRICTION' },
    {},
  ])('%j restricts no messages [P-2926]', value => {
    expect(accountNotice(value)).toEqual({})
  })
})
