import { DESIGNER_QUERY } from '#web/entity/address.ts'

/** Leads to one block of the flow that is open. */
export const blockLink = (block: string): string => {
  const url = new URL(location.pathname, location.origin)
  url.searchParams.set(DESIGNER_QUERY.block, block)
  return url.href
}
