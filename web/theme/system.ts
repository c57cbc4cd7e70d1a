import {
  createSystem,
  defaultBaseConfig,
  defineConfig,
  defineRecipe,
  defineSlotRecipe,
  type SystemContext,
} from '@chakra-ui/react'
import { checkboxAnatomy, fieldAnatomy, nativeSelectAnatomy, switchAnatomy } from '@chakra-ui/react/anatomy'
import {
  breakpoints,
  buttonRecipe,
  checkboxSlotRecipe,
  checkmarkRecipe,
  cssVarsPrefix,
  cssVarsRoot,
  fieldSlotRecipe,
  globalCss,
  inputRecipe,
  kbdRecipe,
  keyframes,
  linkRecipe,
  nativeSelectSlotRecipe,
  separatorRecipe,
  skeletonRecipe,
  spinnerRecipe,
  switchSlotRecipe,
  textareaRecipe,
  textStyles,
  tokens,
} from '@chakra-ui/react/theme'
import { INSTANCE_THEMES, themeOf } from './instance-theme.ts'
import { semanticColor } from './palette.ts'

/** Differences from Chakra's recipes: 32 px controls, real borders, two weights, the instance's focus ring. */
const control = { fontSize: 'sm', borderRadius: 'md', _disabled: { opacity: 0.5, cursor: 'not-allowed' } }

const field = {
  ...control,
  bg: 'bg.surface',
  borderColor: 'border.control',
  transition: 'border-color 90ms',
  _placeholder: { color: 'fg.subtle', opacity: 1 },
  _hover: { borderColor: 'fg.muted' },
  _focusVisible: {
    borderColor: 'accent.solid',
    outlineWidth: '2px',
    outlineStyle: 'solid',
    outlineColor: 'accent.focusRing',
    outlineOffset: '1px',
  },
  _invalid: { borderColor: 'danger.solid' },
  _readOnly: { bg: 'bg.subtle', borderColor: 'border' },
}

/** iOS zooms into inputs below 16 px. */
const touch = { fontSize: { base: '16px', md: 'sm' } }

const recipe = {
  button: defineRecipe({
    base: {
      fontWeight: 'semibold',
      borderRadius: 'md',
      transitionDuration: 'fast',
      gap: '1.5',
      _active: { translate: '0 0.5px' },
      _disabled: { opacity: 0.5, cursor: 'not-allowed' },
      // Chakra hides the words of a busy button from screen readers too. Transparent words keep the name of the button.
      // Styles of recipes are in a layer below those of properties, hence `!important`.
      '&[data-loading] > span > span': { visibility: 'visible !important', color: 'transparent' },
    },
    variants: {
      size: {
        xs: { h: '7', minW: '7', px: '2.5', fontSize: 'xs', gap: '1.5', _icon: { w: '3.5', h: '3.5' } },
        sm: { h: '8', minW: '8', px: '3', fontSize: 'sm', gap: '1.5', _icon: { w: '4', h: '4' } },
        md: { h: '8', minW: '8', px: '3', fontSize: 'sm', gap: '1.5', _icon: { w: '4', h: '4' } },
        lg: { h: '10', minW: '10', px: '4', fontSize: 'md', gap: '2', _icon: { w: '4.5', h: '4.5' } },
        xl: { h: '11', minW: '11', px: '4', fontSize: 'md', gap: '2', _icon: { w: '5', h: '5' } },
      },
      variant: {
        outline: {
          bg: 'bg.surface',
          borderColor: 'border.emphasized',
          color: 'fg',
          _hover: { bg: 'bg.subtle' },
          _expanded: { bg: 'bg.subtle' },
        },
        ghost: {
          color: 'fg.muted',
          _hover: { bg: 'bg.subtle', color: 'fg' },
          _expanded: { bg: 'bg.subtle', color: 'fg' },
        },
        plain: {
          h: 'auto',
          minW: '0',
          px: '0',
          color: 'accent.fg',
          borderRadius: 'xs',
          _hover: { textDecoration: 'underline', textUnderlineOffset: '3px' },
        },
      },
    },
    defaultVariants: { size: 'md', variant: 'outline' },
  }),
  input: defineRecipe({
    variants: {
      size: {
        sm: { ...touch, px: '2.5', '--input-height': 'sizes.7' },
        md: { ...touch, px: '2.5', '--input-height': { base: 'sizes.11', md: 'sizes.8' } },
        lg: { fontSize: { base: '16px', md: 'md' }, px: '3', '--input-height': { base: 'sizes.11', md: 'sizes.10' } },
      },
      variant: { outline: field },
    },
    defaultVariants: { size: 'md', variant: 'outline' },
  }),
  textarea: defineRecipe({
    base: { lineHeight: '1.45' },
    variants: { size: { md: { ...touch, px: '2.5', py: '1.5', minH: '20' } }, variant: { outline: field } },
    defaultVariants: { size: 'md', variant: 'outline' },
  }),
  kbd: defineRecipe({
    base: { justifyContent: 'center', minW: '18px', fontWeight: 'normal', wordSpacing: 'normal', borderRadius: '4px' },
    variants: {
      size: { md: { h: '18px', fontSize: '2xs', lineHeight: '16px', px: '5px' } },
      variant: {
        raised: {
          borderWidth: '1px',
          borderBottomWidth: '1px',
          borderColor: 'border.emphasized',
          color: 'fg.muted',
          bg: 'bg.surface',
        },
      },
    },
    defaultVariants: { size: 'md', variant: 'raised' },
  }),
  link: defineRecipe({
    base: { color: 'accent.fg', borderRadius: 'xs', focusVisibleRing: 'outside', textUnderlineOffset: '3px' },
  }),
  skeleton: defineRecipe({
    base: { borderRadius: 'sm' },
    variants: { variant: { pulse: { background: 'bg.subtle' } } },
  }),
}

