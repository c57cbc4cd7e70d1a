import type { RegexMatch } from '#domain/nlu/parse-text.ts'
import { compilePattern } from '#domain/nlu/pattern-cost.ts'

export interface RegexQuestion {
  readonly text: string
  readonly regexes: readonly { readonly entity: string; readonly pattern: string }[]
}

const MAX_MATCHES = 50
const MAX_COMPILED = 2000
const compiled = new Map<string, RegExp | undefined>()

const expressionOf = (pattern: string): RegExp | undefined => {
  if (compiled.size >= MAX_COMPILED) compiled.clear()
  const known = compiled.get(pattern) ?? compilePattern(pattern)
  compiled.set(pattern, known)
  return known
}

export const run = ({ text, regexes }: RegexQuestion): readonly RegexMatch[] => {
  const matches: RegexMatch[] = []
  for (const { entity, pattern } of regexes) {
    const expression = expressionOf(pattern)
    if (expression === undefined) continue
    for (const { 0: raw, index } of text.matchAll(expression)) {
      if (raw !== '' && matches.length < MAX_MATCHES) matches.push({ entity, start: index, end: index + raw.length })
    }
  }
  return matches
}
