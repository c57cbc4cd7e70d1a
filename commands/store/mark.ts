/** A store's metadata of a stream. A stream without a mark shows all its appended events. */
export interface Mark {
  readonly stream: string
  /** Events up to this revision are removed; 0 for none. */
  readonly removed: number
  readonly maxCount: number | undefined
  readonly isTombstoned: boolean
}
