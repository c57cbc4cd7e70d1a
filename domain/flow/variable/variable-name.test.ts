import { expect, it } from 'vitest'
import { isPlainPath } from './variable-use.ts'

it.each(['nome', 'pedido.total', 'itens[0].preço', ' pedido["nome completo"] ', '_a$1@b'])(
  '%s names a variable',
  name => {
    expect(isPlainPath(name)).toBe(true)
  },
)

it.each(['dois nomes', 'nome composto.total', '1a', '', '.total', 'olá!', '{{nome}}'])('%s names none', name => {
  expect(isPlainPath(name)).toBe(false)
})
