import { type PDFFont, type PDFPage, rgb } from '@cantoo/pdf-lib'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { semanticColor } from '#web/theme/palette.ts'
import { boxOf as boxIn, categoryOf } from '../model/block-appearance.ts'
import { type Box, COMFORTABLE } from '../model/geometry.ts'
import { MARGIN, type PlannedPage } from './page-plan.ts'

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

/** Of `#rrggbb`. */
const color = (hex: string) => {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return rgb(part(1), part(3), part(5))
}
export const INK = color('#1B1A17')
export const QUIET = color('#6B675E')
export const LINE = color('#CDC9C0')
export const PAPER = color('#FFFFFF')

/** The path of a box with round corners. */
export const rounded = ({ x, y, width, height }: Box, r: number) =>
  `M${x + r},${y}h${width - 2 * r}a${r},${r} 0 0 1 ${r},${r}v${height - 2 * r}a${r},${r} 0 0 1 ${-r},${r}h${2 * r - width}a${r},${r} 0 0 1 ${-r},${-r}v${2 * r - height}a${r},${r} 0 0 1 ${r},${-r}z`

/** Draws in flow pixels on one page. */
export class PdfPainter {
  readonly #page: PDFPage
  readonly #scale: number
  readonly #left: number
  readonly #top: number

  constructor(page: PDFPage, { part }: PlannedPage, scale: number) {
    this.#page = page
    this.#scale = scale
    this.#left = MARGIN.side - part.x * scale
    this.#top = page.getHeight() - MARGIN.top + part.y * scale
  }

  path(d: string, style: { fill?: ReturnType<typeof rgb>; stroke?: ReturnType<typeof rgb>; width?: number }): void {
    this.#page.drawSvgPath(d, {
      x: this.#left,
      y: this.#top,
      scale: this.#scale,
      ...(style.fill === undefined ? {} : { color: style.fill }),
      ...(style.stroke === undefined ? {} : { borderColor: style.stroke, borderWidth: style.width ?? 1 }),
    })
  }

  /** `y` is the line the letters stand on. */
  text(text: string, x: number, y: number, face: Face, size: number, ink = INK): void {
    this.#page.drawText(text, {
      x: this.#left + x * this.#scale,
      y: this.#top - y * this.#scale,
      size: size * this.#scale,
      font: face.font,
      color: ink,
    })
  }
}

/** Paper is the same for everybody. */
export const boxOf = (node: NodeModel): Box => boxIn(node, COMFORTABLE)

/** Prints use the light theme. */
export const light = (type: string) => {
  const { fg, muted, subtle, border } = semanticColor.category[categoryOf(type)]
  const of = ({ value }: typeof fg) => color(value._light)
  return { fg: of(fg), muted: of(muted), subtle: of(subtle), border: of(border) }
}

const TINTS = { yellow: 'warning', blue: 'info', green: 'positive', red: 'danger' } as const

/** Of a sheet or a frame; grey where it says no other. */
export const tintOf = ({ properties: { tint } }: NodeModel) => {
  const name = typeof tint === 'string' && Object.hasOwn(TINTS, tint) ? TINTS[tint as keyof typeof TINTS] : undefined
  if (name === undefined) return { subtle: color('#F3F2EE'), border: LINE }
  const { subtle, muted } = semanticColor[name]
  return { subtle: color(subtle.value._light), border: color(muted.value._light) }
}

export interface Faces {
  readonly plain: Face
  readonly bold: Face
  readonly code: Face
}
