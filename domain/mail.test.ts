import { describe, expect, it } from 'vitest'
import { checkedHeader, isMailAddress, nextMailTry, outcomeOf, senderOf } from './mail.ts'

describe('an address of a mail', () => {
  it('is one address, without a list, a name or a line break [P-2780]', () => {
    for (const good of ['ana@aurora.example', "o'neil+x@a.b", 'joão@ação.example'])
      expect(isMailAddress(good)).toBe(true)
    for (const bad of [
      ...['ana', '@a.example', 'a@', 'a@b@c', 'a@b,c@d', 'a@b;c@d', 'Ana <a@b>', 'a b@c', '"a"@b', 'a@b(c)'],
      ...['a@b\r\nBcc: x@y', 'a@b\n', 'a@b\0', 'g:a@b;', `${'a'.repeat(250)}@b.example`],
    ])
      expect(isMailAddress(bad), bad).toBe(false)
    for (const sign of ' <>,;:"()[]\\\t\n\r\0')
      for (const bad of [`a${sign}b@c`, `a@b${sign}c`]) expect(isMailAddress(bad), JSON.stringify(bad)).toBe(false)
  })

  it('has a header of one line', () => {
    expect(checkedHeader('Olá')).toBe('Olá')
    for (const bad of ['a\r\nb', 'a\nb', 'a\rb', 'a\0b']) expect(() => checkedHeader(bad)).toThrow(RangeError)
  })

  it('may have a name where it is the sender', () => {
    expect(senderOf('Parley da Aurora <p@a.example>')).toEqual({ name: 'Parley da Aurora', address: 'p@a.example' })
    expect(senderOf('p@a.example')).toEqual({ name: '', address: 'p@a.example' })
  })
})

describe('an attempt', () => {
  it('is repeated until the end of its mail', () => {
    expect(nextMailTry(1, 0, 100_000)).toBe(10_000)
    expect(nextMailTry(2, 0, 30_000)).toBeUndefined()
    expect(nextMailTry(50, 0, 20 * 3_600_000)).toBe(4 * 3_600_000)
  })

  it('bounces for a refused recipient or message, and is repeated for anything else', () => {
    const about = (responseCode: number, command: string) => outcomeOf({ responseCode, command, code: 'EENVELOPE' })
    expect(about(550, 'RCPT TO')).toEqual({ kind: 'bounced', code: '550' })
    expect(about(554, 'DATA')).toEqual({ kind: 'bounced', code: '554' })
    expect(about(451, 'RCPT TO')).toEqual({ kind: 'later', code: '451' })
    expect(outcomeOf({ responseCode: 535, command: 'AUTH PLAIN', code: 'EAUTH' })).toEqual({
      kind: 'later',
      code: '535',
    })
    expect(outcomeOf({ code: 'ECONNECTION' })).toEqual({ kind: 'later', code: 'ECONNECTION' })
    expect(outcomeOf(new Error('x'))).toEqual({ kind: 'later', code: 'unknown' })
  })
})
