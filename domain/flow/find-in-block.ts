import type { ParserName } from '#domain/expression/engine.ts'
import type { Place } from '#domain/expression/place.ts'
import { partsOf } from '#domain/expression/template-check.ts'
import type { BlockText } from './block-text.ts'
import { richRuns } from './rich-text-run.ts'

/** What is looked through: what a block is called, the words of a text, what is evaluated. */
export const TEXT_PARTS = ['title', 'text', 'expression'] as const
export type TextPart = (typeof TEXT_PARTS)[number]

export interface FoundText extends Place {
  readonly part: TextPart
}

const within = (inner: Place, outer: Place) =>
  inner.offset >= outer.offset && inner.offset + inner.length <= outer.offset + outer.length

const inRich = (source: string, find: (source: string) => readonly Place[]): readonly FoundText[] =>
  richRuns(source).flatMap(run =>
    find(source.slice(run.offset, run.offset + run.length)).map(({ offset, length }) => ({
      offset: run.offset + offset,
      length,
      part: run.isVariable ? ('expression' as const) : ('text' as const),
    })),
  )

const inTemplate = ({ text, template }: BlockText, found: readonly Place[], parser: ParserName) => {
  if (found.length === 0 || template === undefined) return []
  const literals = partsOf({ text, kind: template, parser }).filter(({ kind }) => kind === 'literal')
  return found.map((place): FoundText => {
    const isWords = literals.some(literal => within(place, literal.place))
    return { ...place, part: isWords ? 'text' : 'expression' }
  })
}

/** Where a text of a block says what is looked for, and whether as words or as an expression. */
export const findInText = (
  text: BlockText,
  find: (source: string) => readonly Place[],
  parser: ParserName,
): readonly FoundText[] => {
  if (text.role === 'rich') return inRich(text.text, find)
  const found = find(text.text)
  if (text.role === 'template') return inTemplate(text, found, parser)
  const part = text.role === 'title' ? 'title' : text.role === 'words' ? 'text' : 'expression'
  return found.map(place => ({ ...place, part }))
}

/** What goes into a text in another's place: inside of JSON as JSON writes it. */
const spelled = ({ template }: BlockText, by: string): string =>
  template === 'json' ? JSON.stringify(by).slice(1, -1) : by

/** The text with these places of it, in order, replaced. */
export const withReplaced = (text: BlockText, places: readonly Place[], by: string): string => {
  const spelling = spelled(text, by)
  return places.reduceRight(
    (made, { offset, length }) => made.slice(0, offset) + spelling + made.slice(offset + length),
    text.text,
  )
}
