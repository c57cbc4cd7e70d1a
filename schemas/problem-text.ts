import type { Json } from './event.ts'
import { LANGUAGES, type Language } from './language.ts'

/** Texts of one language: `schemas/locales/<language>/problem.json`. */
export type ProblemTexts = Readonly<Record<string, string>>
export type ProblemParams = Readonly<Record<string, Json>>

/** Their value decides between the forms of a counted text. */
const COUNTED = ['attemptsRemaining', 'count'] as const

const PLURALS = new Map(LANGUAGES.map(language => [language, new Intl.PluralRules(language)]))

/**
 * The text of a refusal or, with `field.<code>` as its key, of a field's error: the same on the server and in the
 * browser. A text may have a variant for one entity or one rule, `entity.name.taken.dialog`, `field.format.capital`, and
 * one for none or one where the plural reads differently: `auth.invalid_zero`, `auth.invalid_one`.
 */
export const problemText = (
  texts: ProblemTexts,
  language: Language,
  key: string,
  params: ProblemParams = {},
): string => {
  const chosen = `${key}.${String(params.entity ?? params.rule)}`
  const named = Object.hasOwn(texts, chosen) ? chosen : key
  const counted = COUNTED.map(name => params[name]).find(value => typeof value === 'number')
  const text = texts[`${named}_${formOf(language, counted)}`] ?? texts[named] ?? key
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ''))
}

const formOf = (language: Language, counted: Json | undefined): string => {
  if (typeof counted !== 'number') return 'other'
  return counted === 0 ? 'zero' : (PLURALS.get(language)?.select(counted) ?? 'other')
}
