import { foldName } from '#schemas/fold-text.ts'

/** UTF-16 units of a name that leave room for a number behind it. */
const MAX_LENGTH = 190

/** Never half of a character. */
const cut = (name: string) => {
  const begun = name.slice(0, MAX_LENGTH)
  return begun.isWellFormed() ? begun : begun.slice(0, -1)
}

/** `Name (2)`, or the first number that none of these names has. `numbered`: another form. */
export const freeName = (
  name: string,
  names: Iterable<string>,
  numbered = (begun: string, number: number): string => `${begun} (${number})`,
): string => {
  const taken = new Set(Array.from(names, foldName))
  for (let number = 2; ; number += 1) {
    const proposed = numbered(cut(name), number)
    if (!taken.has(foldName(proposed))) return proposed
  }
}
