import { folded } from '#domain/fold-text.ts'

/** Characters that are compared; what is longer is near to itself alone. */
const MAX_LENGTH = 500

/** Insertions, deletions, exchanges and swaps of neighbours between two texts; more than `most` are not counted on. */
const editsBetween = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1
      const nearest = Math.min((last[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + same)
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      line.push(isSwap ? Math.min(nearest, (beforeLast[column - 2] ?? 0) + 1) : nearest)
    }
    beforeLast = last
    last = line
  }
  return last[b.length] ?? most + 1
}

const comparable = (text: string): string => folded(text).trim().replace(/\s+/gu, ' ')

/**
 * The one of some texts that somebody meant: the same without capitals and accents, or, where `fuzzy`, the only one
 * within one edit per five letters (RUNTIME 21). Undefined for none, and for several that are as near.
 */
export const nearest = (said: string, texts: readonly string[], fuzzy: boolean): string | undefined => {
  const wanted = comparable(said)
  if (wanted === '') return undefined
  const same = texts.find(text => comparable(text) === wanted)
  if (same !== undefined || !fuzzy || wanted.length > MAX_LENGTH) return same
  const near = texts.filter(text => {
    const most = Math.floor(comparable(text).length / 5)
    return most > 0 && editsBetween(wanted, comparable(text), most) <= most
  })
  return new Set(near.map(comparable)).size === 1 ? near[0] : undefined
}
