import type { Language } from '#schemas/language.ts'
import en from '#schemas/locales/en/shell.json' with { type: 'json' }
import es from '#schemas/locales/es/shell.json' with { type: 'json' }
import pt from '#schemas/locales/pt/shell.json' with { type: 'json' }

const BELLS = { en: en.bell, es: es.bell, pt: pt.bell } as const satisfies Record<Language, unknown>

const templateOf = (language: Language, code: string): string => {
  const { message, other } = BELLS[language]
  const [subject = '', verb = ''] = code.split('.')
  const verbs: Readonly<Record<string, Readonly<Record<string, string>>>> = message
  return (Object.hasOwn(verbs, subject) ? verbs[subject]?.[verb] : undefined) ?? other
}

const shownIn = (language: Language, value: unknown): string =>
  typeof value === 'number'
    ? value.toLocaleString(language === 'pt' ? 'pt-BR' : language, { maximumFractionDigits: 1 })
    : String(value ?? '')

/** The sentence of a notification in a language. `values` has the name of the thing, and the actor if a person acted. */
export const noticeText = (
  language: Language,
  message: string,
  values: Readonly<Record<string, unknown>> & { readonly name: string; readonly actor?: string | undefined },
): string => {
  const known: Readonly<Record<string, unknown>> = { ...values, actor: values.actor ?? BELLS[language].someone }
  return templateOf(language, message)
    .replace(/<\/?b>/g, '')
    .replace(/\{\{(\w+)\}\}/g, (_, key: string) => shownIn(language, known[key]))
}
