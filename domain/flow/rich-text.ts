/** A run of characters with its marks, or a variable as one inline atom. */
export type Inline =
  | { readonly text: string; readonly bold: boolean; readonly italic: boolean }
  | { readonly variable: string }
export type Line = readonly Inline[]

const MARKUP = /<(\/?)(b|i)>|\{\{([^{}\n]+)\}\}/gu

const tag = (name: string, on: boolean, text: string) => (on ? `<${name}>${text}</${name}>` : text)

/** One line in its plain-string form: `<b>`, `<i>` inside it, variables as `{{name}}`. */
export const lineText = (line: Line): string =>
  line
    .map(part => ('variable' in part ? `{{${part.variable}}}` : tag('b', part.bold, tag('i', part.italic, part.text))))
    .join('')

const scan = (source: string): Line => {
  const line: Inline[] = []
  const open = { b: false, i: false }
  let at = 0
  const push = (text: string) => {
    if (text !== '') line.push({ text, bold: open.b, italic: open.i })
  }
  for (const match of source.matchAll(MARKUP)) {
    push(source.slice(at, match.index))
    at = match.index + match[0].length
    const [, slash, name, variable] = match
    if (variable !== undefined) line.push({ variable })
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
