import { describe, expect, it } from 'vitest'
import { corpusJson } from '#test/fixture/corpus.ts'
import { formatBoleto, isBoleto, readBoleto } from './boleto.ts'
import { formatCep, formatCnpj, formatCpf, formatPis, isCep, isCnpj, isCpf, isPis } from './document.ts'

interface DocumentCase {
  readonly doc: 'boleto' | 'cep' | 'cnpj' | 'cpf' | 'pis'
  readonly op: string
  readonly input: unknown
  readonly expected: unknown
}
interface BillCase {
  readonly input: string
  readonly expected: { readonly sucesso: boolean; readonly [member: string]: unknown }
}

/** Numbers of postal objects, which one of the libraries calls postal codes; no CEP is one (docs/expressions.md). */
const DEVIATIONS = [
  'PN718252423BR',
  'JT194690698BR',
  'SV143851674BR',
  'RY728187035CN',
  'RH940629235CN',
  'UJ776469464CN',
  'LZ667841882CN',
]

const VALID = { boleto: isBoleto, cep: isCep, cnpj: isCnpj, cpf: isCpf, pis: isPis }
const MASKED = {
  boleto: formatBoleto,
  cep: formatCep,
  cnpj: formatCnpj,
  cpf: formatCpf,
  pis: formatPis,
}
const isUndefined = (input: unknown) => typeof input === 'object' && input !== null && '$' in input
const madeOf = ({ doc, op, input }: DocumentCase): unknown => {
  const value = isUndefined(input) ? undefined : input
  if (op === 'isValid') return VALID[doc](value)
  if (op === 'isValidtrue') return doc === 'cpf' ? isCpf(value, true) : isCnpj(value, true)
  const { pad = false, version } = JSON.parse(op.slice('format'.length) || '{}')
  return version === 2 ? formatCnpj(`${value}`, { letters: true }) : MASKED[doc](value as string, { pad })
}

const KINDS = new Map([
  ['bank', 'BANCO'],
  ['city', 'ARRECADACAO_PREFEITURA'],
  ['sanitation', 'CONVENIO_SANEAMENTO'],
  ['energy', 'CONVENIO_ENERGIA_ELETRICA_E_GAS'],
  ['telecommunication', 'CONVENIO_TELECOMUNICACOES'],
  ['government', 'ARRECADACAO_ORGAOS_GOVERNAMENTAIS'],
  ['traffic', 'ARRECADACAO_TAXAS_DE_TRANSITO'],
  ['other', 'OUTROS'],
])

describe('Brazilian documents of others', () => {
  it('are valid and masked as the corpus says', () => {
    const cases = corpusJson<readonly DocumentCase[]>('documents/br.json')
    const differing = cases.filter(one => madeOf(one) !== one.expected)
    expect(new Set(cases.map(({ doc }) => doc))).toEqual(new Set(Object.keys(VALID)))
    expect(differing).toEqual(cases.filter(({ input }) => DEVIATIONS.includes(String(input))))
  })

  it('bills are read as the corpus reads them', () => {
    const cases = corpusJson<readonly BillCase[]>('documents/boleto.json')
    expect(new Set(cases.map(({ expected }) => expected.sucesso))).toEqual(new Set([true, false]))
    for (const { input, expected } of cases) {
      const bill = readBoleto(input)
      expect(bill !== undefined).toBe(expected.sucesso)
      if (bill === undefined) continue
      expect(expected).toMatchObject({
        valor: bill.amount,
        tipoBoleto: KINDS.get(bill.kind),
        tipoCodigoInput: bill.from === 'line' ? 'LINHA_DIGITAVEL' : 'CODIGO_DE_BARRAS',
        codigoBarras: bill.barcode,
        linhaDigitavel: bill.line,
      })
    }
  })
})

/** Figures that fit and were given to nobody, made by the rules below. */
const LINE = '00190000090114971860168524522114675860000102656'

describe('Brazilian documents', () => {
  it('detects every single wrong digit of a bank bill, as digit line or barcode', () => {
    const bill = readBoleto(LINE)
    expect(bill).toMatchObject({ kind: 'bank', from: 'line', amount: 1026.56 })
    expect(readBoleto(bill?.barcode)).toEqual({ ...bill, from: 'barcode' })
    for (let at = 0; at < LINE.length; at++) {
      const wrong = `${LINE.slice(0, at)}${(Number(LINE[at]) + 1) % 10}${LINE.slice(at + 1)}`
      expect([at, isBoleto(wrong)]).toEqual([at, false])
    }
  })

  it.each([
    ['cpf', isCpf, '11144477735'],
    ['cnpj', isCnpj, '12ABC34501DE35'],
    ['pis', isPis, '12038619494'],
  ] as const)('%s: another check digit, one of a kind and letters are refused', (_name, isValid, value) => {
    expect(isValid(value)).toBe(true)
    expect(isValid(`${value.slice(0, -1)}${(Number(value.at(-1)) + 1) % 10}`)).toBe(false)
    expect(isValid('0'.repeat(value.length))).toBe(false)
    expect(isValid(`${value}1`)).toBe(false)
    expect(isValid({ toString: () => value })).toBe(false)
  })

  it('a postal code is one however its figures are set apart', () => {
    expect(['01310-100', '01.310-100', ' 01310100 ', 88390000].filter(isCep)).toHaveLength(4)
    expect(['0131-100', '01310-100a', '01310-1000', -88390000, 8839000.5, true].filter(isCep)).toEqual([])
  })

  it('accepts postal codes of a postal region: Greater São Paulo begins with 01000-000, Rio Grande do Sul ends with 99999-999', () => {
    expect(['01000-000', '19999999', '69300-000', '77000-000', '99999-999', 1310100].filter(isCep)).toHaveLength(6)
    expect(['00000-000', '00999-999', '00000000', 1, 999_999].filter(isCep)).toEqual([])
    expect(['O1310-100', '０１３１０１００', '1310-100', '', ' ', null, [], ['01310100']].filter(isCep)).toEqual([])
  })

  it('a company number with letters counts each as its ASCII code less 48, and its check digits stay figures (IN RFB 2.229/2024)', () => {
    expect(['12.ABC.345/01DE-35', '12abc34501de35', ' 12ABC34501DE35 '].filter(value => isCnpj(value))).toHaveLength(3)
    const wrong = [
      '12ABC34501DE53',
      '12ABC34501DEA5',
      '12ABC34501D35',
      '12ABC34501DE355',
      '12ÀBC34501DE35',
      'AAAAAAAAAAAAAA',
    ]
    expect(wrong.filter(value => isCnpj(value))).toEqual([])
    expect(formatCnpj('12abc34501de35', { letters: true })).toBe('12.ABC.345/01DE-35')
  })

  it('a number has lost its leading zeros, a text has not', () => {
    expect([isCpf(191), isCpf('191')]).toEqual([true, false])
    expect(isCpf('000.000.001-91')).toBe(true)
  })
})
