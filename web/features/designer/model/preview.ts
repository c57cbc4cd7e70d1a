import { fieldAt } from '#domain/flow/document/location.ts'
import {
  type ConnectorModel,
  type Json,
  type JsonObject,
  type NodeModel,
  valueNamed,
} from '#domain/flow/document/model.ts'
import { type Block, ERROR_CONNECTOR } from '#schemas/block.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { BlockField, BlockFields } from '#schemas/flow/block-field.ts'
import { isObject } from '#schemas/json.ts'
import { isOtherwise, referenceLabel, type Translate, wayWords } from './label.ts'

/** Formatting of chats, around words and not within them, each in the others. */
const FORMATS = {
  bold: /(?<![\p{L}\p{N}*/{])\*+([^\s*][^*\n]*)\*+(?![\p{L}\p{N}])/gu,
  italic: /(?<![\p{L}\p{N}_/{])_+([^\s_][^_\n]*)_+(?![\p{L}\p{N}])/gu,
  struck: /(?<![\p{L}\p{N}~/{])~+([^\s~][^~\n]*)~+(?![\p{L}\p{N}])/gu,
} as const

type Format = keyof typeof FORMATS

const NAMES: readonly Format[] = ['bold', 'italic', 'struck']

export interface ChatRun {
  readonly text: string
  readonly formats: readonly Format[]
}

/** A text without the marks of chat formatting. */
const withoutFormats = (text: string): string => NAMES.reduce((words, name) => words.replace(FORMATS[name], '$1'), text)

/** A text's runs as a chat shows them, without the marks. */
export const chatRuns = (text: string, formats: readonly Format[] = []): readonly ChatRun[] => {
  for (const name of NAMES) {
    const [match] = text.matchAll(FORMATS[name])
    if (match === undefined) continue
    return [
      ...chatRuns(text.slice(0, match.index), formats),
      ...chatRuns(match[1] ?? '', [...formats, name]),
      ...chatRuns(text.slice(match.index + match[0].length), formats),
    ]
  }
  return text === '' ? [] : [{ text, formats }]
}

/** A run of a block's two preview lines. `way` is the number that the port below carries. */
type PreviewPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly text: string }
  | { readonly kind: 'way'; readonly text: string }

export interface Preview {
  readonly parts: readonly PreviewPart[]
  readonly code: boolean
  /** Nothing was filled in; the words say what the block does instead. */
  readonly empty: boolean
}

/** Longer texts are cut by the block anyway. */
const MAX_LENGTH = 160
const at = (value: Json | undefined, ...path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((held, name) => (isObject(held) ? held[name] : undefined), value)
const words = (value: Json | undefined): string => (typeof value === 'string' ? value.trim() : '')
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** Tags within a line: words on both sides of one are one word. */
const INLINE = /<\/?(?:a|b|code|del|em|font|i|ins|mark|s|small|span|strike|strong|sub|sup|u)(?:\s[^<>]*)?>/giu

const ENTITIES: Readonly<Record<string, string>> = {
  nbsp: ' ',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  amp: '&',
}

/** Readable text: no markup or chat formatting, single spaces. */
export const plainWords = (text: string): string =>
  withoutFormats(
    text
      .replace(/<<([^<>]+)>>/gu, '{{$1}}')
      .replace(INLINE, '')
      .replace(/<[^<>]*>/gu, ' '),
  )
    .replace(/&(nbsp|lt|gt|quot|apos|#39|amp);/gu, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\s+/gu, ' ')
    .trim()

/** A text's runs, variables apart from words. `longest` in UTF-16 units. */
export const partsOf = (source: string, longest = MAX_LENGTH): readonly PreviewPart[] => {
  const parts: PreviewPart[] = []
  const text = plainWords(source).slice(0, longest)
  let from = 0
  for (const match of text.matchAll(/\{\{?([^{}]+)\}\}?/gu)) {
    if (match.index > from) parts.push({ kind: 'text', text: text.slice(from, match.index) })
    parts.push({ kind: 'variable', text: (match[1] ?? '').trim() })
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) })
  return parts
}

/** A preview as one line. */
export const previewText = ({ parts }: Preview): string =>
  parts
    .map(({ kind, text }) => (kind === 'way' ? ` ${text} ` : text))
    .join('')
    .replace(/\s+/gu, ' ')
    .trim()

const said = (text: string): Preview => ({ parts: partsOf(text), code: false, empty: text === '' })
const coded = (text: string): Preview => ({
  parts: [{ kind: 'text', text: text.replace(/[^\S\u00a0]+/gu, ' ').slice(0, MAX_LENGTH) }],
  code: true,
  empty: text === '',
})
const hint = (text: string): Preview => ({ parts: [{ kind: 'text', text }], code: false, empty: true })

/** Outputs with the number at their port and their words. */
const wayParts = (
  node: NodeModel,
  t: Translate,
  isShown: (output: ConnectorModel) => boolean,
): readonly PreviewPart[] =>
  node.outputs.flatMap((output, index): PreviewPart[] =>
    isShown(output)
      ? [
          { kind: 'way', text: isOtherwise(output) ? '↳' : String(index + 1) },
          { kind: 'text', text: wayWords(node, output, index, t) },
        ]
      : [],
  )

const condition = (node: NodeModel, t: Translate): Preview => ({
  parts: wayParts(node, t, () => true),
  code: false,
  empty: false,
})

const mediaWords = (media: Json | undefined, t: Translate): string => {
  const text = words(at(media, 'text')) || words(at(media, 'title'))
  if (text !== '') return text
  const type = words(at(media, 'type'))
  if (type === '' && words(at(media, 'uri')) === '') return ''
  const kind = type.split('/')[0] ?? ''
  const named = ['image', 'audio', 'video', 'application'].includes(kind) ? t(`media.${kind}`) : t('media.file')
  return [named, type, words(at(media, 'aspectRatio'))].filter(part => part !== '').join(' · ')
}

const carousel = (node: NodeModel, t: Translate): Preview => {
  const cards = list(at(node.properties, 'cards', 'items'))
  const titles = cards.map(card => words(at(card, 'header', 'value', 'title'))).filter(title => title !== '')
  const count = cards.length === 0 ? '' : t('cards', { count: cards.length })
  return said([count, titles.join(', ')].filter(part => part !== '').join(' · '))
}

const assigned = (node: NodeModel): Preview =>
  coded(
    list(node.properties.variables)
      .map(item => `${words(at(item, 'name'))} = ${words(at(item, 'value'))}`)
      .join(', '),
  )

const cleared = (node: NodeModel): Preview =>
  coded(
    list(node.properties.variables)
      .map(item => words(at(item, 'name')) || words(item))
      .filter(name => name !== '')
      .join(', '),
  )

/** After how long which task runs. */
const scheduled = ({ properties }: NodeModel, t: Translate): Preview => {
  const { scheduleQuantity: count, scheduleUnit, task, taskdialog } = properties
  const unit = words(scheduleUnit)
  const after = typeof count === 'number' && unit !== '' ? t(`after.${unit}`, { count, defaultValue: unit }) : ''
  const target = [referenceLabel('dialogtask', words(task), t), referenceLabel('dialog', words(taskdialog), t)]
  return said([after, ...target].filter(part => part !== '').join(' · '))
}

const previews: Readonly<Record<string, (node: NodeModel, t: Translate) => Preview>> = {
  condition,
  carousel,
  assignvariables: assigned,
  clearvariables: cleared,
  schedule: scheduled,
  text: node => said(words(node.properties.text)),
  prompt: (node, t) => {
    const question = words(at(node.properties, 'data', 'text'))
    return question === '' ? hint(t('waitsForAnswer')) : said(question)
  },
  mediacard: (node, t) => said(mediaWords(node.properties.media, t)),
  restservice: node =>
    // They stay on one line, so that the address fills it.
    coded(`${words(node.properties.methodType).toUpperCase()}\u00a0${words(node.properties.url)}`.trim()),
  adaptivecard: node =>
    said(
      words(
        list(node.properties.body)
          .map(part => at(part, 'text'))
          .find(text => words(text) !== ''),
      ),
    ),
  handler: (node, t) => coded(referenceLabel('handler', words(node.properties.name), t) || words(node.properties.js)),
}

const firstWords = (fields: BlockFields, values: JsonObject, t: Translate): string => {
  for (const [name, field] of Object.entries(fields)) {
    const found = fieldWords(field, name, values[name], t)
    if (found !== '') return found
  }
  return ''
}

/** Reference kinds that are no target: the answer's variable and its schema, and a template beside its text. */
const NO_TARGETS: ReadonlySet<string> = new Set(['variable', 'variableschema', 'template'])

/** Target of a block: the task and, if selected, its dialog. */
const targetWords = (fields: BlockFields, values: JsonObject, t: Translate): string =>
  Object.entries(fields)
    .map(([name, field]) =>
      field.kind === 'reference' && !NO_TARGETS.has(field.to) ? referenceLabel(field.to, words(values[name]), t) : '',
    )
    .filter(name => name !== '')
    .join(' · ')

const QUIET = new Set(['titleorig', 'datatype', 'contentType', 'type', 'itemType'])

const valueWords = (block: Block, name: string, value: Json | undefined, t: Translate): string => {
  const field = fieldAt(block.type, name.split('.'))
  if (typeof value === 'number') return String(value)
  if (field?.kind === 'reference') return referenceLabel(field.to, words(value), t)
  if (field?.kind !== 'enumeration' || words(value) === '') return words(value)
  return t(`block:option.${name.split('.').at(-1)}.${words(value)}`, { defaultValue: words(value) })
}

/** A declaration's summary with its fields filled in; omits empty parts and their separators. */
const summaryWords = (block: Block, properties: JsonObject, t: Translate): string => {
  const filled = (part: string) =>
    part.replace(/\{([\w.]+)\}/gu, (_, name: string) => valueWords(block, name, valueNamed(properties, name), t))
  const parts = (block.summary ?? '').split(' · ').map(part => ({ part, said: filled(part) }))
  const full = parts.filter(({ part, said }) => said !== part.replace(/\{[\w.]+\}/gu, ''))
  return full.map(({ said }) => said.trim()).join(' · ')
}

const fieldWords = (field: BlockField, name: string, value: Json | undefined, t: Translate): string => {
  if (QUIET.has(name) || value === undefined) return ''
  if (field.kind === 'rich' || field.kind === 'expression' || field.kind === 'code') return words(value)
  if (field.kind === 'reference') return referenceLabel(field.to, words(value), t)
  if (field.kind === 'string') return value === field.initial ? '' : words(value)
  return field.kind === 'group' && isObject(value) ? firstWords(field.fields, value, t) : ''
}

const messageOf = (node: NodeModel, t: Translate): Preview => {
  const own = previews[node.type]?.(node, t)
  if (own !== undefined && !own.empty) return own
  const block = blockOf(node.type)
  if (block === undefined)
    return hint(node.type === '' ? t('block:description.unknown') : t('foreignType', { type: node.type }))
  const { fields } = block
  const found =
    own === undefined
      ? summaryWords(block, node.properties, t) ||
        targetWords(fields, node.properties, t) ||
        firstWords(fields, node.properties, t)
      : ''
  if (found !== '') return said(found)
  return own?.parts.some(({ text }) => text !== '')
    ? own
    : hint(t(`block:description.${node.type}`, { defaultValue: '' }))
}

/** Two lines under a block's title: its message or its action, then the options and buttons that have outputs. */
export const previewOf = (node: NodeModel, t: Translate): Preview => {
  const message = messageOf(node, t)
  const ways = wayParts(node, t, ({ id, choice }) => choice !== undefined && id !== ERROR_CONNECTOR)
  return ways.length === 0 ? message : { ...message, parts: [...message.parts, ...ways] }
}
