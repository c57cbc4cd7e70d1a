import { createSystem, defaultBaseConfig, defineConfig, type SystemContext } from '@chakra-ui/react'
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
import { recipe, slotRecipe } from './recipe.ts'
import { shadow, token } from './token.ts'

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
