/** The parameter of a flow's address that names the selected block. */
export const BLOCK = 'block'

/** Leads to one block of the flow that is open. */
export const blockLink = (block: string): string => {
  const url = new URL(location.pathname, location.origin)
  url.searchParams.set(BLOCK, block)
  return url.href
}
