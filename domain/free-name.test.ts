import { expect, test } from 'vitest'
import { freeName } from './free-name.ts'

test('gives a copy the first free number, for any case of other names', () => {
  expect(freeName('Menu', [])).toBe('Menu (2)')
  expect(freeName('Menu', ['menu', 'MENU (2)', ' Menu (4) '])).toBe('Menu (3)')
})

test('a long name is cut between characters, so that the number has room', () => {
  expect(freeName('x'.repeat(200), [])).toBe(`${'x'.repeat(190)} (2)`)
  const name = freeName(`${'x'.repeat(189)}🙂🙂`, [])
  expect(name).toBe(`${'x'.repeat(189)} (2)`)
})
