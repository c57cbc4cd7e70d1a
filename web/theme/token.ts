/** Fonts that real systems have, named before the generics: `system-ui` is a very wide face on bare Linux. */
const SANS =
  '-apple-system, BlinkMacSystemFont, "Segoe UI Variable Text", "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", "Helvetica Neue", Arial, "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji", sans-serif'
const MONO = '"SF Mono", SFMono-Regular, Menlo, "Cascadia Mono", Consolas, "Liberation Mono", monospace'

export const token = {
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

export const shadow = {
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
