import type { Language } from '#schemas/language.ts'
import en from '#schemas/locales/en/problem.json' with { type: 'json' }
import es from '#schemas/locales/es/problem.json' with { type: 'json' }
import pt from '#schemas/locales/pt/problem.json' with { type: 'json' }
import { type ProblemParams, type ProblemTexts, problemText } from '#schemas/problem-text.ts'
import type { FieldError, Refusal } from '#schemas/refusal.ts'

const TEXTS: Readonly<Record<Language, ProblemTexts>> = { en, pt, es }

const textOf = (language: Language, key: string, params?: ProblemParams): string =>
  problemText(TEXTS[language], language, key, params)

/** The text of a refusal in a language. */
export const refusalText = ({ code, params }: Refusal, language: Language): string => textOf(language, code, params)

/** The text of a field's error in a language. */
export const fieldErrorText = ({ code, params }: FieldError, language: Language): string =>
  textOf(language, `field.${code}`, params)

/** The reason why a campaign message was not sent, or why its outcome is unknown. An unknown code is its own text. */
export const sendReasonText = (language: Language, reason: string): string =>
  textOf(language, 'sendreason', { rule: reason, code: reason })
