import cronstrue from 'cronstrue'
import 'cronstrue/locales/es.js'
import 'cronstrue/locales/pt_BR.js'
import type { Language } from '#schemas/language.ts'
import { spelled } from './next-runs.ts'

const LOCALES: Readonly<Record<Language, string>> = { en: 'en', pt: 'pt_BR', es: 'es' }

/** Options of cronstrue: `verbose` and others. */
export type CronWords = NonNullable<Parameters<typeof cronstrue.toString>[1]>

/** A cron expression in words of a language, undefined where it cannot be read. */
export const describeCron = (expression: string, language: Language, words: CronWords = {}): string | undefined => {
  try {
    return cronstrue.toString(spelled(expression), { ...words, locale: LOCALES[language] })
  } catch {
    return undefined
  }
}
