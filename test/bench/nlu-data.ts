import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type NluData, printStatement } from '#domain/nlu/project-data.ts'
import { corpus } from '#test/fixture/corpus.ts'

/** A line of the sets in the corpus (its `SOURCES.md`). */
export interface CorpusLine {
  readonly text: string
  /** '' for a line out of scope. */
  readonly intent: string
  readonly split: 'train' | 'validation' | 'test'
  readonly entities?: readonly { readonly start: number; readonly end: number; readonly entity: string }[]
}

export const corpusLines = (name: string): readonly CorpusLine[] =>
  readFileSync(corpus('nlu', `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line): CorpusLine => JSON.parse(line))

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The first lines of each intent, by the hash of their text. */
export const fewLines = (lines: readonly CorpusLine[], most: number): readonly CorpusLine[] => {
  const byIntent = Map.groupBy(lines, ({ intent }) => intent)
  return [...byIntent.values()].flatMap(own =>
    own.toSorted((a, b) => (digest(a.text) < digest(b.text) ? -1 : 1)).slice(0, most),
  )
}

/** The line without accents, and with a letter lost or swapped in three of ten words of five letters or more. */
export const noisyText = (text: string, seed: number): string => {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  const random = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .split(' ')
    .map(word => {
      if (word.length < 5 || random() > 0.3) return word
      const at = 1 + Math.floor(random() * (word.length - 2))
      const rest = word.slice(at + 2)
      return random() < 0.5
        ? `${word.slice(0, at)}${word.slice(at + 1)}`
        : `${word.slice(0, at)}${word[at + 1]}${word[at]}${rest}`
    })
    .join(' ')
}

/** A project of these lines. */
export const projectOf = (lines: readonly CorpusLine[]): NluData => ({
  locale: 'en',
  timezone: 'America/Sao_Paulo',
  intents: [...Map.groupBy(lines, ({ intent }) => intent)].map(([name, own]) => ({
    name,
    statements: own.map(({ text, entities = [] }, place) => ({
      id: `${place}`,
      text: printStatement({ text, spans: entities }),
    })),
    responses: [],
  })),
  entities: [],
  regexes: [],
  synonyms: [],
})
