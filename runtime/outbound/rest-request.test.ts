import { describe, expect, test } from 'vitest'
import { bodyText } from './rest-request.ts'

const answer = (body: Uint8Array, type = 'application/rss+xml') => ({
  status: 200,
  url: 'https://example.com/',
  redirects: 0,
  headers: [['content-type', type]] as const,
  body,
  truncated: false,
})
const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(text, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}
const latin = (text: string) => Buffer.from(text, 'latin1')
const XML = '<rss>São Paulo</rss>'

describe('the text of an answer', () => {
  test.each([
    ['UTF-8', Buffer.from(XML)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${XML}`)],
    ['UTF-16 LE with a mark', utf16(`\ufeff${XML}`)],
    ['UTF-16 BE with a mark', utf16(`\ufeff${XML}`, true)],
    ['UTF-16 LE', utf16(XML)],
    ['UTF-16 BE', utf16(XML, true)],
    ['Latin-1 that nothing declares', latin(XML)],
    ['Latin-1 behind white space', latin(`\n  ${XML}`)],
  ])('is read from %s', (_name, body) => expect(bodyText(answer(body))?.trim()).toBe(XML))

  test('follows the header before the declaration, and a mark before both', () => {
    const declared = `<?xml version="1.0" encoding="utf-8"?>${XML}`
    expect(bodyText(answer(latin(declared), 'text/xml; charset=ISO-8859-1'))).toBe(declared)
    expect(bodyText(answer(Buffer.from(`\ufeff${declared}`), 'text/xml; charset=ISO-8859-1'))).toBe(declared)
  })

  test('follows the declaration, white space before it included', () => {
    const declared = `\n<?xml version="1.0" encoding="ISO-8859-1"?>${XML}`
    expect(bodyText(answer(latin(declared)))).toBe(declared)
    const wrong = `<?xml version="1.0" encoding="UTF-16"?>${XML}`
    expect(bodyText(answer(Buffer.from(wrong)))).toBe(wrong)
  })

  test('is Latin-1 where markup is not written in the charset that it names', () => {
    const declared = `<?xml version="1.0" encoding="utf-8"?>${XML}`
    expect(bodyText(answer(latin(declared)))).toBe(declared)
    expect(bodyText(answer(latin(XML), 'text/xml; charset=latin-1'))).toBe(XML)
  })

  test('is none of what is no text', () => {
    expect(bodyText(answer(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0xff), 'image/png'))).toBeUndefined()
    expect(bodyText(answer(latin('{"name": "São"}'), 'application/json'))).toBeUndefined()
  })
})
