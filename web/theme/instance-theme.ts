import { type Palette, palette } from './palette.ts'

export type InstanceShape =
  | 'shield'
  | 'half'
  | 'flask'
  | 'circle'
  | 'square'
  | 'triangle'
  | 'diamond'
  | 'hexagon'
  | 'plus'
  | 'ring'

interface InstanceTheme {
  readonly accent: Palette
  readonly bar: 'solid' | 'hatch' | 'dash'
  readonly shape: InstanceShape
}

/** Look of each installation, to prevent confusion: color, bar pattern and shape together. */
export const INSTANCE_THEMES = {
  production: {
    accent: palette(
      '#1C3DBB #FFFFFF #1C3DBB #F0F4FF #DEE8FD #C1D4FD #A0BDFE #3A64E4',
      '#8DAFFE #121211 #8DAFFE #16213A #1F2E54 #2E447D #3B5495 #8DAFFE',
    ),
    bar: 'solid',
    shape: 'shield',
  },
  preproduction: {
    accent: palette(
      '#9C5903 #FFFFFF #884D03 #FEF2E8 #FDE2CC #FDC89B #F1AD71 #A45E05',
      '#E99E58 #121211 #E99E58 #321B05 #492701 #6A3A00 #814800 #E99E58',
    ),
    bar: 'hatch',
    shape: 'half',
  },
  development: {
    accent: palette(
      '#137738 #FFFFFF #067132 #ECF8EE #D1F2D7 #ADE5B7 #89D298 #298646',
      '#6FC884 #121211 #6FC884 #0D2814 #103A1C #115629 #1D6835 #6FC884',
    ),
    bar: 'dash',
    shape: 'flask',
  },
  theme1: {
    accent: palette(
      '#006FAB #FFFFFF #066398 #ECF6FE #D5EBFD #ADDAFF #7CC6FF #0A78B7',
      '#5DBAFE #121211 #5DBAFE #082438 #063351 #014C77 #035D90 #5DBAFE',
    ),
    bar: 'solid',
    shape: 'circle',
  },
  theme2: {
    accent: palette(
      '#0E7172 #FFFFFF #006C6D #E7F9F8 #C2F3F3 #8EE6E6 #71D0D1 #128283',
      '#64C3C4 #121211 #64C3C4 #012828 #003939 #065253 #016566 #64C3C4',
    ),
    bar: 'solid',
    shape: 'square',
  },
  theme3: {
    accent: palette(
      '#8E32A7 #FFFFFF #872BA1 #FAF1FD #F6DEFE #ECC3F9 #DCA7EC #9D42B7',
      '#D693EA #121211 #D693EA #2B1931 #3F2447 #5E346A #71427F #D693EA',
    ),
    bar: 'solid',
    shape: 'triangle',
  },
  theme4: {
    accent: palette(
      '#B21E6A #FFFFFF #A70D61 #FDF1F5 #FEDEE9 #FFC0D6 #F7A0C0 #C02F75',
      '#F689B4 #121211 #F689B4 #341722 #4B1F31 #702D49 #863A5A #F689B4',
    ),
    bar: 'solid',
    shape: 'diamond',
  },
  theme5: {
    accent: palette(
      '#794228 #FFFFFF #794228 #FEF2ED #FFE1D3 #FEC6AD #EDAD90 #9B6147',
      '#DFA084 #121211 #DFA084 #35190C #4C230F #6C371D #7F472E #DFA084',
    ),
    bar: 'solid',
    shape: 'hexagon',
  },
  theme6: {
    accent: palette(
      '#656818 #FFFFFF #5F630F #F4F6E8 #E8ECC6 #D5DA99 #BFC577 #73772A',
      '#B2B86B #121211 #B2B86B #222404 #313300 #494C01 #5A5D04 #B2B86B',
    ),
    bar: 'solid',
    shape: 'plus',
  },
  theme7: {
    accent: palette(
      '#4B4741 #FFFFFF #4B4741 #F7F4EF #ECE7DF #D8D3CC #C2BDB5 #75716A',
      '#B5B0A9 #121211 #B5B0A9 #25211B #34302A #4B4741 #5C5751 #B5B0A9',
    ),
    bar: 'solid',
    shape: 'ring',
  },
} as const satisfies Record<string, InstanceTheme>

type ThemeName = keyof typeof INSTANCE_THEMES

export const themeOf = (name: string): InstanceTheme =>
  Object.hasOwn(INSTANCE_THEMES, name) ? INSTANCE_THEMES[name as ThemeName] : INSTANCE_THEMES.production
