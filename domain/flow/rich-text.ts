interface Marks {
  readonly bold: boolean
  readonly italic: boolean
}
/** A run of characters with its marks, or a variable as one inline atom with its own. */
export type Inline = Marks & ({ readonly text: string } | { readonly variable: string })
export type Line = readonly Inline[]

/** A piece of a line's plain-string form: markup, or (`part`) what lies between. */
export interface Spelled {
  readonly text: string
  readonly part?: Inline
}

const MARKUP = /<(\/?)(b|i)>|\{\{([^{}\n]+)\}\}/gu

const markup = (text: string, isThere = true): readonly Spelled[] => (isThere ? [{ text }] : [])

const isSame = (one: Inline | undefined, other: Inline | undefined) =>
  one?.bold === other?.bold && one?.italic === other?.italic

const spellPart = (part: Inline): readonly Spelled[] =>
  'variable' in part ? [{ text: '{{' }, { text: part.variable, part }, { text: '}}' }] : [{ text: part.text, part }]

/** One line piece by piece: `<b>`, `<i>` inside it, around all neighbours that bear the same marks; variables as `{{name}}`. */
export const spellLine = (line: Line): readonly Spelled[] =>
  line.flatMap((part, index) => {
    const begins = !isSame(line[index - 1], part)
    const ends = !isSame(part, line[index + 1])
    return [
      ...markup('<b>', begins && part.bold),
      ...markup('<i>', begins && part.italic),
      ...spellPart(part),
      ...markup('</i>', ends && part.italic),
      ...markup('</b>', ends && part.bold),
    ]
  })

/** One line in its plain-string form. */
export const lineText = (line: Line): string =>
  spellLine(line)
    .map(({ text }) => text)
    .join('')

const scan = (source: string): Line => {
  const line: Inline[] = []
  const open = { b: false, i: false }
  let at = 0
  const marks = () => ({ bold: open.b, italic: open.i })
  const push = (text: string) => {
    if (text !== '') line.push({ text, ...marks() })
  }
  for (const match of source.matchAll(MARKUP)) {
    push(source.slice(at, match.index))
    at = match.index + match[0].length
    const [, slash, name, variable] = match
    if (variable !== undefined) line.push({ variable, ...marks() })
    else if (name === 'b' || name === 'i') open[name] = slash === ''
  }
  push(source.slice(at))
  return line
}

/** Markup is understood only where writing it again gives the same characters; else the line is what it says, literally. */
const parseLine = (source: string): Line => {
  const line = scan(source)
  if (lineText(line) === source) return line
  return [{ text: source, bold: false, italic: false }]
}

/** The lines of a plain string; the empty string has none. `richText(parseRich(s)) === s` for every string. */
export const parseRich = (source: string): readonly Line[] => (source === '' ? [] : source.split('\n').map(parseLine))

/** The plain-string form of lines. */
export const richText = (lines: readonly Line[]): string => lines.map(lineText).join('\n')
