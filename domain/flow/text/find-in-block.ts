import { EXPRESSION_LIMITS, type ParserName, type Place } from '#domain/expression/engine.ts'
import type { TemplateKind } from '#domain/expression/template.ts'
import { partsOf } from '#domain/expression/template-check.ts'
import type { FlowHit } from '#schemas/api/flow-text.ts'
import type { BlockText } from './block-text.ts'
import type { Finder } from './find-text.ts'
import { richRuns } from './rich-text.ts'

/** Searched parts: a block's title, the words of a text, expressions. */
export const TEXT_PARTS = ['title', 'text', 'expression'] as const
export type TextPart = (typeof TEXT_PARTS)[number]

interface FoundText extends Place {
  readonly part: TextPart
}

const within = (inner: Place, outer: Place) =>
  inner.offset >= outer.offset && inner.offset + inner.length <= outer.offset + outer.length

function* inRich(source: string, find: Finder): Generator<FoundText> {
  for (const run of richRuns(source)) {
    const part = run.isVariable ? 'expression' : 'text'
    for (const { offset, length } of find(source.slice(run.offset, run.offset + run.length))) {
      yield { offset: run.offset + offset, length, part }
    }
  }
}

/** Goes through places and literals side by side, both in order. A template that is too long for the engines is words. */
function* inTemplate({ text, template }: BlockText, find: Finder, parser: ParserName): Generator<FoundText> {
  if (template === undefined) return
  const isRead = text.length <= EXPRESSION_LIMITS.template
  let literals: Iterator<Place> | undefined
  let literal: Place | undefined
  for (const place of find(text)) {
    if (isRead && literals === undefined) {
      literals = literalsOf(text, template, parser)
      literal = literals.next().value
    }
    while (literal !== undefined && literal.offset + literal.length < place.offset + place.length) {
      literal = literals?.next().value
    }
    yield { ...place, part: !isRead || (literal !== undefined && within(place, literal)) ? 'text' : 'expression' }
  }
}

const literalsOf = (text: string, kind: TemplateKind, parser: ParserName): Iterator<Place, undefined> =>
  partsOf({ text, kind, parser })
    .filter(part => part.kind === 'literal')
    .map(part => part.place)
    [Symbol.iterator]()

/** Matches in a text of a block, and whether as words or as an expression; yielded place by place. */
export function* foundIn(text: BlockText, find: Finder, parser: ParserName): Generator<FoundText> {
  if (text.role === 'rich') yield* inRich(text.text, find)
  else if (text.role === 'template') yield* inTemplate(text, find, parser)
  else {
    const part = text.role === 'title' ? 'title' : text.role === 'words' ? 'text' : 'expression'
    for (const place of find(text.text)) yield { ...place, part }
  }
}

/** Escapes a replacement text for its target: as JSON inside of JSON. */
const spelled = ({ template }: BlockText, by: string): string =>
  template === 'json' ? JSON.stringify(by).slice(1, -1) : by

/** The text with these places of it, in order, replaced. */
export const withReplaced = (text: BlockText, places: readonly Place[], by: string): string => {
  const spelling = spelled(text, by)
  const made: string[] = []
  let from = 0
  for (const { offset, length } of places) {
    made.push(text.text.slice(from, offset), spelling)
    from = offset + length
  }
  return made.join('') + text.text.slice(from)
}

/** Characters shown before and after what was found. */
const AROUND = 60

/** A block as search results describe it. */
export type HitBlock = Pick<FlowHit, 'block' | 'type' | 'title' | 'section'>

/** A match at a place of one of a block's texts, with the words around it. */
export const hitAt = (block: HitBlock, text: BlockText, place: Place, part: FlowHit['part']): FlowHit => {
  const { offset, length } = place
  const end = offset + length
  return {
    ...block,
    field: text.field,
    path: [...text.path],
    ...(text.at === undefined ? {} : { at: text.at }),
    offset,
    length,
    part,
    // A cut may fall within a character.
    before: text.text.slice(Math.max(0, offset - AROUND), offset).toWellFormed(),
    text: text.text.slice(offset, end),
    after: text.text.slice(end, end + AROUND).toWellFormed(),
  }
}
