import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText, ODD_TEXTS } from '#test/fixture/any-text.ts'
import { processorMs } from '#test/fixture/processor-clock.ts'
import { readText } from './text-answer.ts'

const INVALID = { ok: false }
const kept = (value: string) => ({ ok: true, value })
/** Expected value of each text: true if unchanged, else the new text, false if invalid. */
type Case = readonly [said: string, kept: string | boolean]
const check = (validation: string) => (said: string, expected: string | boolean) => {
  const result = readText(said, validation)
  expect(result).toEqual(expected === false ? INVALID : kept(expected === true ? said : expected))
}

const FREE: readonly Case[] = [
  ['oi', true],
  ['  bom dia \n', 'bom dia'],
  ['a', true],
  ['line one\nline two', true],
  ['', false],
  [' \t\n\u00a0', false],
  ['\u200b\u200e\ufeff', false],
  ['\u0000\u0007', false],
  ['👨‍👩‍👧', true],
  ['½', true],
  ['x'.repeat(4000), true],
  ['x'.repeat(4001), false],
  [` ${'x'.repeat(4000)} `, 'x'.repeat(4000)],
  ['👍'.repeat(4000), true],
  ['👍'.repeat(4001), false],
  ['x'.repeat(5_000_000), false],
  ['a\ud800b', 'a\ufffdb'],
  ['{{user.cpf}}', true],
  ['<script>alert(1)</script>', true],
]

const EMAILS: readonly Case[] = [
  ['ana@example.com', true],
  [' ana@example.com ', 'ana@example.com'],
  ['\u202aana@example.com\u202c', 'ana@example.com'],
  ['Ana.Souza+bot@Sub.Example.com.br', true],
  ["o'brien@example.org", true],
  ['joão@exemplo.com.br', true],
  ['用户@例子.广告', true],
  ['x@xn--p1ai.xn--p1ai', true],
  ['1@2.co', true],
  ['ana@example', false],
  ['ana@localhost', false],
  ['ana@example.c', false],
  ['ana@example.123', false],
  ['ana@192.168.0.1', false],
  ['ana@[127.0.0.1]', false],
  ['ana@-example.com', false],
  ['ana@example-.com', false],
  ['ana@exa_mple.com', false],
  ['ana..b@example.com', false],
  ['.ana@example.com', false],
  ['ana.@example.com', false],
  ['ana@example..com', false],
  ['ana@example.com.', false],
  ['ana@@example.com', false],
  ['a@b@example.com', false],
  ['@example.com', false],
  ['ana@', false],
  ['ana example@example.com', false],
  ['"ana b"@example.com', false],
  ['Ana <ana@example.com>', false],
  ['ana@example.com, bia@example.com', false],
  [`${'a'.repeat(65)}@example.com`, false],
  [`a@${'b'.repeat(64)}.com`, false],
  [`a@${'b.'.repeat(130)}com`, false],
]

const URLS: readonly Case[] = [
  ['https://example.com', true],
  ['http://example.com/a?b=c#d', true],
  ['HTTPS://EXAMPLE.COM', true],
  ['https://exämple.com/ü', true],
  ['http://localhost:8080/x', true],
  ['http://[::1]/', true],
  ['https://example.com:65535', true],
  ['https://example.com:99999', false],
  ['www.example.com', false],
  ['example.com', false],
  ['ftp://example.com', false],
  ['javascript:alert(1)', false],
  ['mailto:a@example.com', false],
  ['http:/example.com', false],
  ['http:///example.com', false],
  ['http://', false],
  ['https://exam ple.com', false],
  ['https://example.com/a b', false],
  ['https://bank.example@evil.example/', false],
  ['https://user:pass@example.com/', false],
  ['https:\\\\example.com', false],
]

const ALPHA: readonly Case[] = [
  ['Ana', true],
  ['  João da Silva ', 'João da Silva'],
  ['José', true],
  ['Мария', true],
  ['محمد علي', true],
  ['हिन्दी', true],
  ['李小龍', true],
  ['می\u200cخواهم', true],
  ['Ana2', false],
  ["D'Ávila", false],
  ['Ana-Maria', false],
  ['Ana.', false],
  ['Ana\tMaria', false],
  ['½', false],
  ['   ', false],
  ['\u0301', false],
]

const ALPHANUMERIC: readonly Case[] = [
  ['ABC 123', true],
  ['123', true],
  ['João 2', true],
  ['١٢٣', true],
  ['AB-12', false],
  ['a_b', false],
  ['½', false],
  ['x²', false],
  ['#1', false],
  ['😀', false],
  ['a\nb', false],
]

describe('text [D-5.19]', () => {
  test.each(FREE)('free text %#', check('none'))
  test.each(FREE)('an unknown validation takes free text %#', check('Haiku'))
  test.each(EMAILS)('Email %j [D-5.23]', check('Email'))
  test.each(URLS)('URL %j [D-5.25]', check('URL'))
  test.each(ALPHA)('Alpha %j [D-5.26]', check('Alpha'))
  test.each(ALPHANUMERIC)('AlphaNumeric %j [D-5.26]', check('AlphaNumeric'))

  const VALIDATIONS = ['none', '', 'Email', 'MobilePhone', 'URL', 'Alpha', 'AlphaNumeric', '__proto__', 'constructor']

  test.each(VALIDATIONS)('%j survives odd texts at once', validation => {
    const began = processorMs()
    for (const text of ODD_TEXTS) expect(typeof readText(text, validation).ok).toBe('boolean')
    expect(processorMs() - began).toBeLessThan(1_000)
  })

  test('never throws, and what is kept reads back as itself', () => {
    fc.assert(
      fc.property(anyText(), fc.constantFrom(...VALIDATIONS), (text, validation) => {
        const once = readText(text, validation)
        if (once.ok) expect(readText(once.value, validation)).toEqual(once)
      }),
    )
  })

  test('Email takes what mail addresses are made of', () => {
    const address = fc
      .tuple(fc.stringMatching(/^[a-z0-9]{1,20}(?:[.+_-][a-z0-9]{1,20})?$/), fc.domain())
      .map(([name, domain]) => `${name}@${domain}`)
    fc.assert(
      fc.property(address, text => {
        expect(readText(text, 'Email')).toEqual(kept(text))
      }),
    )
  })

  test('URL takes web addresses', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), text => {
        expect(readText(text, 'URL')).toEqual(kept(text))
      }),
    )
  })
})
