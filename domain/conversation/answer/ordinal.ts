import { folded } from '#domain/fold-text.ts'

/** First to tenth, in English, Portuguese and Spanish. */
const WORDS: readonly string[] = [
  'first|primeiro|primeira|primero|primera|primer',
  'second|segundo|segunda',
  'third|terceiro|terceira|tercero|tercera|tercer',
  'fourth|quarto|quarta|cuarto|cuarta',
  'fifth|quinto|quinta',
  'sixth|sexto|sexta',
  'seventh|setimo|setima|septimo|septima',
  'eighth|oitavo|oitava|octavo|octava',
  'ninth|nono|nona|noveno|novena',
  'tenth|decimo|decima',
]
const BY_WORD: ReadonlyMap<string, number> = new Map(
  WORDS.flatMap((words, place) => words.split('|').map(word => [word, place + 1] as const)),
)

const IN_FIGURES = /^(\d{1,9}) ?(?:\.?[ºª°]|st|nd|rd|th|[oa]|er[oa]?|r[oa]|d[oa]|t[oa]|m[oa]|v[oa]|n[oa])?\.?$/u

/** The place that an ordinal says, from 1: `2`, `2º`, `2nd`, `segundo`, `a segunda`. Undefined for none. */
export const ordinalNumber = (line: string): number | undefined => {
  const text = folded(line).replace(/^(?:(?:the|o|a|el|la) |#)/u, '')
  const named = BY_WORD.get(text.replace(/[.!]$/u, ''))
  if (named !== undefined) return named
  const digits = IN_FIGURES.exec(text)?.[1]
  return digits === undefined || Number(digits) < 1 ? undefined : Number(digits)
}
