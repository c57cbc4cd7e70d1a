/** Look of the option that keys or the pointer are at. In dark mode popovers have the colour of `bg.subtle`. */
export const highlight = { bg: 'bg.muted', boxShadow: 'inset 3px 0 0 {colors.accent.solid}', outline: 'none' }
