import type * as Y from 'yjs'
import type { TemplateKind } from '#domain/expression/template.ts'
import { fieldLanguage } from '#domain/expression/template-check.ts'
import type { Block } from '#schemas/block.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json } from '#schemas/event.ts'
import type { BlockField, BlockFields } from '#schemas/flow/block-field.ts'
import { nodeOf, propertiesOf } from '../document/document.ts'
import { setField, setTitle } from '../document/edit.ts'
import { type FieldPath, locate } from '../document/location.ts'
import { type Content, type Entries, itemsOf } from '../document/model.ts'
import { escapeKey } from '../document/shape.ts'
import { fromShared, mapEntries } from '../document/shared.ts'

/** Titles that a program wrote and no person needs: MIME types, `input`, the type's own name. */
export const isMachineTitle = (title: string, type: string): boolean =>
  title.trim() === '' || title === type || title === 'input' || /^[a-z]+\/[\w.+-]+$/u.test(title)

/**
 * Role of a text for its reader: a title, words, rich words with variables, words with expressions, a path into data, a
 * program, the name of a variable, or a path in one (`order.total`).
 */
type TextRole = 'title' | 'words' | 'rich' | 'template' | 'path' | 'script' | 'variable' | 'inside'

/** A text of a block that people write, with its place. */
export interface BlockText {
  /** From `properties` down, items by their ids; empty for the title. */
  readonly path: readonly string[]
  /** Its place in a list of short texts that is one value. */
  readonly at?: number
  /** Dotted name, without ids of items. */
  readonly field: string
  readonly role: TextRole
  /** Given for the roles with expressions. */
  readonly template?: TemplateKind
  readonly text: string
}

type Kind = Pick<BlockText, 'role' | 'template'>

/** Bookkeeping, ids, choices among given values and what must have a form are not for people to rewrite as text. */
const kindOf = (block: Block, field: BlockField): Kind | undefined => {
  if (field.hidden === true) return undefined
  switch (field.kind) {
    case 'string':
      return field.control === undefined ? { role: 'words' } : undefined
    case 'strings':
      if (field.variables === true) return { role: 'inside' }
      if (field.expressions === true) return { role: 'template', template: 'value' }
      return field.options === undefined ? { role: 'words' } : undefined
    case 'reference':
      return field.to === 'variable' ? { role: 'variable' } : undefined
    case 'rich':
      return { role: 'rich', template: 'text' }
    case 'expression':
    case 'code':
    case 'json': {
      const language = fieldLanguage(block.category, field)
      if (field.kind === 'json') return { role: 'template', template: 'json' }
      if (language === undefined) return { role: 'script' }
      return language.kind === 'template' ? { role: 'template', template: language.template } : { role: 'path' }
    }
    default:
      return undefined
  }
}

interface Place {
  readonly path: readonly string[]
  readonly names: readonly string[]
}

const stringsOf = (content: Content): readonly string[] =>
  content.kind === 'value' && Array.isArray(content.value)
    ? content.value.filter((each: Json) => typeof each === 'string')
    : []

const leaf = (block: Block, field: BlockField, content: Content, { path, names }: Place): readonly BlockText[] => {
  const kind = kindOf(block, field)
  if (kind === undefined) return []
  const made = { path, field: names.join('.'), ...kind }
  if (field.kind === 'strings') {
    const texts = stringsOf(content)
    const isWhole = content.kind === 'value' && Array.isArray(content.value) && content.value.length === texts.length
    return isWhole ? texts.map((text, at) => ({ ...made, at, text })).filter(({ text }) => text !== '') : []
  }
  const isText = content.kind === 'text' || content.kind === 'rich' || content.kind === 'value'
  return isText && typeof content.value === 'string' && content.value !== '' ? [{ ...made, text: content.value }] : []
}

const textsIn = (
  block: Block,
  fields: BlockFields,
  entries: Entries,
  place: Place,
  inItem: boolean,
): readonly BlockText[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const content = entries.get(escapeKey(name, inItem))
    if (content === undefined || field.hidden === true) return []
    const here = { path: [...place.path, name], names: [...place.names, name] }
    if (field.kind === 'group') {
      return content.kind === 'map' ? textsIn(block, field.fields, content.entries, here, false) : []
    }
    if (field.kind !== 'list') return leaf(block, field, content, here)
    return itemsOf(content).flatMap(({ id, entries: inner }) =>
      textsIn(block, field.item, inner, { ...here, path: [...here.path, id] }, true),
    )
  })

/** Everything that people wrote in a block, its title first; of a type that nobody knows, the title alone. */
export const textsOfBlock = (doc: Y.Doc, id: string): readonly BlockText[] => {
  const node = nodeOf(doc, id)
  const properties = propertiesOf(doc, id)
  const [type, title] = [String(node?.get('type') ?? ''), node?.get('title')]
  const block = blockOf(type)
  const named: readonly BlockText[] =
    typeof title === 'string' && !isMachineTitle(title, type)
      ? [{ path: [], field: 'title', role: 'title', text: title }]
      : []
  if (block === undefined || properties === undefined) return named
  return [...named, ...textsIn(block, block.fields, mapEntries(properties), { path: [], names: [] }, false)]
}

/** Puts another text in the place of one, by their difference; false where it is no longer there. */
export const writeText = (
  doc: Y.Doc,
  id: string,
  { path, at, text }: BlockText,
  next: string,
  origin: unknown,
): boolean => {
  const [first, ...rest] = path
  if (first === undefined) {
    setTitle(doc, id, next, origin)
    return nodeOf(doc, id) !== undefined
  }
  const where: FieldPath = [first, ...rest]
  if (at === undefined) return setField(doc, id, where, next, origin)
  const place = locate(doc, id, where)
  const held = place && fromShared(place.map.get(place.key))
  if (held?.kind !== 'value' || !Array.isArray(held.value) || held.value[at] !== text) return false
  return setField(doc, id, where, held.value.with(at, next), origin)
}
