import type { Place } from '#domain/expression/engine.ts'

interface Marks {
  readonly bold: boolean
  readonly italic: boolean
  readonly underline: boolean
}
/** A run of characters with its marks, or a variable as one inline atom with its own. */
export type Inline = Marks & ({ readonly text: string } | { readonly variable: string })
export type Line = readonly Inline[]

/** A piece of a line's plain-string form: markup, or (`part`) what lies between. */
interface Spelled {
  readonly text: string
  readonly part?: Inline
}

const PLAIN: Marks = { bold: false, italic: false, underline: false }
const MARKUP = /<(\/?)(b|strong|i|em|u)>|\{\{([^{}\n]+)\}\}/gu
const MEANING: Readonly<Record<string, keyof Marks>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
}

const markup = (text: string, isThere = true): readonly Spelled[] => (isThere ? [{ text }] : [])

const isSame = (one: Inline | undefined, other: Inline | undefined) =>
  one?.bold === other?.bold && one?.italic === other?.italic && one?.underline === other?.underline

const spellPart = (part: Inline): readonly Spelled[] =>
  'variable' in part ? [{ text: '{{' }, { text: part.variable, part }, { text: '}}' }] : [{ text: part.text, part }]

/** One line piece by piece: `<b>`, `<i>`, `<u>` each inside the one before, around all neighbours that bear the same marks; variables as `{{name}}`. */
const writeLine = (line: Line): readonly Spelled[] =>
  line.flatMap((part, index) => {
    const begins = !isSame(line[index - 1], part)
    const ends = !isSame(part, line[index + 1])
    return [
      ...markup('<b>', begins && part.bold),
      ...markup('<i>', begins && part.italic),
      ...markup('<u>', begins && part.underline),
      ...spellPart(part),
      ...markup('</u>', ends && part.underline),
      ...markup('</i>', ends && part.italic),
      ...markup('</b>', ends && part.bold),
    ]
  })

/** One line in the plain-string form that is written for it. */
export const lineText = (line: Line): string =>
  writeLine(line)
    .map(({ text }) => text)
    .join('')

/** Markup is understood where each tag is closed, in the order it was opened; else the line is what it says, literally. */
const spell = (source: string): readonly Spelled[] => {
  const literal = [{ text: source, part: { text: source, ...PLAIN } }]
  const pieces: Spelled[] = []
  const open: string[] = []
  let marks = PLAIN
  let at = 0
  const push = (text: string) => {
    if (text !== '') pieces.push({ text, part: { text, ...marks } })
  }
  for (const match of source.matchAll(MARKUP)) {
    push(source.slice(at, match.index))
    at = match.index + match[0].length
    const [whole, slash, tag = '', variable] = match
    const mark = MEANING[tag]
    if (variable !== undefined) pieces.push(...spellPart({ variable, ...marks }))
    else if (mark !== undefined) {
      if (slash === '' ? marks[mark] : open.pop() !== tag) return literal
      if (slash === '') open.push(tag)
      marks = { ...marks, [mark]: slash === '' }
      pieces.push({ text: whole })
    }
  }
  push(source.slice(at))
  return open.length === 0 ? pieces : literal
}

const parseLine = (source: string): Line => spell(source).flatMap(({ part }) => part ?? [])

const linesOf = (source: string): readonly string[] => (source === '' ? [] : source.split('\n'))

/** One line of a plain string, and how it is spelled where it would be written in another way. */
export interface ReadLine {
  readonly line: Line
  readonly spelled?: string
}

const readLine = (source: string): ReadLine => {
  const line = parseLine(source)
  return lineText(line) === source ? { line } : { line, spelled: source }
}

/** The plain-string form of a line: its original spelling if the content is still the same. */
export const spellAgain = (line: Line, spelled: string | undefined): string => {
  const written = lineText(line)
  return spelled !== undefined && lineText(parseLine(spelled)) === written ? spelled : written
}

/** The lines of a plain string; the empty string has none. */
export const readLines = (source: string): readonly ReadLine[] => linesOf(source).map(readLine)
export const parseRich = (source: string): readonly Line[] => linesOf(source).map(parseLine)

/** The lines of a plain string piece by piece, as it spells them. */
export const spellRich = (source: string): readonly (readonly Spelled[])[] => linesOf(source).map(spell)

/** A stretch of a rich text's plain-string form between two pieces of markup. */
interface RichRun extends Place {
  readonly isVariable: boolean
}

/** The runs of a plain string, in order; markup is between them. */
export const richRuns = (source: string): readonly RichRun[] => {
  const runs: RichRun[] = []
  let at = 0
  for (const line of spellRich(source)) {
    for (const { text, part } of line) {
      if (part !== undefined) runs.push({ offset: at, length: text.length, isVariable: 'variable' in part })
      at += text.length
    }
    at += '\n'.length
  }
  return runs
}
