import type { ReactNode } from 'react'
import type { Point } from './geometry.ts'

/** Difference of a block or link from another moment; used by history only. */
export interface Decoration {
  readonly kind: 'added' | 'changed' | 'removed'
  /** Old place of a moved block: drawn as a ghost with an arrow to its new one. */
  readonly from?: Point
  /** Shown instead of the preview lines: a word difference. */
  readonly text?: ReactNode
  /** Shown instead of the title. */
  readonly title?: ReactNode
}

export type Badge = 'warning' | 'error'
