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

const hex = (channel: number): string => Math.round(channel).toString(16).padStart(2, '0').toUpperCase()

/** A colour mixed with black (0) or white (255), from 0 to 1. */
const mixed = (color: string, end: 0 | 255, share: number): string => {
  const channels =
    COLOR.exec(color)
      ?.slice(1)
      .map(part => Number.parseInt(part, 16)) ?? []
  return `#${channels.map(channel => hex(channel + (end - channel) * share)).join('')}`
}

const STEPS = 100

/**
 * The colour nearest to a text's that can be read on its ground: itself, or darkened or lightened in steps of one
 * percent. Undefined for what is no colour.
 */
export const readableColor = (color: string, ground: string, min = MIN_CONTRAST): string | undefined => {
  if (contrastRatio(color, ground) === undefined) return undefined
  for (let step = 0; step <= STEPS; step += 1) {
    for (const end of [0, 255] as const) {
      const tried = mixed(color, end, step / STEPS)
      if ((contrastRatio(tried, ground) ?? 0) >= min) return tried
    }
  }
  return undefined
}

const PERSON_COLORS = ['1', '2', '3', '4', '5', '6', '7', '8'] as const
type PersonColor = (typeof PERSON_COLORS)[number]

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** Which of the eight person colours someone has: the same everywhere and for ever, from their id alone (FNV-1a). */
export const personColor = (user: string): PersonColor => {
  let hash = FNV_OFFSET
  for (let at = 0; at < user.length; at++) hash = Math.imul(hash ^ user.charCodeAt(at), FNV_PRIME) >>> 0
  // The low bits of FNV alone fall into patterns on ids that differ in one digit.
  const mixed = (hash ^ (hash >>> 15)) >>> 0
  return PERSON_COLORS[mixed % PERSON_COLORS.length] ?? '1'
}
