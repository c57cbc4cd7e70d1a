import * as Y from 'yjs'
import { RICH_MARKUP } from '#schemas/flow/rich-markup.ts'
import { type Inline, type Line, lineText, parseRich, richText } from './rich-text.ts'
import { textDiff } from './text-diff.ts'

const { paragraph, lineBreak, variable, variableName, bold, italic } = RICH_MARKUP

interface Run {
  readonly insert: unknown
  readonly attributes?: { readonly [name: string]: unknown }
}

const isOn = (run: Run, mark: string) =>
  Object.entries(run.attributes ?? {}).some(([name, value]) => value !== null && name.split('--')[0] === mark)

const runs = (text: Y.XmlText): Inline[] =>
  (text.toDelta() as Run[]).flatMap(run =>
    typeof run.insert === 'string' ? [{ text: run.insert, bold: isOn(run, bold), italic: isOn(run, italic) }] : [],
  )

/** The lines of one block element: a line break inside it ends a line. */
const readElement = (element: Y.XmlElement): Inline[][] => {
  const lines: Inline[][] = [[]]
  for (const child of element.toArray()) {
    const line = lines.at(-1) ?? []
    if (child instanceof Y.XmlText) line.push(...runs(child))
    else if (!(child instanceof Y.XmlElement)) continue
    else if (child.nodeName === variable) line.push({ variable: String(child.getAttribute(variableName) ?? '') })
    else if (child.nodeName === lineBreak) lines.push([])
    else lines.push(...readElement(child))
  }
  return lines
}

const readLines = (fragment: Y.XmlFragment): Line[] =>
  fragment.toArray().flatMap(child => {
    if (child instanceof Y.XmlElement) return readElement(child)
    return child instanceof Y.XmlText ? [runs(child)] : []
  })

/** A fragment's plain-string form; structure that this form lacks (lists, say) reads as its lines. */
export const readRich = (fragment: Y.XmlFragment): string => richText(readLines(fragment))

const marks = (part: { bold: boolean; italic: boolean }) => ({
  ...(part.bold ? { [bold]: {} } : {}),
  ...(part.italic ? { [italic]: {} } : {}),
})

const inlineNodes = (line: Line): (Y.XmlText | Y.XmlElement)[] => {
  const nodes: (Y.XmlText | Y.XmlElement)[] = []
  let delta: { insert: string; attributes: object }[] = []
  const flush = () => {
    if (delta.length === 0) return
    const text = new Y.XmlText()
    text.applyDelta(delta)
    nodes.push(text)
    delta = []
  }
  for (const part of line) {
    if ('variable' in part) {
      flush()
      const atom = new Y.XmlElement(variable)
      atom.setAttribute(variableName, part.variable)
      nodes.push(atom)
    } else delta.push({ insert: part.text, attributes: marks(part) })
  }
  flush()
  return nodes
}

const paragraphOf = (line: Line): Y.XmlElement => {
  const element = new Y.XmlElement(paragraph)
  element.insert(0, inlineNodes(line))
  return element
}

/** A new fragment of a plain string. */
export const makeRich = (source: string): Y.XmlFragment => {
  const fragment = new Y.XmlFragment()
  fragment.insert(0, parseRich(source).map(paragraphOf))
  return fragment
}

/** The text of a paragraph that holds nothing but one run of unmarked text, so that it can be changed in place. */
const soleText = (element: Y.XmlElement): Y.XmlText | undefined => {
  const [first, second] = element.toArray()
  if (second !== undefined || !(first instanceof Y.XmlText)) return undefined
  return runs(first).every(run => !('variable' in run) && !run.bold && !run.italic) ? first : undefined
}

const isPlain = (line: Line): line is readonly [{ text: string; bold: false; italic: false }] => {
  const [first, second] = line
  return second === undefined && first !== undefined && 'text' in first && !first.bold && !first.italic
}

const patchParagraph = (element: Y.XmlElement, line: Line) => {
  const text = soleText(element)
  const [only] = line
  if (text !== undefined && isPlain(line) && only !== undefined && 'text' in only) {
    const diff = textDiff(String(text.toJSON()), only.text)
    if (diff === null) return
    text.delete(diff.at, diff.remove)
    text.insert(diff.at, diff.insert, {})
    return
  }
  element.delete(0, element.length)
  element.insert(0, inlineNodes(line))
}

const sameEnds = (before: readonly string[], after: readonly string[]) => {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return { start, end }
}

/** Turns a fragment into a plain string, touching only the paragraphs that differ, so that cursors elsewhere stay. */
export const patchRich = (fragment: Y.XmlFragment, source: string): void => {
  if (readRich(fragment) === source) return
  const children = fragment.toArray()
  const simple = children.every(child => child instanceof Y.XmlElement && readElement(child).length === 1)
  const before = simple ? readLines(fragment).map(lineText) : []
  if (!simple) fragment.delete(0, fragment.length)
  const lines = parseRich(source)
  const { start, end } = sameEnds(before, lines.map(lineText))
  const changed = lines.slice(start, lines.length - end)
  const old = before.length - end - start
  const paired = Math.min(old, changed.length)
  for (let index = 0; index < paired; index += 1) {
    const element = children[start + index]
    if (element instanceof Y.XmlElement) patchParagraph(element, changed[index] ?? [])
  }
  if (old > paired) fragment.delete(start + paired, old - paired)
  if (changed.length > paired) fragment.insert(start + paired, changed.slice(paired).map(paragraphOf))
}
