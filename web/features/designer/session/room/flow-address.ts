import { DESIGNER_QUERY } from '#web/entity/address.ts'

export type FlowKind = 'dialog' | 'handler'

/** Which flow a page shows. */
export interface FlowAddress {
  readonly kind: FlowKind
  readonly id: string
}

export const roomName = ({ kind, id }: FlowAddress): string => `${kind}-${encodeURIComponent(id)}`

/** Leads to one block of the flow that is open. */
export const blockLink = (block: string): string => {
  const url = new URL(location.pathname, location.origin)
  url.searchParams.set(DESIGNER_QUERY.block, block)
  return url.href
}
