import type { Entry } from './recent-entry.ts'

/** What the page that is open adds to the command palette. */
interface PageEntries {
  /** Blocks of the open flow that hold these words; all of them for ''. */
  blocks(search: string): readonly Entry[]
  /** What can be done on the page. */
  actions(): readonly Entry[]
}

let offered: PageEntries | undefined

export const pageEntries = (): PageEntries | undefined => offered

/** Offers a page's entries until the returned function is called. */
export const offerEntries = (entries: PageEntries): (() => void) => {
  offered = entries
  return () => {
    if (offered === entries) offered = undefined
  }
}
