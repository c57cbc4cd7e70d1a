import type { JsonObject } from '#schemas/event.ts'
import { textAt } from '#schemas/json.ts'

/** Source of one variable. */
export interface MappedVariable {
  readonly variable: string
  /** `nome`, `field01` … `field16`, or `text`. */
  readonly source: string
  readonly text: string
  readonly default: string
  readonly format: string
}

/** Contact data for variables. */
interface MappedContact {
  readonly nome: string
  readonly fields: Readonly<Record<string, string>>
}

/** The field `mapping` of a campaign as it is used. */
export const mappingOf = (items: unknown): readonly MappedVariable[] =>
  (Array.isArray(items) ? items : []).map((item: JsonObject) => ({
    variable: textAt(item, 'variable').trim(),
    source: textAt(item, 'source') || 'nome',
    text: textAt(item, 'text'),
    default: textAt(item, 'default'),
    format: textAt(item, 'format') || 'text',
  }))

/** `1234.5`, `1.234,50` or `1234,5`; undefined for what is no number. */
const numberOf = (text: string): number | undefined => {
  const plain = text.trim()
  const decimal = plain.includes(',') ? plain.replaceAll('.', '').replace(',', '.') : plain
  return /^-?\d{1,15}(\.\d{1,10})?$/u.test(decimal) ? Number(decimal) : undefined
}

const formatted = (text: string, format: string, locale: string): string => {
  if (format === 'uppercase') return text.toLocaleUpperCase(locale)
  if (format === 'date') {
    const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/u.exec(text.trim()) ?? []
    if (year === undefined) return text
    return locale === 'en-US' ? `${month}/${day}/${year}` : `${day}/${month}/${year}`
  }
  const number = format === 'number' || format === 'currency' ? numberOf(text) : undefined
  if (number === undefined) return text
  const style = format === 'currency' ? ({ style: 'currency', currency: 'BRL' } as const) : {}
  return new Intl.NumberFormat(locale, style).format(number).replaceAll('\u00a0', ' ')
}

/**
 * The values of a template's variables for a contact, in `locale` (pt_BR); `missing` is the first one that has neither a
 * value nor a default.
 */
export const mappedValues = (
  variables: readonly string[],
  mapping: readonly MappedVariable[],
  contact: MappedContact,
  locale: string,
): { readonly values: ReadonlyMap<string, string>; readonly missing?: string } => {
  const values = new Map<string, string>()
  for (const variable of variables) {
    const found = mapping.find(each => each.variable === variable)
    if (found === undefined) return { values, missing: variable }
    const { source } = found
    const own = source === 'text' ? found.text : source === 'nome' ? contact.nome : (contact.fields[source] ?? '')
    const given = own.trim() === '' ? '' : formatted(own.trim(), found.format, locale.replace('_', '-'))
    const value = given === '' ? found.default : given
    if (value.trim() === '') return { values, missing: variable }
    values.set(variable, value)
  }
  return { values }
}
