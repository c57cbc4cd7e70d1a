import { describe, expect, it } from 'vitest'
import { fileText, phonesOf } from './phone-lines.ts'

describe('numbers of an import', () => {
  it('are the lines of a text, without blank ones [P-2142]', () => {
    expect(phonesOf('11 98765-0001\r\n\r\n +447911123456 \n')).toEqual(['11 98765-0001', '+447911123456'])
    expect(phonesOf('Telefone\n11987650001')).toEqual(['11987650001'])
  })

  it('are the column of an exported list, without rows that have no number [P-2142]', () => {
    const file =
      'time,phone,name,reason\r\n2026-11-29T03:53:24Z,\'+5511987651006,"Silva, ""Zé""","two\nlines"\r\n2026-11-29T03:53:24Z,,,\r\n'
    expect(phonesOf(file)).toEqual(['+5511987651006'])
    expect(phonesOf('Nome;Celular\nAna;11987650001')).toEqual(['11987650001'])
  })

  it('come from files with a byte order mark and in UTF-16 [P-2142]', async () => {
    const wide = new Uint8Array([0xff, 0xfe, ...[...'Nº;Fone\n1;119'].flatMap(letter => [letter.charCodeAt(0), 0])])
    expect(phonesOf(await fileText(new Blob([wide])))).toEqual(['119'])
    expect(phonesOf(await fileText(new Blob(['\ufeffphone\n119'])))).toEqual(['119'])
  })
})
