import { folded } from '#schemas/fold-text.ts'

/** An emoji and its names; the first is its accessible name. */
export interface Emoji {
  readonly sign: string
  readonly names: string
}

/** Emoji whose names contain all words of a search. */
export const matchingEmoji = (all: readonly Emoji[], search: string): readonly Emoji[] => {
  const words = folded(search)
    .split(/\s+/u)
    .filter(word => word !== '')
  return all.filter(({ names }) => words.every(word => folded(names).includes(word)))
}

const RECENT = 'parley.emoji'
const MAX_RECENT = 16

/** Emoji that this browser chose last, the newest first. */
export const recentEmoji = (): readonly string[] =>
  (localStorage.getItem(RECENT) ?? '').split(' ').filter(sign => sign !== '')

export const rememberEmoji = (sign: string): void => {
  const all = [sign, ...recentEmoji().filter(other => other !== sign)]
  localStorage.setItem(RECENT, all.slice(0, MAX_RECENT).join(' '))
}

/** Place after an arrow key in rows of `columns`; undefined for other keys. */
export const movedPlace = (key: string, place: number, count: number, columns: number): number | undefined => {
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[key]
  if (step === undefined || count === 0) return undefined
  const next = place + step
  return next < 0 || next >= count ? place : next
}
