import en from '#schemas/locales/en/webchat.json' with { type: 'json' }
import es from '#schemas/locales/es/webchat.json' with { type: 'json' }
import pt from '#schemas/locales/pt/webchat.json' with { type: 'json' }

type TextName = keyof typeof en
const TEXTS = { en, pt, es }

/** The first of these languages that the chat has; Portuguese for none. */
export const chatLanguage = (wanted: readonly (string | null | undefined)[]): keyof typeof TEXTS => {
  for (const each of wanted) {
    const language = each?.toLowerCase().split('-')[0]
    if (language === 'en' || language === 'pt' || language === 'es') return language
  }
  return 'pt'
}

/** The first language that the person wants and the bot has words in, else the bot's own. */
export const spokenLanguage = (
  wanted: readonly (string | null | undefined)[],
  languages: readonly string[],
): string => {
  const tags = wanted.map(each => each?.toLowerCase().split('-')[0] ?? '')
  return tags.find(tag => languages.includes(tag)) ?? languages[0] ?? ''
}

/** Texts of the chat in one language, with double braces filled in. */
export const createTexts =
  (language: keyof typeof TEXTS) =>
  (name: TextName, values: Readonly<Record<string, string | number>> = {}): string =>
    TEXTS[language][name].replace(/\{\{(\w+)\}\}/g, (_whole, key: string) => String(values[key] ?? ''))

export type ChatTexts = ReturnType<typeof createTexts>
