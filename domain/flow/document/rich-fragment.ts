import * as Y from 'yjs'
import { RICH_MARKUP } from '#schemas/flow/file.ts'
import { type Inline, type Line, lineText, type ReadLine, readLines, spellAgain } from '../text/rich-text.ts'

const {
  paragraph,
  lineBreak,
  variable,
  variableName,
  bold,
  italic,
  underline,
  spelled: SPELLED,
  marked: MARKED,
} = RICH_MARKUP

type Run = Extract<Inline, { readonly text: string }>
type Atom = Extract<Inline, { readonly variable: string }>

interface Delta {
  readonly insert: unknown
  readonly attributes?: { readonly [name: string]: unknown }
}

const isOn = (run: Delta, mark: string) =>
  Object.entries(run.attributes ?? {}).some(([name, value]) => value !== null && name.split('--')[0] === mark)

const runs = (text: Y.XmlText): Run[] =>
  (text.toDelta() as Delta[]).flatMap(run =>
    typeof run.insert === 'string'
      ? [{ text: run.insert, bold: isOn(run, bold), italic: isOn(run, italic), underline: isOn(run, underline) }]
      : [],
  )

const readAtom = (element: Y.XmlElement): Atom => ({
  variable: String(element.getAttribute(variableName) ?? ''),
  bold: element.getAttribute(bold) === MARKED,
  italic: element.getAttribute(italic) === MARKED,
  underline: element.getAttribute(underline) === MARKED,
})

/** The lines of one block element: a line break inside it ends a line, and so does another block element with text in it. */
const readElement = (element: Y.XmlElement): Inline[][] => {
  const lines: Inline[][] = [[]]
  let isEnded = false
  const begun = () => {
    if (isEnded) lines.push([])
    isEnded = false
    return lines.at(-1) ?? []
  }
  for (const child of element.toArray()) {
    if (child instanceof Y.XmlText) {
      const text = runs(child)
      if (text.length > 0) begun().push(...text)
    } else if (!(child instanceof Y.XmlElement)) continue
    else if (child.nodeName === variable) begun().push(readAtom(child))
    else if (child.nodeName === lineBreak) {
      begun()
      lines.push([])
    } else {
      const inner = readElement(child)
      if (inner.every(line => line.length === 0)) continue
      if (lines.at(-1)?.length === 0) lines.pop()
      lines.push(...inner)
      isEnded = true
    }
  }
  return lines
}

const elementTexts = (element: Y.XmlElement): readonly string[] => {
  const lines = readElement(element)
  const [line, more] = lines
  if (line === undefined || more !== undefined) return lines.map(lineText)
  const spelled = element.getAttribute(SPELLED)
  return [spellAgain(line, typeof spelled === 'string' ? spelled : undefined)]
}

/** The lines of a fragment's child; a text outside a block element is one. */
const readChild = (child: unknown): Line[] => {
  if (child instanceof Y.XmlElement) return child.nodeName === variable ? [[readAtom(child)]] : readElement(child)
  return child instanceof Y.XmlText ? [runs(child)] : []
}

const lineTexts = (fragment: Y.XmlFragment): readonly string[] =>
  fragment
    .toArray()
    .flatMap(child =>
      child instanceof Y.XmlElement && child.nodeName !== variable
        ? elementTexts(child)
        : readChild(child).map(lineText),
    )

/** A fragment's plain-string form; structure that this form lacks (lists, say) reads as its lines. */
export const readRich = (fragment: Y.XmlFragment): string => lineTexts(fragment).join('\n')

const marks = (part: { bold: boolean; italic: boolean; underline: boolean }) => ({
  ...(part.bold ? { [bold]: {} } : {}),
  ...(part.italic ? { [italic]: {} } : {}),
  ...(part.underline ? { [underline]: {} } : {}),
})

const makeAtom = (part: Atom): Y.XmlElement => {
  const atom = new Y.XmlElement(variable)
  atom.setAttribute(variableName, part.variable)
  if (part.bold) atom.setAttribute(bold, MARKED)
  if (part.italic) atom.setAttribute(italic, MARKED)
  if (part.underline) atom.setAttribute(underline, MARKED)
  return atom
}

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
      nodes.push(makeAtom(part))
    } else delta.push({ insert: part.text, attributes: marks(part) })
  }
  flush()
  return nodes
}

const paragraphOf = ({ line, spelled }: ReadLine): Y.XmlElement => {
  const element = new Y.XmlElement(paragraph)
  if (spelled !== undefined) element.setAttribute(SPELLED, spelled)
  element.insert(0, inlineNodes(line))
  return element
}

/** A new fragment of a plain string. */
export const makeRich = (source: string): Y.XmlFragment => {
  const fragment = new Y.XmlFragment()
  fragment.insert(0, readLines(source).map(paragraphOf))
  return fragment
}

/**
 * Attributes of letters and paragraphs that an editor with only RICH_MARKUP shows; names from other programs may end in
 * a hash.
 */
const MARKS: ReadonlySet<string> = new Set([bold, italic, underline])
const markName = (attribute: string): string => attribute.replace(/--[a-zA-Z0-9+/=]{8}$/u, '')

const isKnownInline = (child: unknown): boolean => {
  if (child instanceof Y.XmlText) {
    const names = (child.toDelta() as Delta[]).flatMap(run => Object.keys(run.attributes ?? {}))
    return names.every(name => MARKS.has(markName(name)))
  }
  if (!(child instanceof Y.XmlElement) || child.length > 0) return false
  return child.nodeName === variable || child.nodeName === lineBreak
}

