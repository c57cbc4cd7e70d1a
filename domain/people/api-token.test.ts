import { describe, expect, test } from 'vitest'
import { expiryStage } from './api-token.ts'
import { ALL_PERMISSIONS, PERMISSIONS, tokenPermissions } from './permission.ts'

describe('permissions of a token', () => {
  const held = new Set(['readbot', 'updatebot', 'readuser', 'updateuser', 'createapitoken', 'administerbytoken'])

  test('are those of its holder, narrowed to its scopes [P-2429]', () => {
    expect([...tokenPermissions(held, ['readbot', 'startbot'], 'person')]).toEqual(['readbot'])
    expect([...tokenPermissions(new Set(['readdialog', 'readdialogcomment']), ['readdialog'], 'person')]).toEqual([
      'readdialog',
      'readdialogcomment',
    ])
  })

  test('never change people, rights or tokens, unless a service account may administer by token [P-2429]', () => {
    expect([...tokenPermissions(held, [], 'person')]).toEqual(['readbot', 'updatebot', 'readuser'])
    expect(tokenPermissions(held, [], 'service')).toEqual(held)
    expect([...tokenPermissions(new Set([...held, 'updatewebhook']), ['updatewebhook'], 'service')]).toEqual([])
    expect([...tokenPermissions(held, ['readbot', 'updateuser'], 'service')]).toEqual(['readbot'])
    const closed = [...PERMISSIONS].filter(one => !tokenPermissions(ALL_PERMISSIONS, [], 'person').has(one))
    expect(closed.toSorted()).toEqual(
      [
        'administerbytoken',
        'seeasuser',
        ...['user', 'usergroup', 'role', 'serviceaccount', 'apitoken', 'identityprovider', 'webhook'].flatMap(name =>
          ['create', 'update', 'delete'].map(verb => verb + name),
        ),
        ...['transfer', 'lock', 'unlock', 'resetpassword', 'reset2fa', 'forget', 'endsessions'].map(
          one => `${one}user`,
        ),
        'revokeapitoken',
        ...['testidentityprovider', 'rotatewebhook', 'testwebhook'],
      ].toSorted(),
    )
  })
})

test('its owner is notified 14 and 3 days before its end, and at it [P-2430]', () => {
  const DAY = 86_400_000
  const end = Date.parse('2027-01-31T12:00:00.000Z')
  const stage = (left: number) => expiryStage(new Date(end).toISOString(), end - left)
  expect([15 * DAY, 14 * DAY + 1, 14 * DAY, 3 * DAY + 1, 3 * DAY, 1, 0, -DAY].map(stage)).toEqual([
    ...[undefined, undefined, 14, 14, 3, 3, 0, 0],
  ])
})