const slotRecipe = {
  field: defineSlotRecipe({
    slots: fieldAnatomy.keys(),
    base: {
      root: { gap: '1' },
      label: { fontSize: 'xs', lineHeight: '16px', color: 'fg.muted', fontWeight: 'semibold' },
      helperText: { color: 'fg.subtle' },
      errorText: { fontWeight: 'normal', color: 'fg.error' },
    },
  }),
  nativeSelect: defineSlotRecipe({
    slots: nativeSelectAnatomy.keys(),
    variants: {
      size: {
        md: { field: { ...touch, '--select-field-height': { base: 'sizes.11', md: 'sizes.8' }, ps: '2.5', pe: '8' } },
      },
      variant: { outline: { field } },
    },
  }),
  switch: defineSlotRecipe({
    slots: switchAnatomy.keys(),
    variants: {
      size: { md: { root: { '--switch-width': '32px', '--switch-height': '18px' } } },
      variant: {
        solid: { control: { bg: 'border.control', _checked: { bg: 'accent.solid' } }, thumb: { bg: 'bg.surface' } },
      },
    },
  }),
  checkbox: defineSlotRecipe({
    slots: checkboxAnatomy.keys(),
    base: { label: { fontSize: 'sm', fontWeight: 'normal' }, control: { borderColor: 'border.control' } },
    variants: { size: { md: { control: { boxSize: '4' } } } },
  }),
}

/** Fonts that real systems have, named before the generics: `system-ui` is a very wide face on bare Linux. */
const SANS =
  '-apple-system, BlinkMacSystemFont, "Segoe UI Variable Text", "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", "Helvetica Neue", Arial, "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji", sans-serif'
const MONO = '"SF Mono", SFMono-Regular, Menlo, "Cascadia Mono", Consolas, "Liberation Mono", monospace'

const token = {
  fonts: { heading: { value: SANS }, body: { value: SANS }, mono: { value: MONO } },
  fontSizes: {
    '2xs': { value: '0.6875rem' },
    xs: { value: '0.75rem' },
    sm: { value: '0.8125rem' },
    md: { value: '0.875rem' },
    lg: { value: '1rem' },
    xl: { value: '1.25rem' },
    '2xl': { value: '1.625rem' },
    '3xl': { value: '2rem' },
  },
  lineHeights: {
    tight: { value: '1.2' },
    snug: { value: '1.35' },
    normal: { value: '1.45' },
    relaxed: { value: '1.6' },
  },
  fontWeights: { normal: { value: 400 }, medium: { value: 600 }, semibold: { value: 600 }, bold: { value: 600 } },
  radii: {
    xs: { value: '3px' },
    sm: { value: '5px' },
    md: { value: '7px' },
    lg: { value: '10px' },
    xl: { value: '14px' },
    full: { value: '9999px' },
  },
  sizes: {
    drawer: { value: '232px' },
    drawerMini: { value: '64px' },
    toolbar: { value: '52px' },
    inspector: { value: '308px' },
    palette: { value: '228px' },
    historyPanel: { value: '420px' },
    content: { value: '1280px' },
    block: { value: '240px' },
    blockHeight: { value: '72px' },
    control: { value: '32px' },
    controlSm: { value: '28px' },
    controlLg: { value: '40px' },
    touch: { value: '44px' },
  },
  durations: {
    fastest: { value: '90ms' },
    faster: { value: '90ms' },
    fast: { value: '90ms' },
    base: { value: '160ms' },
    slow: { value: '240ms' },
    camera: { value: '320ms' },
    moderate: { value: '160ms' },
    slower: { value: '240ms' },
    slowest: { value: '320ms' },
  },
  easings: { out: { value: 'cubic-bezier(.2,.8,.2,1)' }, inOut: { value: 'cubic-bezier(.5,0,.2,1)' } },
  zIndex: {
    panel: { value: 10 },
    cursor: { value: 20 },
    drawer: { value: 30 },
    sticky: { value: 40 },
    popover: { value: 60 },
    modal: { value: 80 },
    toast: { value: 100 },
    tooltip: { value: 110 },
    dropdown: { value: 60 },
  },
}

