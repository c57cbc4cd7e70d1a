import { describe, expect, it } from 'vitest'
import { afterPasskeyUse, relyingPartyOf, type StoredPasskey } from './passkey.ts'

describe('the relying party', () => {
  it.each([
    ['https://console.example', { id: 'console.example', origin: 'https://console.example' }],
    ['https://console.example:8443', { id: 'console.example', origin: 'https://console.example:8443' }],
    ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
    ['http://127.0.0.1:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
    ['http://[::1]:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
    ['https://localhost', { id: 'localhost', origin: 'https://localhost' }],
    ['http://console.example', undefined],
    ['https://192.0.2.7', undefined],
    ['https://[2001:db8::1]', undefined],
    ['http://0.0.0.0:3000', undefined],
  ])('of %s is its host with https, or localhost [P-2683]', (publicUrl, party) => {
    expect(relyingPartyOf(publicUrl)).toEqual(party)
  })
})

const passkey = (id: string, counter: number): StoredPasskey => ({
  ...{ id, publicKey: 'key', counter, transports: [], name: 'Phone', backedup: false },
  ...{ created_at: '2026-11-01T00:00:00.000Z', last_used_at: null },
})
const TIME = '2026-11-30T10:00:00.000Z'

describe('the counter of a passkey', () => {
  const used = (stored: number, counter: number) =>
    afterPasskeyUse([passkey('other', 9), passkey('used', stored)], { id: 'used', counter, backedup: true }, TIME)

  it('rises with each use, and stays 0 where the authenticator does not count [P-2685]', () => {
    const next = { ...passkey('used', 6), backedup: true, last_used_at: TIME }
    expect(used(5, 6)).toEqual([passkey('other', 9), next])
    expect(used(0, 6)).toEqual([passkey('other', 9), next])
    expect(used(0, 0)?.[1]).toMatchObject({ counter: 0, last_used_at: TIME })
  })

  it('refuses an equal, a smaller and a missing one, and a passkey that was removed [P-2685]', () => {
    for (const counter of [5, 4, 0]) expect(used(5, counter)).toBeUndefined()
    expect(afterPasskeyUse([passkey('other', 9)], { id: 'used', counter: 10, backedup: false }, TIME)).toBeUndefined()
  })
})
