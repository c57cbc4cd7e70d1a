import type { ReadModels, Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Language } from '#schemas/language.ts'
import en from '#schemas/locales/en/conversation.json' with { type: 'json' }
import es from '#schemas/locales/es/conversation.json' with { type: 'json' }
import pt from '#schemas/locales/pt/conversation.json' with { type: 'json' }
import { allRows } from '../report/granted-reports.ts'

const DEFAULTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en, es, pt }

const isLanguage = (locale: string): locale is Language => Object.hasOwn(DEFAULTS, locale)

const enabledTexts = (rows: readonly Row[], locale: string): readonly (readonly [code: string, text: string])[] =>
  rows.flatMap(({ locale: spoken, code, message, enabled }) =>
    spoken === locale && enabled !== false && typeof code === 'string' && typeof message === 'string'
      ? [[code, message] as const]
      : [],
  )

/** What a bot says by itself in a language: its own locale messages, else those of its level, else the product's. */
export const botMessages = async (read: ReadModels, bot: Row, locale: string): Promise<ReadonlyMap<string, string>> => {
  const [shared, own] = await Promise.all([
    allRows(read, SYSTEM_SCOPE, 'localemessage', { hierarchylevel: bot.hierarchylevel }),
    allRows(read, SYSTEM_SCOPE, 'botspecificlocalemessage', { bot: bot.id }),
  ])
  const defaults = DEFAULTS[isLanguage(locale) ? locale : 'pt']
  return new Map([...Object.entries(defaults), ...enabledTexts(shared, locale), ...enabledTexts(own, locale)])
}
