/** What a store keeps of a stream beside its events. A stream without a mark shows all that was appended to it. */
export interface Mark {
  readonly stream: string
  /** Events up to this revision are removed; 0 for none. */
  readonly removed: number
  readonly maxCount: number | undefined
  readonly isTombstoned: boolean
}
