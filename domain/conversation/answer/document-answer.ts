import { isBoleto } from '#domain/brazil/boleto.ts'
import { isCep } from '#domain/brazil/cep.ts'
import { isCnpj } from '#domain/brazil/cnpj.ts'
import { isCpf } from '#domain/brazil/cpf.ts'
import { bare } from '#domain/brazil/document.ts'
import { isPis } from '#domain/brazil/pis.ts'

/** ISO/IEC 7812: 12 to 19 figures, the last one a check digit (Luhn); no issuer has a number of one figure repeated. */
const isCreditCard = (text: string): boolean => {
  if (!/^\d[\d .-]+$/u.test(text)) return false
  const digits = text.replace(/\D/gu, '')
  if (!/^\d{12,19}$/u.test(digits) || new Set(digits).size < 2) return false
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const weighted = Number(digit) * (place % 2 === 0 ? 1 : 2)
    return total + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
  return sum % 10 === 0
}

interface DocumentKind {
  readonly isValid: (value: string) => boolean
  /** Figures of it, as far as a number without its leading zeros can be one. */
  readonly length: number
}

const DOCUMENTS: ReadonlyMap<string, DocumentKind> = new Map([
  ['CPF', { isValid: (value: string) => isCpf(value), length: 11 }],
  ['CNPJ', { isValid: (value: string) => isCnpj(value), length: 14 }],
  ['CEP', { isValid: isCep, length: 8 }],
  ['PIS', { isValid: isPis, length: 11 }],
  ['Boleto', { isValid: isBoleto, length: 44 }],
  ['CreditCard', { isValid: isCreditCard, length: 12 }],
])

export const isDocumentKind = (validationType: string): boolean => DOCUMENTS.has(validationType)

/** Marks that stand between the figures of a document. */
const MARKED = /^[\da-z\s./-]+$/iu

/**
 * A document's figures without its marks, zeros in front included (of a CNPJ its letters too, as capitals); undefined
 * where its check digits do not fit. A number has lost its leading zeros and gets them back.
 */
export const documentFigures = (validationType: string, said: string | number): string | undefined => {
  const kind = DOCUMENTS.get(validationType)
  const written = typeof said === 'number' && kind !== undefined ? bare(said, kind.length) : `${said}`
  const text = written.replace(/[\u2010-\u2015]/gu, '-')
  return kind !== undefined && MARKED.test(text) && kind.isValid(text) ? bare(text, 0) : undefined
}

const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IP_V4 = new RegExp(`^${BYTE}(?:\\.${BYTE}){3}$`, 'u')

/** An address of the internet: IPv4 in four decimal numbers without leading zeros, IPv6 (RFC 4291) without a zone. */
export const isIp = (text: string): boolean =>
  IP_V4.test(text) || (/^[\da-f:.]{2,45}$/iu.test(text) && text.includes(':') && URL.canParse(`http://[${text}]/`))
