import { describe, expect, it } from 'vitest'
import { readSample, sampleText } from './use-samples.ts'

describe('a sample value', () => {
  it('is a text where its variable is one, else the JSON that was typed', () => {
    expect(readSample('7', 'string')).toBe('7')
    expect(readSample('7', 'number')).toBe(7)
    expect(readSample('{"a": [1]}', 'object')).toEqual({ a: [1] })
    expect(readSample('true', undefined)).toBe(true)
    expect(readSample('Ana', undefined)).toBe('Ana')
    expect(readSample('2026-01-31', 'date')).toBe('2026-01-31')
  })

  it('is typed as it was shown', () => {
    for (const value of [7, true, null, [], { a: { b: 'c' } }])
      expect(readSample(sampleText(value), 'object')).toEqual(value)
    expect(sampleText('7')).toBe('7')
  })
})
