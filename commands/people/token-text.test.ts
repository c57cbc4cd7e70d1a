import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { isTokenText, tokenText } from './token-text.ts'

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
