import { describe, expect, it } from 'vitest'
import { corpusJson } from '#test/fixture/corpus.ts'
import { contactText } from './contact-columns.ts'
import { openPhones, phoneVariants } from './phone.ts'

const readPhone = await openPhones()
const e164 = (text: string, country?: string): string => {
  const reading = readPhone(text, country)
  return reading.ok ? reading.phone.e164 : reading.fault
}

describe('a telephone number', () => {
  it('is read as people and spreadsheets write it', () => {
    for (const text of ['+55 (11) 9 8765‑4321', '011 98765-4321', "'5511987654321", '=+5511987654321', '11.98765.4321'])
      expect(e164(text), text).toBe('+5511987654321')
    expect(e164('202-555-0148', 'US')).toBe('+12025550148')
    expect(e164('+351 912 345 678')).toBe('+351912345678')
  })

  it('gets the ninth digit that a Brazilian mobile number lacks, and says so', () => {
    const reading = readPhone('31 8765-4321')
    expect(reading).toMatchObject({ ok: true, phone: { e164: '+5531987654321', isNinthDigitAdded: true } })
    expect(reading.ok && reading.phone.aliases).toEqual(['553187654321'])
  })

  it('without its area code is one that does not exist, not one of another kind', () => {
    expect([e164('90000-0093'), e164('+98 912 345 6789')]).toEqual(['invalid', '+989123456789'])
  })

  it('is refused when digits are lost, it is not a number, or it cannot have WhatsApp', () => {
    expect(e164('5,51198765E+12')).toBe('rounded')
    expect(e164('11987654321 ramal 12')).toBe('format')
    expect(e164('190')).toBe('invalid')
    expect(e164('0800 722 1234')).toBe('kind')
    for (const text of ['', '+', '()', 'abc', '1'.repeat(500)]) expect(e164(text), text).toBe('format')
  })

  it('has the same spellings from each of them [P-1760]', () => {
    const { cases } = corpusJson<{
      cases: readonly { readonly input: string; readonly aliases?: readonly string[] }[]
    }>('campaigns/constructed/phones.json')
    const read = cases.flatMap(({ input, aliases = [] }) => {
      const reading = readPhone(input)
      return reading.ok ? [{ input, aliases, number: reading.phone.e164 }] : []
    })
    expect(read.length).toBeGreaterThan(20)
    for (const { input, aliases, number } of read) {
      const all = phoneVariants(number)
      expect(all.slice(1), input).toEqual(aliases)
      for (const spelling of all) expect(phoneVariants(spelling), spelling).toEqual(all)
    }
    const numbers = new Set(read.map(({ number }) => number))
    const spellings = [...numbers].flatMap(number => phoneVariants(number))
    expect(new Set(spellings).size, 'no spelling belongs to two numbers').toBe(spellings.length)
  })

  it('is read as the collected cases say', () => {
    const { cases } = corpusJson<{
      cases: readonly {
        readonly input: string
        readonly e164?: string
        readonly error?: string
        readonly country?: string
        readonly type?: string
        readonly aliases?: readonly string[]
        readonly ninthDigitAdded?: boolean
        readonly warning?: string
      }[]
    }>('campaigns/constructed/phones.json')
    const told = (reading: ReturnType<typeof readPhone>) =>
      reading.ok
        ? { ...reading.phone, aliases: [...reading.phone.aliases] }
        : { error: reading.fault === 'kind' ? 'phone.type' : `phone.${reading.fault}` }
    expect(cases.length).toBeGreaterThan(30)
    for (const { input, error, type, warning, ninthDigitAdded, aliases = [], country, e164: expected } of cases)
      expect(told(readPhone(input)), input).toEqual(
        error === undefined
          ? {
              ...{ e164: expected, country, kind: type, aliases },
              isNinthDigitAdded: ninthDigitAdded === true,
              isLandline: warning === 'phone.landline',
            }
          : { error },
      )
  })
})

describe('a text of a contact', () => {
  it('is trimmed and composed; controls and turned directions are refused', () => {
    expect(contactText('  Joa\u0303o\r\n ')).toEqual({ text: 'João' })
    expect(contactText('a\r\nb\tc')).toEqual({ text: 'a\nb\tc' })
    for (const text of ['a\0b', 'a\u001bb', 'a\u202eb', 'a\u2066b'])
      expect(contactText(text).fault, text).toBe('control')
    expect(contactText('x'.repeat(1024)).fault).toBeUndefined()
    expect(contactText('x'.repeat(1025)).fault).toBe('toolong')
  })
})
