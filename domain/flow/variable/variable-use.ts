import type { ParserName, VariableReference } from '#domain/expression/engine.ts'
import { type CheckedPart, checkWith, type OpenedEngines } from '#domain/expression/template-check.ts'
import type { BlockText } from '../text/block-text.ts'
import { rootName } from './variable-name.ts'

const named = (text: string): readonly VariableReference[] => {
  const name = rootName(text)
  return name === '' ? [] : [{ name, place: { offset: text.indexOf(name), length: name.length } }]
}

/** Text between the braces is a name even if no parser can read it: `{{my name}}`. */
const unread = (part: CheckedPart): readonly VariableReference[] => {
  if (part.kind !== 'placeholder' || part.expression !== undefined || part.loose || !part.closed) return []
  const name = part.source.trim()
  if (name === '' || part.offsets !== undefined) return []
  return [{ name, place: { offset: part.start + part.source.indexOf(name), length: name.length } }]
}

/** Every variable that a text of a block reads or names, with its place in the text. */
export const variableUses = (
  text: BlockText,
  parser: ParserName,
  engines: OpenedEngines,
): readonly VariableReference[] => {
  if (text.role === 'variable' || text.role === 'inside') return named(text.text)
  if (text.template === undefined) return []
  const { parts, references } = checkWith({ text: text.text, kind: text.template, parser }, engines)
  const all = [...references, ...parts.flatMap(unread)]
  return all.filter(({ place }) => place.length > 0).sort((a, b) => a.place.offset - b.place.offset)
}
