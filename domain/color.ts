const COLOR = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i

/** A channel of sRGB, 0 to 255, in linear light (WCAG 2.2, relative luminance). */
const linear = (channel: number): number => {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

const luminance = (color: string): number | undefined => {
  const found = COLOR.exec(color)
  if (found === null) return undefined
  const [red = 0, green = 0, blue = 0] = found.slice(1).map(hex => linear(Number.parseInt(hex, 16)))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Least contrast of text on its ground (WCAG 2.2, 1.4.3). */
export const MIN_CONTRAST = 4.5

/** Contrast of two colours #RRGGBB, 1 to 21 (WCAG 2.2); alpha counts not. Undefined for what is no colour. */
export const contrastRatio = (one: string, other: string): number | undefined => {
  const [first, second] = [luminance(one), luminance(other)]
  if (first === undefined || second === undefined) return undefined
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}
