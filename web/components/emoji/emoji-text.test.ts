import { expect, test } from 'vitest'
import { matchingEmoji, movedPlace } from './emoji-text.ts'

const ALL = [
  { sign: '❤️', names: 'coração vermelho, amor' },
  { sign: '💙', names: 'coração azul' },
  { sign: '📦', names: 'pacote, pedido' },
]

test('finds emoji by words of their names, without accents [P-2663]', () => {
  const found = (search: string) => matchingEmoji(ALL, search).map(({ sign }) => sign)
  expect(found('coracao')).toEqual(['❤️', '💙'])
  expect(found('Azul coração')).toEqual(['💙'])
  expect(found('')).toHaveLength(3)
  expect(found('carro')).toEqual([])
})

test('arrow keys move in rows of emoji and stay inside [P-2663]', () => {
  expect(movedPlace('ArrowRight', 0, 10, 4)).toBe(1)
  expect(movedPlace('ArrowDown', 1, 10, 4)).toBe(5)
  expect(movedPlace('ArrowDown', 7, 10, 4)).toBe(7)
  expect(movedPlace('ArrowUp', 2, 10, 4)).toBe(2)
  expect(movedPlace('ArrowLeft', 0, 10, 4)).toBe(0)
  expect(movedPlace('a', 0, 10, 4)).toBeUndefined()
})
