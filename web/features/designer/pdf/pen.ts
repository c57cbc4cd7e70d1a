import { type PDFPage, rgb } from '@cantoo/pdf-lib'
import type { Box } from '../model/geometry.ts'
import type { Face } from './font.ts'
import { MARGIN, type PlannedPage } from './page-plan.ts'

/** Of `#rrggbb`. */
export const color = (hex: string) => {
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
export class Pen {
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
