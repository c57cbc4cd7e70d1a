import { expect, test } from 'vitest'
import { keyOf } from './key-table.ts'

test('maps Shift with 1 or 2 to the same key on each keyboard layout', () => {
  // given what these two keys write on an English, a Spanish and a French keyboard
  const pressed = [
    { key: '@', code: 'Digit2', shiftKey: true },
    { key: '"', code: 'Digit2', shiftKey: true },
    { key: '2', code: 'Digit2', shiftKey: true },
    { key: '1', code: 'Digit1', shiftKey: true },
  ]
  // when they are read
  const keys = pressed.map(keyOf)
  // then each is the key of the sheet; without Shift, and on other keys, what is written counts
  expect(keys).toEqual(['@', '@', '@', '!'])
  expect(keyOf({ key: 'D', code: 'KeyD', shiftKey: true })).toBe('d')
  expect(keyOf({ key: '1', code: 'Digit1', shiftKey: false })).toBe('1')
})