/** Whether a fragment has nothing but what RICH_MARKUP names, where it belongs: other programs may write more. */
export const isKnownRich = (fragment: Y.XmlFragment): boolean =>
  fragment
    .toArray()
    .every(
      child =>
        child instanceof Y.XmlElement &&
        child.nodeName === paragraph &&
        child.toArray().every(each => isKnownInline(each)),
    )

/** Rebuilds a fragment from its lines, so that it is known; keeps the marks of RICH_MARKUP. */
export const simplifyRich = (fragment: Y.XmlFragment): void => {
  const lines = fragment.toArray().flatMap(readChild)
  fragment.delete(0, fragment.length)
  fragment.insert(
    0,
    lines.map(line => paragraphOf({ line })),
  )
}

const sameEnds = (before: readonly string[], after: readonly string[]) => {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return { start, end }
}

/** A stretch of text between variables, as one shared text holds it, or one variable. */
type Piece = { readonly runs: readonly Run[] } | Atom

const piecesOf = (line: Line): readonly Piece[] => {
  const pieces: ({ runs: Run[] } | Atom)[] = []
  for (const part of line) {
    const last = pieces.at(-1)
    if ('variable' in part) pieces.push(part)
    else if (last !== undefined && 'runs' in last) last.runs.push(part)
    else pieces.push({ runs: [part] })
  }
  return pieces
}

const lineOf = (pieces: readonly Piece[]): Line =>
  pieces.flatMap((piece): readonly Inline[] => ('runs' in piece ? piece.runs : [piece]))
const pieceText = (piece: Piece): string => lineText(lineOf([piece]))

const pieceOfNode = (node: unknown): Piece | undefined => {
  if (node instanceof Y.XmlText) return { runs: runs(node) }
  const isAtom = node instanceof Y.XmlElement && node.nodeName === variable
  return isAtom ? readAtom(node) : undefined
}

/** Each character with its marks, so that text and marks are compared together. */
const marked = (line: readonly Run[]): readonly string[] =>
  line.flatMap(({ text, bold: isBold, italic: isItalic, underline: isUnderlined }) => {
    const mark = `${isBold ? 'b' : ''}${isItalic ? 'i' : ''}${isUnderlined ? 'u' : ''}`
    return Array.from(text, character => `${mark}:${character}`)
  })

const units = (characters: readonly string[]): number =>
  characters.reduce((sum, character) => sum + character.length - character.indexOf(':') - 1, 0)

const stretches = (characters: readonly string[]): readonly { readonly mark: string; readonly text: string }[] => {
  const found: { mark: string; text: string }[] = []
  for (const character of characters) {
    const cut = character.indexOf(':')
    const mark = character.slice(0, cut)
    const last = found.at(-1)
    if (last?.mark === mark) last.text += character.slice(cut + 1)
    else found.push({ mark, text: character.slice(cut + 1) })
  }
  return found
}

const patchXmlText = (text: Y.XmlText, wanted: readonly Run[]): void => {
  const before = marked(runs(text))
  const after = marked(wanted)
  const { start, end } = sameEnds(before, after)
  const removed = units(before.slice(start, before.length - end))
  let at = units(before.slice(0, start))
  if (removed > 0) text.delete(at, removed)
  for (const { mark, text: inserted } of stretches(after.slice(start, after.length - end))) {
    text.insert(
      at,
      inserted,
      marks({ bold: mark.includes('b'), italic: mark.includes('i'), underline: mark.includes('u') }),
    )
    at += inserted.length
  }
}

/** Changes the one text that differs if the variables around it stay; else rebuilds the part between. */
const patchParagraph = (element: Y.XmlElement, { line, spelled }: ReadLine): void => {
  if (spelled !== undefined) element.setAttribute(SPELLED, spelled)
  else if (element.getAttribute(SPELLED) !== undefined) element.removeAttribute(SPELLED)
  const nodes = element.toArray()
  const held = nodes.map(pieceOfNode)
  const before = held.filter(piece => piece !== undefined)
  const after = piecesOf(line)
  const readable = before.length === held.length
  const { start, end } = readable ? sameEnds(before.map(pieceText), after.map(pieceText)) : { start: 0, end: 0 }
  const changed = after.slice(start, after.length - end)
  const count = nodes.length - start - end
  const [node, next] = [nodes[start], changed[0]]
  if (count === 1 && changed.length === 1 && node instanceof Y.XmlText && next !== undefined && 'runs' in next) {
    patchXmlText(node, next.runs)
    return
  }
  if (count > 0) element.delete(start, count)
  element.insert(start, inlineNodes(lineOf(changed)))
}

/** Turns a fragment into a plain string, touching only the paragraphs that differ, so that cursors elsewhere stay. */
export const patchRich = (fragment: Y.XmlFragment, source: string): void => {
  if (readRich(fragment) === source) return
  const children = fragment.toArray()
  const simple = children.every(
    child => child instanceof Y.XmlElement && child.nodeName !== variable && readElement(child).length === 1,
  )
  const before = simple ? lineTexts(fragment) : []
  if (!simple) fragment.delete(0, fragment.length)
  const lines = readLines(source)
  const after = lines.map(({ line, spelled }) => spelled ?? lineText(line))
  const { start, end } = sameEnds(before, after)
  const changed = lines.slice(start, lines.length - end)
  const old = before.length - end - start
  const paired = Math.min(old, changed.length)
  for (let index = 0; index < paired; index += 1) {
    const element = children[start + index]
    if (element instanceof Y.XmlElement) patchParagraph(element, changed[index] ?? { line: [] })
  }
  if (old > paired) fragment.delete(start + paired, old - paired)
  if (changed.length > paired) fragment.insert(start + paired, changed.slice(paired).map(paragraphOf))
}
