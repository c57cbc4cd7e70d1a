import type { LucideIcon } from 'lucide-react'
import { RECENT } from './storage-keys.ts'

/** One line of the command palette. */
export interface Entry {
  readonly id: string
  readonly group: 'recent' | 'found' | 'text' | 'goto' | 'act' | 'help' | 'block'
  readonly icon: LucideIcon | undefined
  readonly words: string
  readonly beside?: string
  readonly keys?: string
  readonly to?: string
  readonly run?: () => void
}

const MAX_RECENT = 6

/** Recent selections in this browser, newest first. */
export const recentEntries = (): readonly Entry[] => {
  try {
    return (JSON.parse(localStorage.getItem(RECENT) ?? '[]') as Omit<Entry, 'icon'>[]).map(entry => ({
      ...entry,
      group: 'recent',
      icon: undefined,
    }))
  } catch {
    return []
  }
}

export const remember = ({ id, words, beside, to }: Entry) => {
  const next = [{ id, words, beside, to }, ...recentEntries().filter(entry => entry.id !== id)].slice(0, MAX_RECENT)
  localStorage.setItem(
    RECENT,
    JSON.stringify(
      next.map(({ id: own, words: text, beside: more, to: at }) => ({ id: own, words: text, beside: more, to: at })),
    ),
  )
}

/** Entries that the open page adds to the command palette. */
interface PageEntries {
  /** Blocks of the open flow that hold these words; all of them for ''. */
  blocks(search: string): readonly Entry[]
  actions(): readonly Entry[]
}

let offered: PageEntries | undefined

export const pageEntries = (): PageEntries | undefined => offered

/** Offers a page's entries until the returned function is called. */
export const registerPageEntries = (entries: PageEntries): (() => void) => {
  offered = entries
  return () => {
    if (offered === entries) offered = undefined
  }
}
