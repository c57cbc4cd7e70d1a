import { parseStatement } from './project-data.ts'

interface IndexedIntent {
  readonly id: string
  readonly name: string
  readonly statements: readonly { readonly id: string; readonly text: string }[]
}

/** A line of a project that says the same as another, or nearly. */
export interface Likeness {
  readonly intent: string
  readonly name: string
  /** Id of the line. */
  readonly id: string
  /** Share of words in common, 1 for the same words in the same order. */
  readonly score: number
}

export interface StatementIndex {
  /** Lines of the same words in the same order, in the order of the project. */
  same(text: string): readonly Likeness[]
  /** The most alike line of another intent; undefined where none has enough in common. */
  near(text: string, intent: string): Likeness | undefined
  /** Lines of an intent that another intent has too. */
  conflicts(intent: string): number
}

/** From here on two lines look like one. */
const MIN_SCORE = 0.75
/** Words by which candidates are found, the rarest first, and lines of each. */
const MAX_WORDS = 4
const MAX_LINES = 300

interface Line extends Omit<Likeness, 'score'> {
  readonly words: ReadonlySet<string>
}

const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Text of a marked line as it is compared: words alone, without accents, case and marks. */
const keyOf = (text: string): string => wordsOf(text).join(' ')

const likeness = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  const shared = one.intersection(other).size
  return shared / (one.size + other.size - shared)
}

/** Index of the lines of all intents, to find equal ones. Query texts are plain. */
export const createStatementIndex = (intents: readonly IndexedIntent[]): StatementIndex => {
  const byKey = new Map<string, Line[]>()
  const byWord = new Map<string, Line[]>()
  const push = (map: Map<string, Line[]>, key: string, line: Line) => {
    const known = map.get(key)
    if (known === undefined) map.set(key, [line])
    else known.push(line)
  }
  for (const { id: intent, name, statements } of intents)
    for (const { id, text } of statements) {
      const words = wordsOf(parseStatement(text).text)
      if (words.length === 0) continue
      const line: Line = { intent, name, id, words: new Set(words) }
      push(byKey, words.join(' '), line)
      for (const word of line.words) push(byWord, word, line)
    }
  const conflicts = new Map<string, number>()
  for (const lines of byKey.values()) {
    if (new Set(lines.map(({ intent }) => intent)).size < 2) continue
    for (const { intent } of lines) conflicts.set(intent, (conflicts.get(intent) ?? 0) + 1)
  }
  const told = ({ words: _words, ...line }: Line, score: number): Likeness => ({ ...line, score })
  const same = (text: string) => (byKey.get(keyOf(text)) ?? []).map(line => told(line, 1))
  return {
    same,
    near(text, intent) {
      const equal = same(text).find(line => line.intent !== intent)
      if (equal !== undefined) return equal
      const words = new Set(wordsOf(text))
      if (words.size < 2) return undefined
      const lists = [...words].map(word => byWord.get(word) ?? []).sort((a, b) => a.length - b.length)
      let best: Likeness | undefined
      for (const list of lists.slice(0, MAX_WORDS))
        for (const line of list.slice(0, MAX_LINES)) {
          if (line.intent === intent) continue
          const score = likeness(words, line.words)
          if (score >= MIN_SCORE && score > (best?.score ?? 0)) best = told(line, score)
        }
      return best
    },
    conflicts: intent => conflicts.get(intent) ?? 0,
  }
}
