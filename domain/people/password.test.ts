import { describe, expect, it } from 'vitest'
import { checkPassword, checkPasswordChange, isExpired, passwordDate } from './password.ts'

const codeOf = (change: { old: string; new: string; confirm: string }) => {
  const checked = checkPasswordChange(change)
  return checked.ok ? null : checked.refusal.code
}

const brokenRules = (password: string) => {
  const checked = checkPassword(password, 'new')
  return checked.ok ? [] : checked.refusal.errors?.map(({ params }) => params?.rule)
}

describe('password rules', () => {
  it('asks for eight characters, counted as people see them [C-5.01]', () => {
    expect(brokenRules('Aa1!567')).toEqual(['length'])
    expect(brokenRules('Aa1!5678')).toEqual([])
    expect(brokenRules('Aa1!😀😀😀')).toEqual(['length'])
  })

  it('asks for a capital, a lowercase letter, a number and a symbol [C-5.02]', () => {
    expect(brokenRules('lower1!aaa')).toEqual(['capital'])
    expect(brokenRules('UPPER1!AAA')).toEqual(['lowercase'])
    expect(brokenRules('NoNumber!!')).toEqual(['number'])
    expect(brokenRules('NoSymbol11')).toEqual(['symbol'])
    expect(brokenRules('Çedilha-1é')).toEqual([])
    expect(brokenRules('White space1')).toEqual(['symbol'])
  })

  it('refuses the old password as the new one [C-5.03]', () => {
    expect(codeOf({ old: 'Secret-1a', new: 'Secret-1a', confirm: 'Secret-1a' })).toBe('user.password.same')
  })

  it('refuses a confirmation that differs, and a missing original [C-5.04]', () => {
    expect(codeOf({ old: 'Secret-1a', new: 'Secret-2a', confirm: 'Secret-2b' })).toBe('user.password.confirm')
    expect(codeOf({ old: '', new: 'Secret-2a', confirm: 'Secret-2a' })).toBe('user.password.original')
    expect(codeOf({ old: 'Secret-1a', new: 'Secret-2a', confirm: 'Secret-2a' })).toBeNull()
  })
})

describe('password expiry', () => {
  const time = '2026-11-21T12:00:00.000Z'
  const daysBefore = (days: number, more = 0) =>
    passwordDate(new Date(Date.parse(time) - days * 86_400_000 - more).toISOString())

  it('is good on day 80 and expired on day 81 or without a date [C-4.18]', () => {
    expect(isExpired(daysBefore(80), time)).toBe(false)
    expect(isExpired(daysBefore(80, 86_399_000), time)).toBe(false)
    expect(isExpired(daysBefore(81), time)).toBe(true)
    expect(isExpired(null, time)).toBe(true)
    expect(isExpired('nonsense', time)).toBe(true)
  })

  it('keeps its date in UTC to the second [C-5.06]', () => {
    expect(passwordDate('2026-01-02T03:04:05.678-03:00')).toBe('2026-01-02T06:04:05')
  })
})
