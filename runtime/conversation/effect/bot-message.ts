import type { ReadModels, Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Language } from '#schemas/language.ts'
import en from '#schemas/locales/en/conversation.json' with { type: 'json' }
import es from '#schemas/locales/es/conversation.json' with { type: 'json' }
import pt from '#schemas/locales/pt/conversation.json' with { type: 'json' }

const DEFAULTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en, es, pt }

const isLanguage = (locale: string): locale is Language => Object.hasOwn(DEFAULTS, locale)

/** Codes of one bot, including those of its levels. */
const MAX_CODES = 10_000

/** Standard messages of a bot in a language: from its locale, else from the nearest level, else from the product. */
export const botMessages = async (read: ReadModels, bot: Row, locale: string): Promise<ReadonlyMap<string, string>> => {
  const place = { entity: 'bot', id: bot.id } as const
  const matrix = await read.messages(SYSTEM_SCOPE, { place, locales: [locale], page: 1, size: MAX_CODES })
  const written = (matrix?.items ?? []).flatMap(({ code, messages }) => {
    const text = messages[locale]?.text ?? null
    return text === null ? [] : [[code, text] as const]
  })
  const defaults = DEFAULTS[isLanguage(locale) ? locale : 'pt']
  return new Map([...Object.entries(defaults), ...written])
}
