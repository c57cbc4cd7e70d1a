/** A colour in light and in dark. */
const pair = (light: string, dark: string) => ({ value: { _light: light, _dark: dark } })

const KEYS = ['solid', 'contrast', 'fg', 'subtle', 'muted', 'emphasized', 'border', 'focusRing'] as const
export type Palette = Record<(typeof KEYS)[number], ReturnType<typeof pair>>

/** Chakra's eight keys of a palette from two lists in the order of `KEYS`, light and dark, so that `colorPalette` works. */
export const palette = (light: string, dark: string): Palette => {
  const inLight = light.split(' ')
  const inDark = dark.split(' ')
  return Object.fromEntries(KEYS.map((key, at) => [key, pair(inLight[at] ?? '', inDark[at] ?? '')])) as Palette
}

/** Warm neutral surfaces; saturated colour always answers a question (who, what kind, what changed, is it well). */
export const semanticColor = {
  bg: {
    DEFAULT: pair('#F7F6F3', '#121211'),
    subtle: pair('#F1EFEA', '#232320'),
    muted: pair('#EFEDE8', '#0C0C0B'),
    emphasized: pair('#CDC9C0', '#46443F'),
    inverted: pair('#1B1A17', '#F0EFEA'),
    panel: pair('#FFFFFF', '#1A1A18'),
    surface: pair('#FFFFFF', '#1A1A18'),
    raised: pair('#FFFFFF', '#242421'),
    sunken: pair('#EFEDE8', '#0C0C0B'),
    canvas: pair('#F3F2EE', '#0F0F0E'),
    error: pair('#FEF1EF', '#361714'),
    warning: pair('#FCF3E7', '#2F1E02'),
    success: pair('#ECF8EE', '#0C2815'),
    info: pair('#ECF6FE', '#062437'),
  },
  fg: {
    DEFAULT: pair('#1B1A17', '#F0EFEA'),
    muted: pair('#5E5B54', '#B0ADA4'),
    subtle: pair('#6F6B63', '#98958C'),
    inverted: pair('#F7F6F3', '#121211'),
    error: pair('#B00C15', '#FE8C80'),
    warning: pair('#7F5400', '#DAA75D'),
    success: pair('#017137', '#6BC987'),
    info: pair('#006495', '#59BBFB'),
  },
  border: {
    DEFAULT: pair('#E4E2DC', '#2E2D2A'),
    muted: pair('#E4E2DC', '#2E2D2A'),
    subtle: pair('#F1EFEA', '#232320'),
    emphasized: pair('#CDC9C0', '#46443F'),
    control: pair('#8C887F', '#77746C'),
    inverted: pair('#1B1A17', '#F0EFEA'),
    error: pair('#FDA297', '#8B3C35'),
    warning: pair('#E7B369', '#774F00'),
    success: pair('#86D29B', '#176938'),
    info: pair('#78C7FD', '#005E8D'),
  },
  positive: palette(
    '#05773B #FFFFFF #017137 #ECF8EE #D0F2D8 #ABE5B9 #86D29B #22864A',
    '#6BC987 #121211 #6BC987 #0C2815 #0D3A1E #0A562B #176938 #6BC987',
  ),
  warning: palette(
    '#8D5E00 #FFFFFF #7F5400 #FCF3E7 #FCE4C4 #F5CD95 #E7B369 #976712',
    '#DAA75D #121211 #DAA75D #2F1E02 #432B00 #624001 #774F00 #DAA75D',
  ),
  danger: palette(
    '#B7191C #FFFFFF #B00C15 #FEF1EF #FEE0DC #FFC4BC #FDA297 #C9302D',
    '#FE8C80 #121211 #FE8C80 #361714 #4E201C #742E29 #8B3C35 #FE8C80',
  ),
  info: palette(
    '#0470A5 #FFFFFF #006495 #ECF6FE #D4ECFD #ABDBFE #78C7FD #0079B3',
    '#59BBFB #121211 #59BBFB #062437 #013450 #004D74 #005E8D #59BBFB',
  ),
  canvas: {
    bg: pair('#F3F2EE', '#0F0F0E'),
    dot: pair('#DAD7CF', '#2A2926'),
    link: pair('#857F75', '#7E7B73'),
  },
  diff: {
    added: palette(
      '#05773B #FFFFFF #017137 #ECF8EE #D0F2D8 #ABE5B9 #86D29B #22864A',
      '#6BC987 #121211 #6BC987 #0C2815 #0D3A1E #0A562B #176938 #6BC987',
    ),
    changed: palette(
      '#985C03 #FFFFFF #854F04 #FEF2E8 #FEE3C8 #FBCA99 #EEAF6E #A06105',
      '#E7A054 #121211 #E7A054 #321C04 #482800 #673C02 #7E4A01 #E7A054',
    ),
    removed: palette(
      '#B7191C #FFFFFF #B00C15 #FEF1EF #FEE0DC #FFC4BC #FDA297 #C9302D',
      '#FE8C80 #121211 #FE8C80 #361714 #4E201C #742E29 #8B3C35 #FE8C80',
    ),
  },
  category: {
    flow: palette(
      '#02736E #FFFFFF #046C68 #E7F9F7 #C3F3EF #8FE7E1 #73D1CA #16827D',
      '#66C4BE #121211 #66C4BE #002826 #003936 #005350 #056662 #66C4BE',
    ),
    interaction: palette(
      '#0065B0 #FFFFFF #0460A5 #EDF5FE #D7EAFE #B5D8FE #8AC3FD #0F74C5',
      '#6EB6FF #121211 #6EB6FF #0D2339 #103252 #124A7B #1D5B92 #6EB6FF',
    ),
    datamanagement: palette(
      '#6E3EAD #FFFFFF #6E3EAD #F6F2FD #EBE3FE #DBCAFE #C8AEFA #8254C4',
      '#BF9BFC #121211 #BF9BFC #251C36 #36274E #503975 #62488C #BF9BFC',
    ),
    integration: palette(
      '#AB4B16 #FFFFFF #993E02 #FEF2ED #FFE1D3 #FEC6AD #F9A782 #B2511E',
      '#F99262 #121211 #F99262 #35190C #4C230F #723311 #89401C #F99262',
    ),
    cards: palette(
      '#B12562 #FFFFFF #A61859 #FEF1F4 #FFDEE7 #FEC1D2 #F89FBB #BE346D',
      '#F889AD #121211 #F889AD #351621 #4C1F2F #712D45 #873A55 #F889AD',
    ),
  },
  person: {
    1: pair('#D33E25', '#F68771'),
    2: pair('#9429A5', '#D48BDF'),
    3: pair('#0C7A84', '#50BDC9'),
    4: pair('#517621', '#92BA66'),
    5: pair('#C41F5F', '#F3829F'),
    6: pair('#0074B8', '#54B3FD'),
    7: pair('#93690D', '#CFA354'),
    8: pair('#593EC7', '#A29DFF'),
  },
}
