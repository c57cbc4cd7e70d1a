/** A bar that stays at the bottom of a list. */
export const BAR = {
  as: 'section',
  flex: 'none',
  minH: '52px',
  px: { base: '3', md: '6' },
  py: '2',
  gap: '3',
  bg: 'bg.surface',
  borderTopWidth: '1px',
  animation: 'slide-from-bottom 160ms, fade-in 160ms',
  flexWrap: 'wrap',
} as const
