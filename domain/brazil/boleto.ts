import { maskedDigits } from './document.ts'

const MASK = '#####.##### #####.###### #####.###### # ##############'

/** Payee by the second digit of a bill not issued by a bank. */
const SEGMENTS: Readonly<Record<string, BoletoKind>> = {
  1: 'city',
  2: 'sanitation',
  3: 'energy',
  4: 'telecommunication',
  5: 'government',
  6: 'other',
  7: 'traffic',
  9: 'other',
}

type BoletoKind = 'bank' | 'city' | 'sanitation' | 'energy' | 'telecommunication' | 'government' | 'traffic' | 'other'

interface Boleto {
  readonly kind: BoletoKind
  /** Input form: the typed line or the scanned code. */
  readonly from: 'line' | 'barcode'
  /** In reais; 0 if the payer enters the amount. */
  readonly amount: number
  /** 44 figures. */
  readonly barcode: string
  /** 47 figures, 48 of a bill that is no bank's. */
  readonly line: string
}

const modulo10 = (digits: string): string => {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const product = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + Math.floor(product / 10) + (product % 10)
  }, 0)
  return `${(10 - (sum % 10)) % 10}`
}

/** Weights 2 to 9 from the right, again and again. */
const modulo11 = (digits: string): number =>
  [...digits].reverse().reduce((sum, digit, index) => sum + Number(digit) * (2 + (index % 8)), 0) % 11

const bankDigit = (digits: string): string => {
  const digit = 11 - modulo11(digits)
  return digit > 9 ? '1' : `${digit}`
}
const collectionModulo11 = (digits: string): string => {
  const rest = modulo11(digits)
  return rest < 2 ? '0' : `${11 - rest}`
}

const centavos = (digits: string): number => Number(digits) / 100

/** Positions of a bank's line in its code: the fields keep a check digit each, which the code has not. */
const barcodeOfBankLine = (line: string): string =>
  line.slice(0, 4) + line.slice(32) + line.slice(4, 9) + line.slice(10, 20) + line.slice(21, 31)

const bankLine = (barcode: string): string => {
  const fields = [barcode.slice(0, 4) + barcode.slice(19, 24), barcode.slice(24, 34), barcode.slice(34, 44)]
  return fields.map(field => field + modulo10(field)).join('') + barcode.slice(4, 19)
}

const readBank = (barcode: string, from: Boleto['from'], line = bankLine(barcode)): Boleto | undefined => {
  if (barcode[4] !== bankDigit(barcode.slice(0, 4) + barcode.slice(5)) || line !== bankLine(barcode)) return undefined
  return { kind: 'bank', from, amount: centavos(barcode.slice(9, 19)), barcode, line }
}

/** The third figure says how the check digits are made: 6 and 7 by ten, 8 and 9 by eleven. */
const collectionDigit = (barcode: string) => ('67'.includes(barcode[2] ?? '') ? modulo10 : collectionModulo11)

const collectionLine = (barcode: string): string => {
  const digit = collectionDigit(barcode)
  const fields = [0, 11, 22, 33].map(start => barcode.slice(start, start + 11))
  return fields.map(field => field + digit(field)).join('')
}

const readCollection = (barcode: string, from: Boleto['from'], line = collectionLine(barcode)): Boleto | undefined => {
  const kind = SEGMENTS[barcode[1] ?? '']
  if (kind === undefined || !'6789'.includes(barcode[2] ?? '')) return undefined
  const expected = collectionDigit(barcode)(barcode.slice(0, 3) + barcode.slice(4))
  if (barcode[3] !== expected || line !== collectionLine(barcode)) return undefined
  return { kind, from, amount: centavos(barcode.slice(4, 15)), barcode, line }
}

/** A bill (boleto) by the line one types or its bar code, masked or not; undefined when a check digit does not fit. */
export const readBoleto = (value: unknown): Boleto | undefined => {
  if (typeof value !== 'string' || !/^[\d\s.-]+$/u.test(value)) return undefined
  const digits = value.replaceAll(/\D/gu, '')
  const isCollection = digits.startsWith('8')
  if (digits.length === 44) return (isCollection ? readCollection : readBank)(digits, 'barcode')
  if (digits.length === 47 && !isCollection) return readBank(barcodeOfBankLine(digits), 'line', digits)
  if (digits.length !== 48 || !isCollection) return undefined
  const barcode = [0, 12, 24, 36].map(start => digits.slice(start, start + 11)).join('')
  return readCollection(barcode, 'line', digits)
}

export const isBoleto = (value: unknown): boolean => readBoleto(value) !== undefined

export const formatBoleto = (value: string | number): string => maskedDigits(value, MASK)
