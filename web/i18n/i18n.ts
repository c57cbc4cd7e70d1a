import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

export const LANGUAGES = ['pt', 'en', 'es'] as const
export type Language = (typeof LANGUAGES)[number]
export const LANGUAGE_NAMES: Record<Language, string> = { pt: 'Português', en: 'English', es: 'Español' }

const KEY = 'parley.language'
const SHELL = ['shell', 'entity', 'history', 'problem', 'people']
const catalogue = import.meta.glob<Record<string, unknown>>('../../schemas/locales/*/*.json', { import: 'default' })

/** Portuguese and Spanish count whole millions as "many"; here they read like any other number. */
const withMany = (texts: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([key, value]) => {
      if (typeof value === 'object' && value !== null) return [[key, withMany({ ...value })]]
      return key.endsWith('_other')
        ? [
            [key.replace(/other$/u, 'many'), value],
            [key, value],
          ]
        : [[key, value]]
    }),
  )

const load = async (language: string, namespace: string): Promise<Record<string, unknown>> => {
  const read = catalogue[`../../schemas/locales/${language}/${namespace}.json`]
  return read === undefined ? {} : withMany(await read())
}

/** Fetches a language's texts when they are first needed, one file per namespace. */
const backend = {
  type: 'backend' as const,
  init: () => {},
  read: (
    language: string,
    namespace: string,
    done: (error: unknown, texts: Record<string, unknown> | null) => void,
  ) => {
    load(language, namespace).then(
      texts => done(null, texts),
      error => done(error, null),
    )
  },
}

export const isLanguage = (value: unknown): value is Language => LANGUAGES.some(language => language === value)

export const rememberedLanguage = (): Language => {
  const stored = localStorage.getItem(KEY)
  return isLanguage(stored) ? stored : 'pt'
}

const show = (language: string) => {
  document.documentElement.lang = language
}

export const startI18n = async (): Promise<void> => {
  i18next.on('languageChanged', show)
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: rememberedLanguage(),
      // Every language is complete: falling back to another would load it as well.
      fallbackLng: false,
      supportedLngs: LANGUAGES,
      ns: SHELL,
      defaultNS: 'shell',
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    })
}

export const chooseLanguage = async (language: Language): Promise<void> => {
  localStorage.setItem(KEY, language)
  await i18next.changeLanguage(language)
}
