import type { Point } from './geometry.ts'

/** Another person in the room. */
export interface Peer {
  readonly client: number
  readonly id: string
  readonly name: string
  /** '1' to '8', a person color of the theme. */
  readonly color: string
  readonly viewer: boolean
}

/** Pointer of a person in flow coordinates. `over` is relative to a block, whose size may differ for each person. */
export interface Cursor extends Point {
  readonly over?: { readonly block: string; readonly across: number; readonly down: number } | undefined
}
