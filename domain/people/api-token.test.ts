import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { expiryStage, isTokenText, tokenText } from './api-token.ts'
import { ALL_PERMISSIONS, PERMISSIONS, tokenPermissions } from './permission.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const numberOf = (digits: string): bigint =>
  [...digits].reduce((sum, digit) => sum * 62n + BigInt(ALPHABET.indexOf(digit)), 0n)

const SECRET = Uint8Array.from({ length: 32 }, (_, index) => index * 7 + 1)

describe('the text of a token', () => {
  test('is prl_, the 256 bits in 43 digits and their CRC-32 in 6 [P-2428]', () => {
    for (const secret of [SECRET, new Uint8Array(32), new Uint8Array(32).fill(255)]) {
      const text = tokenText(secret)
      expect(text).toMatch(/^prl_[0-9A-Za-z]{49}$/)
      expect(numberOf(text.slice(4, 47))).toBe(BigInt(`0x${Buffer.from(secret).toString('hex')}`))
      expect(numberOf(text.slice(47))).toBe(BigInt(crc32(text.slice(4, 47))))
      expect(isTokenText(text)).toBe(true)
    }
  })

  test('with one other character, or of another length, is refused by its checksum alone [P-2428]', () => {
    const text = tokenText(SECRET)
    for (let at = 4; at < text.length; at += 1) {
      const other = text[at] === 'A' ? 'B' : 'A'
      expect(isTokenText(text.slice(0, at) + other + text.slice(at + 1))).toBe(false)
    }
    for (const wrong of ['', 'prl_', text.slice(0, -1), `${text}0`, text.replace('prl_', 'prk_'), text.toLowerCase()])
      expect(isTokenText(wrong)).toBe(false)
  })
})

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
