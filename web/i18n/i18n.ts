import { ENTITY_NAMES } from 'virtual:entity-name'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { isLanguage, LANGUAGES, type Language } from '#schemas/language.ts'
import { ENTITY_TEXT, englishFallback } from './english-fallback.ts'
import { addressLanguage, dropFallbackLanguage, pathIn } from './path-language.ts'
import { withPlurals } from './plural-form.ts'

const KEY = 'parley.language'
const SHELL = ['shell', 'entity', 'history']
const catalogue = import.meta.glob<Record<string, unknown>>(
  ['../../schemas/locales/*/*.json', '!../../schemas/locales/*/entity.json'],
  { import: 'default' },
)

/** Names of all entities and their shared texts. */
const NAMES = 'entity'

const load = async (language: string, namespace: string): Promise<Record<string, unknown>> => {
  if (namespace === NAMES) return withPlurals((await ENTITY_NAMES[language]?.())?.default ?? {})
  if (namespace.startsWith(ENTITY_TEXT)) {
    const { readEntityText } = await import('./entity-text.ts')
    return withPlurals(await readEntityText(language, namespace.slice(ENTITY_TEXT.length)))
  }
  const read = catalogue[`../../schemas/locales/${language}/${namespace}.json`]
  return read === undefined ? {} : withPlurals(await read())
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

const rememberedLanguage = (): Language | undefined => {
  const stored = localStorage.getItem(KEY)
  return isLanguage(stored) ? stored : undefined
}

/** The language that the address or the picker says; the address goes first. */
const chosenLanguage = (): Language | undefined => addressLanguage() ?? rememberedLanguage()

/** Takes the fallback language out of the address and keeps it as chosen. Before the router reads the address. */
export const enterAddress = (): void => {
  const language = dropFallbackLanguage()
  if (language !== undefined) localStorage.setItem(KEY, language)
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
      lng: chosenLanguage() ?? 'pt',
      // A fallback language would be loaded along with the chosen one, which is complete as a rule.
      fallbackLng: false,
      ...englishFallback(i18next, load),
      supportedLngs: LANGUAGES,
      ns: SHELL,
      defaultNS: 'shell',
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    })
}

/** Loads the texts of refusals when the page is idle: no page needs them at first, and no form waits for them later. */
export const loadProblemTexts = async (): Promise<void> => {
  const { whenIdle } = await import('#web/idle.ts')
  whenIdle(() => void i18next.loadNamespaces('problem'))
}

/** Changes the language and remembers it; an address that has a language becomes that of the same page in the new one. */
export const chooseLanguage = async (language: Language): Promise<void> => {
  localStorage.setItem(KEY, language)
  const { pathname, search, hash } = location
  if (addressLanguage() !== undefined) location.assign(pathIn(language, pathname) + search + hash)
  else await i18next.changeLanguage(language)
}

/** Takes the language of who signed in, unless the address or the picker says another one. */
export const followUserLanguage = async (language: string | null): Promise<void> => {
  if (chosenLanguage() === undefined && isLanguage(language)) await i18next.changeLanguage(language)
}
