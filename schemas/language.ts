/** Languages of the console, of chats and of refusals. */
export const LANGUAGES = ['en', 'pt', 'es'] as const
export type Language = (typeof LANGUAGES)[number]
export const DEFAULT_LANGUAGE: Language = 'pt'

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', pt: 'Português', es: 'Español' }

/** Language of a bot's chats and standard texts: the store's default locale has no Spanish. */
export const botLanguage = (bot: { readonly language: Language | null; readonly defaultlocale: Language }): Language =>
  bot.language ?? bot.defaultlocale

export const isLanguage = (value: unknown): value is Language => LANGUAGES.some(language => language === value)

/** Best of `Accept-Language` (RFC 9110 quality values); undefined when it names none of ours. */
export const languageOf = (header: string | undefined): Language | undefined => {
  if (header === undefined) return undefined
  const wanted = header
    .slice(0, 500)
    .split(',')
    .map(part => {
      const [tag = '', ...params] = part.trim().toLowerCase().split(';')
      const quality = params.map(param => /^\s*q=([\d.]+)\s*$/.exec(param)?.[1]).find(value => value !== undefined)
      return { tag: tag.trim().split('-')[0] ?? '', quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const { tag } of wanted) {
    const found = LANGUAGES.find(language => language === tag)
    if (found !== undefined) return found
  }
  return undefined
}
