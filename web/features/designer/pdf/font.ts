import type { PDFFont } from '@cantoo/pdf-lib'

/** A font with the characters it has. */
export interface Face {
  readonly font: PDFFont
  readonly has: (character: string) => boolean
}

export const faceOf = (font: PDFFont): Face => {
  const known = new Set(font.getCharacterSet())
  return { font, has: character => known.has(character.codePointAt(0) ?? 0) }
}

/** The text in characters of the font: omits missing ones, mostly pictographs. */
export const writable = (text: string, { has }: Face): string =>
  [...text.normalize('NFC').replace(/\s+/gu, ' ')].filter(has).join('').replace(/ +/gu, ' ').trim()

/** At most `most` lines, each up to `width` points; longer text ends in an ellipsis. */
export const linesOf = (text: string, face: Face, size: number, width: number, most: number): readonly string[] => {
  const wide = (line: string) => face.font.widthOfTextAtSize(line, size) > width
  const lines: string[] = []
  let rest = [...writable(text, face)]
  while (rest.length > 0 && lines.length < most) {
    let fits = 0
    while (fits < rest.length && !wide(rest.slice(0, fits + 1).join(''))) fits += 1
    const whole = fits === rest.length
    const space = rest.lastIndexOf(' ', fits)
    const cut = whole ? fits : space > 0 && lines.length + 1 < most ? space : Math.max(1, fits)
    const last = lines.length + 1 === most && !whole
    lines.push(last ? shortened(rest.slice(0, cut), wide) : rest.slice(0, cut).join('').trim())
    rest = [...rest.slice(cut).join('').trimStart()]
  }
  return lines
}

const shortened = (characters: readonly string[], wide: (line: string) => boolean): string => {
  let end = characters.length
  while (end > 0 && wide(`${characters.slice(0, end).join('')}…`)) end -= 1
  return `${characters.slice(0, end).join('').trim()}…`
}
