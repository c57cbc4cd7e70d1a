import { formatBoleto, isBoleto } from '#domain/brazil/boleto.ts'
import { formatCep, formatCnpj, formatCpf, formatPis, isCep, isCnpj, isCpf, isPis } from '#domain/brazil/document.ts'
import { FaultError } from './engine.ts'

interface LibraryFunction {
  readonly takes: string
  readonly call: (...values: unknown[]) => unknown
}

/** A value that a text has no words for: none, or a number that could not be computed. */
export const isNothing = (value: unknown): boolean => value === undefined || value === null || Number.isNaN(value)

/** A value as text: '' for none, JSON for objects and lists. */
export const shown = (value: unknown): string => {
  if (isNothing(value)) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const list = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
const numbers = (values: readonly unknown[]): readonly number[] => values.flatMap(list).map(Number)
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
const entriesOf = (value: unknown): readonly [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
const optional = (value: unknown): number | undefined => (value === undefined ? undefined : Number(value))
const lengthOf = (value: unknown): number =>
  Array.isArray(value) ? value.length : entriesOf(value).length || shown(value).length
const rounded = (value: unknown, digits: unknown = 0): number => {
  const factor = 10 ** Number(digits)
  return Math.round((Number(value) + Number.EPSILON) * factor) / factor
}
const before = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : shown(a) < shown(b) ? -1 : shown(a) > shown(b) ? 1 : 0
const sliced = (value: unknown, from: unknown, to: unknown) =>
  (Array.isArray(value) ? value : shown(value)).slice(optional(from), optional(to))
const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (typeof value === 'object' && lengthOf(value) === 0)
const parsed = (text: unknown): unknown => {
  try {
    return JSON.parse(shown(text))
  } catch {
    throw new FaultError('value', 'json')
  }
}
const typed = (value: unknown): string | number => (typeof value === 'number' ? value : shown(value))

const of = (takes: string, call: LibraryFunction['call']): LibraryFunction => ({ takes, call })

/** Functions of every Jexl expression: pure, over plain data, with no clock. */
export const LIBRARY: ReadonlyMap<string, LibraryFunction> = new Map(
  Object.entries({
    upper: of('text', value => shown(value).toUpperCase()),
    lower: of('text', value => shown(value).toLowerCase()),
    capitalize: of('text', value => shown(value).replace(/^\p{L}/u, first => first.toUpperCase())),
    trim: of('text', value => shown(value).trim()),
    split: of('text, separator', (value, by) => shown(value).split(shown(by))),
    join: of('list, separator', (value, by = ',') => list(value).map(shown).join(shown(by))),
    replace: of('text, old, new', (value, old, made) => shown(value).replaceAll(shown(old), () => shown(made))),
    contains: of('text or list, part', (value, part) =>
      Array.isArray(value) ? value.includes(part) : shown(value).includes(shown(part)),
    ),
    startsWith: of('text, part', (value, part) => shown(value).startsWith(shown(part))),
    endsWith: of('text, part', (value, part) => shown(value).endsWith(shown(part))),
    slice: of('text or list, from, to', sliced),
    padStart: of('text, length, fill', (value, length, fill = ' ') =>
      shown(value).padStart(Math.min(Number(length), 1000), shown(fill)),
    ),
    digits: of('text', value => shown(value).replaceAll(/\D/gu, '')),
    length: of('text, list or object', lengthOf),
    isEmpty: of('value', isEmpty),
    default: of('value, otherwise', (value, otherwise) => (isEmpty(value) ? otherwise : value)),
    string: of('value', shown),
    number: of('value', value => (typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value))),
    boolean: of('value', value => value === true || value === 1 || /^(?:true|1|yes|sim|s[ií])$/iu.test(shown(value))),
    json: of('value', value => JSON.stringify(value)),
    parseJson: of('text', parsed),
    round: of('number, digits', rounded),
    floor: of('number', value => Math.floor(Number(value))),
    ceil: of('number', value => Math.ceil(Number(value))),
    abs: of('number', value => Math.abs(Number(value))),
    min: of('numbers', (...values) => Math.min(...numbers(values))),
    max: of('numbers', (...values) => Math.max(...numbers(values))),
    sum: of('numbers', (...values) => total(numbers(values))),
    average: of('numbers', (...values) => total(numbers(values)) / numbers(values).length),
    first: of('list', value => list(value)[0]),
    last: of('list', value => list(value).at(-1)),
    reverse: of('list', value => [...list(value)].reverse()),
    sort: of('list', value => [...list(value)].sort(before)),
    unique: of('list', value => [...new Set(list(value))]),
    keys: of('object', value => entriesOf(value).map(([key]) => key)),
    values: of('object', value => entriesOf(value).map(([, member]) => member)),
    isCpf: of('document', value => isCpf(value)),
    isCnpj: of('document', value => isCnpj(value)),
    isCep: of('document', isCep),
    isPis: of('document', isPis),
    isBoleto: of('document', isBoleto),
    formatCpf: of('document', value => formatCpf(typed(value))),
    formatCnpj: of('document', value => formatCnpj(typed(value), { letters: true })),
    formatCep: of('document', value => formatCep(typed(value))),
    formatPis: of('document', value => formatPis(typed(value))),
    formatBoleto: of('document', value => formatBoleto(typed(value))),
  }),
)
