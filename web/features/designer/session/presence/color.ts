import type { CSSProperties } from 'react'

/** A person's colour of the theme, '1' to '8'. */
export const colorOf = (color: string): string => `var(--chakra-colors-person-${color})`

/** For elements whose style sheet draws in `--person`. */
export const personStyle = (color: string): CSSProperties => ({ '--person': colorOf(color) }) as CSSProperties
