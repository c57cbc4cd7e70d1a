/** Something that points at a thing. */
export interface Use {
  readonly entity: string
  readonly id: string
  readonly title: string
  /** Of a block, dotted within groups and lists. */
  readonly field: string
  /** The block of a flow that holds the reference; `dialog` is the flow's id, a handler's too. */
  readonly flow?: { readonly dialog: string; readonly block: string }
}

/** `total` and `kinds` count what the caller may see, `hidden` counts the rest. */
export interface UsedBy {
  readonly items: readonly Use[]
  readonly total: number
  readonly hidden: number
  readonly kinds: readonly { readonly entity: string; readonly total: number }[]
}

/** A field whose stored value holds a text that was looked for. */
export interface FieldText {
  readonly entity: string
  readonly id: string
  readonly title: string
  readonly field: string
  /** As it is stored: JSON where it is structured. */
  readonly value: string
}
