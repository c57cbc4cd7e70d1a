import { describe, expect, it } from 'vitest'
import { chatRuns } from './preview.ts'

const shown = (text: string) =>
  chatRuns(text)
    .map(({ text: words, formats }) => (formats.length === 0 ? words : `[${formats.join(' ')}: ${words}]`))
    .join('')

describe('formatting of chats', () => {
  it('is shown, and its marks are not', () => {
    expect(shown('Leia *antes* de _mudar_, ~hoje~ *amanhã*')).toBe(
      'Leia [bold: antes] de [italic: mudar], [struck: hoje] [bold: amanhã]',
    )
    expect(shown('**x**')).toBe('[bold: x]')
  })

  it('may lie within another', () => {
    expect(shown('*muito _bem_ feito*')).toBe('[bold: muito ][bold italic: bem][bold:  feito]')
  })

  it('is none within a word, a name or a sum', () => {
    for (const text of ['opcao_menu_atual', '2*3*4', '{{_nome_}}', 'a * b * c']) expect(shown(text)).toBe(text)
  })
})
