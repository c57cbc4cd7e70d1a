import type { Engine, ParserName } from '#domain/expression/engine.ts'
import type { OpenedEngines } from '#domain/expression/template-check.ts'
import type { BlockText } from '../text/block-text.ts'
import { withReplaced } from '../text/find-in-block.ts'
import { variableUses } from './variable-use.ts'

export interface Renaming {
  readonly from: string
  readonly to: string
}

/** Whether an expression that is nothing but this name reads the variable of that name. */
export const isVariableName = (name: string, engine: Engine): boolean => {
  const parsed = engine.parse(name)
  return parsed.ok && parsed.value.references.length === 1 && parsed.value.references[0]?.name === name
}

const countOf = (text: BlockText, name: string, parser: ParserName, engines: OpenedEngines): number =>
  variableUses(text, parser, engines).filter(use => use.name === name).length

/**
 * Renames a variable in a text wherever its language reads that variable; undefined if the text does not name it.
 * `left`: count of old names that stay, because renaming them would change the meaning.
 */
export const renamedText = (
  text: BlockText,
  { from, to }: Renaming,
  parser: ParserName,
  engines: OpenedEngines,
): { readonly text: string; readonly left: number } | undefined => {
  if (!text.text.includes(from)) return undefined
  const uses = variableUses(text, parser, engines).filter(({ name }) => name === from)
  if (uses.length === 0) return undefined
  const places = uses.map(({ place }) => place)
  const isPlain = places.every(({ offset, length }) => text.text.slice(offset, offset + length) === from)
  const unchanged = { text: text.text, left: uses.length }
  if (!isPlain) return unchanged
  const made = { ...text, text: withReplaced(text, places, to) }
  // A name that the expression makes itself would take the renamed one's place.
  const wanted = countOf(text, to, parser, engines) + uses.length
  const isSame = countOf(made, to, parser, engines) === wanted && countOf(made, from, parser, engines) === 0
  return isSame ? { text: made.text, left: 0 } : unchanged
}
