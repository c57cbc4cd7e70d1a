import { expect, test } from 'vitest'
import { gapsOf, insertCanned, shortcutAt } from './canned.ts'

test('opens canned answers after a slash at the begin or after a space, up to the caret [P-2363]', () => {
  expect(shortcutAt('/re', 3)).toBe('re')
  expect(shortcutAt('Oi /', 4)).toBe('')
  expect(shortcutAt('Oi /re tudo', 6)).toBe('re')
  expect(shortcutAt('/endereço', 9)).toBe('endereço')
  expect(shortcutAt('/24', 3)).toBe('24')
  expect(shortcutAt('09/10', 5)).toBeUndefined()
  expect(shortcutAt('Oi /re tudo', 11)).toBeUndefined()
})

test('replaces the shortcut by the answer and keeps the text around it [P-2363]', () => {
  expect(insertCanned('Oi /re tudo', 6, 'Reenvio hoje.')).toEqual({
    text: 'Oi Reenvio hoje. tudo',
    begin: 16,
    caret: 16,
  })
  // The first gap, from 6 to 20, is selected.
  expect(insertCanned('Oi /re', 6, 'em {field.bairro}, {field.rua}')).toEqual({
    text: 'Oi em {field.bairro}, {field.rua}',
    begin: 6,
    caret: 20,
  })
  expect(insertCanned('Oi', 2, ' tchau')).toEqual({ text: 'Oi tchau', begin: 8, caret: 8 })
})

test('finds the gaps of a canned answer and no other braces [P-2363]', () => {
  expect(gapsOf('Oi {person.name}, o pedido {field.pedido} {sai} {{hoje}}')).toEqual([
    '{person.name}',
    '{field.pedido}',
  ])
})
