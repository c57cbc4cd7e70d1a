import type { Entry } from './recent-entry.ts'

/** Entries that the open page adds to the command palette. */
interface PageEntries {
  /** Blocks of the open flow that hold these words; all of them for ''. */
  blocks(search: string): readonly Entry[]
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
