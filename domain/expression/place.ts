/** Position in a text: UTF-16 units from its beginning. */
export interface Place {
  readonly offset: number
  readonly length: number
}
