import type { TFunction } from 'i18next'
import { fieldAt } from '#domain/flow/document/location.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { blockLabel } from '#schemas/flow/summary.ts'
import { isObject } from '#schemas/json.ts'
import { NAME, type Translate } from '../model/label.ts'
import { type FieldDetail, withItems } from './field-row.ts'

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
  // Skips the name of a group: `Options 3`, not `Question 3 · Options`.
  const isGroup = rest.length > 0 && fieldAt(type, [head])?.kind === 'group'
  const first = names.slice(0, isGroup ? 2 : 1)
  const top = place === '' ? label(first) : `${label(first)} ${place}`
  return names.length === first.length ? top : `${top} · ${label(names)}`
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

const isWordy = (value: Json): boolean => typeof value !== 'object' || value === null

/** The members of an item that say something, a line each; a single one alone. */
const itemWords = (type: string, detail: FieldDetail, item: JsonObject, words: Translate, t: TFunction<'history'>) => {
  const said = Object.entries(item).flatMap(([name, value]) => {
    const names = [...detail.names, name]
    if (name === 'id' || fieldAt(type, withItems(type, names)) === undefined) return []
    const plain = plainValue(type, { ...detail, names }, value, words, t)
    return plain === '' ? [] : [{ label: firstOf(inBlock(blockLabel.field(type, names)), words) || name, plain }]
  })
  const [only] = said
  if (said.length === 1 && only !== undefined) return only.plain
  return said.map(({ label, plain }) => `${label}: ${plain}`).join('\n')
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
  const field = fieldAt(type, withItems(type, detail.names))
  if (typeof value === 'string') {
    if (field?.kind === 'reference') return words(`${NAME}${field.to}`, { id: value, defaultValue: '' }) || value
    const [key = ''] = blockLabel.option(detail.names, value)
    return words(`block:${key}`, { defaultValue: '' }) || value
  }
  if (typeof value === 'number') return String(value)
  const known = field?.kind === 'list' || field?.kind === 'strings' || field?.kind === 'group'
  if (Array.isArray(value) && (known || value.every(isWordy))) {
    const items = value.map(item => plainValue(type, detail, item, words, t)).filter(item => item !== '')
    return items.join(items.some(item => item.includes('\n')) ? '\n\n' : ', ')
  }
  const said = known && isObject(value) ? itemWords(type, detail, value, words, t) : ''
  return said === '' ? JSON.stringify(value, null, 2) : said
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
  const code = [detail.before, detail.after].some(
    (value, side) => typeof value === 'object' && value !== null && raw[side] === JSON.stringify(value, null, 2),
  )
  const long = (text: string) => text.length > SHORT || text.includes('\n')
  return { before, after, short: !long(before) && !long(after), code: code && detail.names[0] !== 'pos' }
}
