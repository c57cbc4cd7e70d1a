/** A colour in light and in dark. */
export const pair = (light: string, dark: string) => ({ value: { _light: light, _dark: dark } })

const KEYS = ['solid', 'contrast', 'fg', 'subtle', 'muted', 'emphasized', 'border', 'focusRing'] as const
export type Palette = Record<(typeof KEYS)[number], ReturnType<typeof pair>>

/** Chakra's eight keys of a palette from two lists in the order of `KEYS`, light and dark, so that `colorPalette` works. */
export const palette = (light: string, dark: string): Palette => {
  const inLight = light.split(' ')
  const inDark = dark.split(' ')
  return Object.fromEntries(KEYS.map((key, at) => [key, pair(inLight[at] ?? '', inDark[at] ?? '')])) as Palette
}
