import type { ReactNode } from 'react'
import type { Point } from './geometry.ts'

/** How a block or link differs from another moment; the history shows it, live editing has none. */
export interface Decoration {
  readonly kind: 'added' | 'changed' | 'removed'
  /** Where a moved block stood: drawn as a ghost with an arrow to its new place. */
  readonly from?: Point
  /** Shown instead of the preview lines: a word difference. */
  readonly text?: ReactNode
  /** Shown instead of the title. */
  readonly title?: ReactNode
}

export type Badge = 'warning' | 'error'
