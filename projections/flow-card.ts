/** Summary of a flow for lists and cards. */
export interface FlowCard {
  readonly id: string
  readonly revision: number
  /** Of its last edit. */
  readonly time: string
  /** Newest first. */
  readonly editors: readonly {
    readonly person: { readonly id: string; readonly username: string | null }
    readonly time: string
  }[]
  readonly blocks: number
  /** [x, y, block type] of each block, top to bottom, at most 400. */
  readonly miniature: readonly (readonly [x: number, y: number, type: string])[]
}
