/** A block's name for history, audit and notifications. */
export interface BlockMention {
  readonly id: string
  readonly type: string
  readonly title: string
}
export interface BlockChange extends BlockMention {
  /** `title`, `pos`, `type`, or a property's dotted name. */
  readonly fields: readonly string[]
}
export interface LinkMention {
  readonly id: string
  readonly from: string
  readonly to: string
}

/** Changes of an edit. `script`: a handler's code changed. */
export interface FlowSummary {
  readonly added: readonly BlockMention[]
  readonly changed: readonly BlockChange[]
  readonly removed: readonly BlockMention[]
  readonly links: {
    readonly added: readonly LinkMention[]
    readonly changed: readonly LinkMention[]
    readonly removed: readonly LinkMention[]
  }
  readonly script: boolean
}
