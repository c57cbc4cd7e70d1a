import { folded } from '#schemas/fold-text.ts'

interface Searched {
  readonly shortcut: string
  readonly text: string
}

/** Folded texts: an answer is searched with each letter that an agent types. */
const foldedTexts = new WeakMap<Searched, string>()

const foldedText = (answer: Searched): string => {
  const known = foldedTexts.get(answer) ?? folded(answer.text)
  foldedTexts.set(answer, known)
  return known
}

/**
 * Canned answers for what an agent typed, at most `limit`: first those whose shortcut begins with it, then those whose
 * shortcut contains it, then those whose text does.
 */
export const searchCanned = <T extends Searched>(answers: readonly T[], typed: string, limit: number): readonly T[] => {
  const wanted = folded(typed.trim())
  const begins: T[] = []
  const contains: T[] = []
  const rest: T[] = []
  for (const answer of answers) {
    const at = folded(answer.shortcut).indexOf(wanted)
    if (at === 0) begins.push(answer)
    else if (at > 0) contains.push(answer)
    else rest.push(answer)
  }
  const found = [...begins, ...contains].slice(0, limit)
  for (const answer of rest) {
    if (found.length >= limit) break
    if (foldedText(answer).includes(wanted)) found.push(answer)
  }
  return found
}
