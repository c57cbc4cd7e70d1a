/** Look of the option that keys or the pointer are at. In dark mode popovers have the colour of `bg.subtle`. */
export const highlight = { bg: 'bg.muted', boxShadow: 'inset 3px 0 0 {colors.accent.solid}', outline: 'none' }

/** Look of a link that covers the whole box around it. `outlineOffset`: of its focus ring from the edge of the box. */
export const coveringLink = (outlineOffset: string, borderRadius?: 'lg') =>
  ({
    outline: 'none',
    _after: { content: '""', position: 'absolute', inset: 0, ...(borderRadius === undefined ? {} : { borderRadius }) },
    _focusVisible: {
      _after: { outlineWidth: '2px', outlineStyle: 'solid', outlineColor: 'accent.focusRing', outlineOffset },
    },
  }) as const
