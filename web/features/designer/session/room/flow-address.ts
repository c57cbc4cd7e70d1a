export type FlowKind = 'dialog' | 'handler'

/** Which flow a page shows. */
export interface FlowAddress {
  readonly kind: FlowKind
  readonly id: string
}

export const roomName = ({ kind, id }: FlowAddress): string => `${kind}-${encodeURIComponent(id)}`
