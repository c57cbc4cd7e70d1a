import { describe, expect, it } from 'vitest'
import { phonesOf } from './suppression-form.tsx'

describe('numbers of an import', () => {
  it('are the lines of a text, without blank ones [P-2142]', () => {
    expect(phonesOf('11 98765-0001\r\n\r\n +447911123456 \n')).toEqual(['11 98765-0001', '+447911123456'])
    expect(phonesOf('Telefone\n11987650001')).toEqual(['11987650001'])
  })

  it('are the cells of lines without a header [P-2202]', () => {
    expect(phonesOf('11987650001, 11987650002\n11987650003')).toEqual(['11987650001', '11987650002', '11987650003'])
    expect(phonesOf('11987650001;11987650002')).toEqual(['11987650001', '11987650002'])
  })

  it('are the column of an exported list, without rows that have no number [P-2142]', () => {
    const file =
      'time,phone,name,reason\r\n2026-11-29T03:53:24Z,\'+5511987651006,"Silva, ""Zé""","two\nlines"\r\n2026-11-29T03:53:24Z,,,\r\n'
    expect(phonesOf(file)).toEqual(['+5511987651006'])
    expect(phonesOf('Nome;Celular\nAna;11987650001')).toEqual(['11987650001'])
  })

  it('are read as spreadsheets of any language write them [P-2202]', () => {
    expect(phonesOf('sep=|\nNome|Telefone\nAna|="11987650001"')).toEqual(['11987650001'])
    expect(phonesOf('Nome\tTelefone\r"O ""Zé"" Silva"\t11987650001\r')).toEqual(['11987650001'])
    const latin = Uint8Array.from('N\xfamero;Nome\n11987650001;Jos\xe9', letter => letter.charCodeAt(0))
    expect(phonesOf(latin)).toEqual(['11987650001'])
  })

  it('come from files with a byte order mark and in UTF-16 [P-2142]', () => {
    const wide = new Uint8Array([0xff, 0xfe, ...[...'Nº;Fone\n1;119'].flatMap(letter => [letter.charCodeAt(0), 0])])
    expect(phonesOf(wide)).toEqual(['119'])
    expect(phonesOf(new TextEncoder().encode('\ufeffphone\n119'))).toEqual(['119'])
  })

  it('are none where a quote has no end [P-2202]', () => {
    expect(phonesOf('phone\n"119\n118')).toEqual([])
  })
})
