import { verifySync } from 'otplib'
import { describe, expect, it } from 'vitest'
import { corpusJson } from '#test/fixture/corpus.ts'
import { codeStep, newSecret, otpauthOf } from './credential.ts'

interface Vector {
  readonly algorithm: 'sha1' | 'sha256' | 'sha512'
  readonly secretBase32: string
  readonly period: number
  readonly digits: 6 | 8
  readonly epochSeconds: number
  readonly expected: string
}

describe('codes of an authenticator', () => {
  it('are those of RFC 6238', () => {
    const vectors = corpusJson<{ readonly rfc6238: readonly Vector[] }>('totp/rfc-vectors.json')
    expect(vectors.rfc6238.length).toBeGreaterThan(0)
    for (const {
      algorithm,
      secretBase32: secret,
      period,
      digits,
      epochSeconds: epoch,
      expected: token,
    } of vectors.rfc6238) {
      expect(verifySync({ secret, token, epoch, period, digits, algorithm }).valid).toBe(true)
      // Six digits of SHA-1 are the end of its eight.
      if (algorithm !== 'sha1' || period !== 30) continue
      expect(codeStep(secret, token.slice(-6), new Date(epoch * 1000), null)).toBe(Math.floor(epoch / period))
    }
  })

  it('are not taken in another form, nor at or before the step of the newest one used', () => {
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    const now = new Date(59_000)
    expect(codeStep(secret, '287082', now, null)).toBe(1)
    expect(codeStep(secret, '287082', now, 0)).toBe(1)
    expect(codeStep(secret, '287082', now, 1)).toBeUndefined()
    for (const token of ['', '28708', '2870821', '28708a', '２８７０８２']) {
      expect(codeStep(secret, token, now, null)).toBeUndefined()
    }
  })

  it('come from a secret of 160 bits that no two users share', () => {
    expect(newSecret()).toMatch(/^[A-Z2-7]{32}$/)
    expect(newSecret()).not.toBe(newSecret())
    expect(otpauthOf('Parley', 'ana', 'ABC')).toContain('otpauth://totp/Parley:ana?secret=ABC')
  })
})
