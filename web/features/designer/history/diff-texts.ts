import type { TFunction } from 'i18next'
import { fieldAt } from '#domain/flow/document/location.ts'
import type { Json } from '#schemas/event.ts'
import { blockLabel } from '#schemas/flow/summary.ts'
import { NAME, type Translate } from '../model/label.ts'
import type { FieldDetail } from './field-row.ts'

const inBlock = (keys: readonly string[]) => keys.map(key => `block:${key}`)
const UNTITLED = new Set(['title', 'type', 'pos', 'inputs', 'outputs'])

const firstOf = (keys: readonly string[], words: Translate): string => {
  for (const key of keys) {
    const found = words(key, { defaultValue: '' })
    if (found !== '') return found
  }
  return ''
}

/** Label of a field on its form; `Branches 2 · Values` inside a list. */
export const fieldLabel = (
  type: string,
  detail: Pick<FieldDetail, 'names' | 'places'>,
  words: Translate,
  t: TFunction<'history'>,
): string => {
  // A property that is called as an entry of the block: `properties.title` is the title of a card.
  const names = detail.names[0] === 'properties' && detail.names.length > 1 ? detail.names.slice(1) : detail.names
  const [head = '', ...rest] = names
  if (names === detail.names && UNTITLED.has(head)) return t(`flow.field.${head}`)
  const label = (path: readonly string[]) =>
    firstOf(inBlock(blockLabel.field(type, path)), words) || (path.at(-1) ?? '')
  const place = detail.places.join('.')
  const top = place === '' ? label([head]) : `${label([head])} ${place}`
  return rest.length === 0 ? top : `${top} · ${label(names)}`
}

/** Converts markup to lines and words; keeps text without markup. */
const plainLines = (text: string): string =>
  text
    .replace(/<br\s*\/?>|<\/(?:p|li|h\d)>/giu, '\n')
    .replace(/<\/?[a-z][^<>]*>/giu, '')
    .replace(/\n{3,}/gu, '\n\n')
    .trim()

const point = (value: Json | undefined): string => {
  const at = value as { readonly x?: Json; readonly y?: Json } | undefined
  return `${at?.x ?? 0}, ${at?.y ?? 0}`
}

/** The names of a detail with a place for each item on the way, as a field's path has it. */
const withItems = (type: string, names: readonly string[]): readonly string[] => {
  const path: string[] = []
  for (const name of names) {
    if (path.length > 0 && fieldAt(type, path)?.kind === 'list') path.push('')
    path.push(name)
  }
  return path
}

const plainValue = (
  type: string,
  detail: FieldDetail,
  value: Json | undefined,
  words: Translate,
  t: TFunction<'history'>,
): string => {
  if (value === undefined || value === null || value === '') return ''
  if (typeof value === 'boolean') return t(value ? 'flow.on' : 'flow.off')
  if (detail.names[0] === 'pos') return point(value)
  if (typeof value === 'string') {
    const field = fieldAt(type, withItems(type, detail.names))
    if (field?.kind === 'reference') return words(`${NAME}${field.to}`, { id: value, defaultValue: '' }) || value
    const [key = ''] = blockLabel.option(detail.names, value)
    return words(`block:${key}`, { defaultValue: '' }) || value
  }
  return typeof value === 'number' ? String(value) : JSON.stringify(value, null, 2)
}

export interface DiffTexts {
  readonly before: string
  readonly after: string
  /** Fits beside each other in one line. */
  readonly short: boolean
  readonly code: boolean
}

const SHORT = 26

/** Both sides of a difference as a person reads them. */
export const valueWords = (type: string, detail: FieldDetail, words: Translate, t: TFunction<'history'>): DiffTexts => {
  const raw = [detail.before, detail.after].map(value => plainValue(type, detail, value, words, t))
  const plain = raw.map(plainLines)
  // If only markup changed, shows the markup.
  const [before = '', after = ''] = plain[0] === plain[1] ? raw : plain
  const code = [detail.before, detail.after].some(value => typeof value === 'object' && value !== null)
  const long = (text: string) => text.length > SHORT || text.includes('\n')
  return { before, after, short: !long(before) && !long(after), code: code && detail.names[0] !== 'pos' }
}
