import type { Engine, Outcome, ParserName, VariableReference } from '#domain/expression/engine.ts'
import { type CheckedPart, checkWith, type OpenedEngines } from '#domain/expression/template-check.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, own, record } from '#schemas/json.ts'
import type { FlowModel, NodeModel } from '../document/model.ts'
import type { BlockText } from '../text/block-text.ts'
import { withReplaced } from '../text/find-in-block.ts'

/** Built-in variables of a conversation, never declared. */
export const SYSTEM_VARIABLES: ReadonlySet<string> = new Set([
  'context',
  'input',
  'user',
  'contact',
  'conversation',
  'channel',
  'bot',
  'intent',
  'entities',
  'tags',
  'handler',
  'agent',
  'campaign',
  'now',
])

/** Whether a variable name is valid, independent of its language. */
export const isPlainName = (written: string): boolean => /^[\p{L}_$][\p{L}\d_$]*$/u.test(written)

/** The variable in a name that may lead into it: `order` of `order.total`, `items` of `items[0]`. */
export const rootName = (written: string): string => /^[^.[@\s]*/u.exec(written.trim())?.[0] ?? ''

/** Whether this names a variable or leads into one, as {@link rootName} reads it: no further word follows. */
export const isPlainPath = (written: string): boolean => {
  const root = rootName(written)
  return isPlainName(root) && /^(?:$|[.[@])/u.test(written.trim().slice(root.length))
}

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

/** One line of an assignment: the variable, or a path in one (`order.total`), and a text with placeholders. */
export interface AssignedLine {
  readonly name: string
  readonly value: string
}

const PATH = /^[^.[\]\s]+(?:\.[^.[\]\s]+)*$/u

const put = (into: JsonObject, [first = '', ...rest]: readonly string[], value: Json): JsonObject => {
  const held = own(into, first)
  const made = rest.length === 0 ? value : put(isObject(held) ? held : {}, rest, value)
  return record([...Object.entries(into).filter(([name]) => name !== first), [first, made]])
}

/** The variables with one of them, or a member of one, set; as they were for a name that is none. */
export const withAssigned = (variables: JsonObject, name: string, value: Json): JsonObject =>
  PATH.test(name) ? put(variables, name.split('.'), value) : variables

/** The variables before each line of an assignment: earlier lines are applied. A line that fails sets nothing. */
export const assignedBefore = async (
  lines: readonly AssignedLine[],
  variables: JsonObject,
  evaluate: (text: string, variables: JsonObject) => Promise<Outcome<unknown>>,
): Promise<readonly JsonObject[]> => {
  const found: JsonObject[] = []
  let held = variables
  for (const { name, value } of lines) {
    found.push(held)
    const outcome = await evaluate(value, held)
    if (outcome.ok) held = withAssigned(held, name.trim(), (outcome.value ?? null) as Json)
  }
  return found
}

/** Whether a block asks for something that nobody may read again: its answer is shown as dots. */
const isMasked = ({ type, properties: { data } }: NodeModel): boolean =>
  type === 'prompt' && isObject(data) && data.type === 'text' && data.textStyle === 'password'

/** Variables of masked answers, as written: `senha`, `pessoa.senha`. */
export const maskedVariables = (flow: FlowModel): ReadonlySet<string> =>
  new Set(
    [...flow.nodes.values()]
      .filter(isMasked)
      .map(({ properties: { varname } }) => (typeof varname === 'string' ? varname.trim() : ''))
      .filter(name => name !== ''),
  )

/** Which of the masked variables a text reads at a place, if any. */
export const maskedAt = (text: string, offset: number, masked: ReadonlySet<string>): string | undefined => {
  const written = text.slice(offset)
  return [...masked].find(name => written.startsWith(name) && !/^[\p{L}\d_$]/u.test(written.slice(name.length)))
}