const shadow = {
  raised: {
    value: {
      _light: '0 1px 2px rgba(27,26,23,.06), 0 4px 12px rgba(27,26,23,.07)',
      _dark: '0 1px 2px rgba(0,0,0,.5), 0 6px 16px rgba(0,0,0,.45)',
    },
  },
  overlay: {
    value: {
      _light: '0 2px 6px rgba(27,26,23,.08), 0 16px 40px rgba(27,26,23,.16)',
      _dark: '0 2px 6px rgba(0,0,0,.6), 0 20px 48px rgba(0,0,0,.6)',
    },
  },
  block: { value: { _light: '0 1px 2px rgba(27,26,23,.08)', _dark: '0 1px 2px rgba(0,0,0,.6)' } },
}

const COLORS = {
  transparent: { value: 'transparent' },
  current: { value: 'currentColor' },
  black: { value: '#000000' },
  white: { value: '#FFFFFF' },
  whiteAlpha: { 200: { value: 'rgba(255, 255, 255, 0.16)' }, 400: { value: 'rgba(255, 255, 255, 0.4)' } },
}

/** The parts of Chakra's own theme that are used: a component whose recipe is not named here has no style. */
const chakraBase = defineConfig({
  preflight: true,
  cssVarsPrefix,
  cssVarsRoot,
  globalCss,
  theme: {
    breakpoints,
    keyframes,
    tokens: { ...tokens, colors: COLORS },
    textStyles,
    recipes: {
      button: buttonRecipe,
      checkmark: checkmarkRecipe,
      input: inputRecipe,
      kbd: kbdRecipe,
      link: linkRecipe,
      separator: separatorRecipe,
      skeleton: skeletonRecipe,
      spinner: spinnerRecipe,
      textarea: textareaRecipe,
    },
    slotRecipes: {
      checkbox: checkboxSlotRecipe,
      field: fieldSlotRecipe,
      nativeSelect: nativeSelectSlotRecipe,
      switch: switchSlotRecipe,
    },
  },
})

const text = (fontSize: string, lineHeight: string, more: object = {}) => ({ value: { fontSize, lineHeight, ...more } })

const parley = defineConfig({
  globalCss: {
    html: { colorPalette: 'accent', bg: 'bg', color: 'fg', lineHeight: '1.45', height: '100%' },
    body: { fontSize: 'md', minHeight: '100%' },
    '#root': { minHeight: '100dvh', display: 'flex', flexDirection: 'column' },
    'h1, h2, h3, h4, b, strong, th': { fontWeight: 'semibold' },
    ':focus-visible': { outlineColor: 'accent.focusRing' },
    '*::selection': { bg: 'accent.emphasized' },
    '*, *::before, *::after': {
      _motionReduce: {
        animationDuration: '0.01ms !important',
        animationIterationCount: '1 !important',
        transitionDuration: '0s !important',
        scrollBehavior: 'auto !important',
      },
    },
  },
  theme: {
    tokens: token,
    keyframes: {
      'parley-drain': { from: { scale: '1 1' }, to: { scale: '0 1' } },
      'parley-fill': { from: { scale: '0 1' }, to: { scale: '0.96 1' } },
      'parley-run': { from: { translate: '-100% 0' }, to: { translate: '334% 0' } },
      'parley-shake': {
        '0%, 100%': { rotate: '0deg' },
        '20%, 60%': { rotate: '14deg' },
        '40%, 80%': { rotate: '-14deg' },
      },
      'parley-drift': { from: { translate: '0 0' }, to: { translate: '-46px 34px' } },
      'parley-drift-back': { from: { translate: '0 0' }, to: { translate: '60px -26px' } },
      'parley-flash': { from: { outlineWidth: '3px' }, to: { outlineWidth: '0px' } },
    },
    semanticTokens: {
      colors: {
        ...semanticColor,
        environment: {
          production: INSTANCE_THEMES.production.accent.fg,
          preproduction: INSTANCE_THEMES.preproduction.accent.fg,
          development: INSTANCE_THEMES.development.accent.fg,
        },
      },
      shadows: { ...shadow, xs: shadow.block, sm: shadow.block, md: shadow.raised, lg: shadow.overlay },
      radii: { l1: { value: '{radii.sm}' }, l2: { value: '{radii.md}' }, l3: { value: '{radii.lg}' } },
    },
    textStyles: {
      display: text('2xl', '34px', { fontWeight: 'semibold' }),
      page: text('xl', '28px', { fontWeight: 'semibold', letterSpacing: '-0.2px' }),
      title: text('lg', '22px', { fontWeight: 'semibold' }),
      card: text('md', '20px', { fontWeight: 'semibold' }),
      body: text('md', '20px'),
      dense: text('sm', '19px'),
      label: text('xs', '16px', { fontWeight: 'semibold' }),
      secondary: text('xs', '16px'),
      caption: text('2xs', '16px'),
      code: text('xs', '20px', { fontFamily: 'mono' }),
    },
    recipes: recipe,
    slotRecipes: slotRecipe,
  },
})

/** The design system of one installation: its theme decides the accent, everything else is the same everywhere. */
export const systemOf = (theme: string): SystemContext =>
  createSystem(
    defaultBaseConfig,
    chakraBase,
    parley,
    defineConfig({ theme: { semanticTokens: { colors: { accent: themeOf(theme).accent } } } }),
  )
