import { ENTITY_NAMES, NAMESPACES } from 'virtual:language-text'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { isLanguage, LANGUAGES, type Language } from '#schemas/language.ts'
import { englishFallback } from './english-fallback.ts'
import { addressLanguage, dropFallbackLanguage, pathIn } from './path-language.ts'
import { withPlurals } from './plural-form.ts'

const KEY = 'parley.language'
const SHELL = ['shell', 'entity', 'history']

/** Names of all entities and their shared texts. */
const NAMES = 'entity'

const load = async (language: string, namespace: string): Promise<Record<string, unknown>> => {
  if (namespace === NAMES) return withPlurals((await ENTITY_NAMES[language]?.()) ?? {})
  const namespaces = await NAMESPACES[language]?.()
  return withPlurals((await namespaces?.[namespace]?.()) ?? {})
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

/** Takes the fallback language out of the address and keeps it as chosen. Before the router is created. */
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
      // A copy: i18next adds to it.
      ns: [...SHELL],
      defaultNS: 'shell',
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    })
}

/** Loads the texts of refusals, so that no form waits for them later. */
export const loadProblemTexts = (): void => void i18next.loadNamespaces('problem')

/** Namespaces of the components on the page, which report them whenever they render. */
const mountedNamespaces = async (): Promise<string[]> => {
  const used = new Set(SHELL)
  i18next.reportNamespaces = {
    addUsedNamespaces: names => {
      for (const name of names) used.add(String(name))
    },
    getUsedNamespaces: () => [...used],
  }
  i18next.emit('languageChanged', i18next.language)
  // React has rendered by the next task.
  await new Promise(done => setTimeout(done))
  return [...used]
}

/** Changes the language when the texts of the page have come. Texts of other pages load later. */
const changeLanguage = async (language: Language): Promise<void> => {
  const mounted = await mountedNamespaces()
  const others = [i18next.options.ns ?? []].flat().filter(name => !mounted.includes(name))
  // i18next waits for all of these.
  i18next.options.ns = mounted
  await i18next.changeLanguage(language)
  if (others.length === 0) return
  const { whenIdle } = await import('#web/idle.ts')
  whenIdle(() => void i18next.loadNamespaces(others).then(() => i18next.emit('languageChanged', i18next.language)))
}

/** Changes the language and remembers it; an address that has a language becomes that of the same page in the new one. */
export const chooseLanguage = async (language: Language): Promise<void> => {
  localStorage.setItem(KEY, language)
  const { pathname, search, hash } = location
  if (addressLanguage() !== undefined) location.assign(pathIn(language, pathname) + search + hash)
  else await changeLanguage(language)
}

/** Takes the language of who signed in, unless the address or the picker says another one. */
export const followUserLanguage = async (language: string | null): Promise<void> => {
  if (chosenLanguage() === undefined && isLanguage(language)) await changeLanguage(language)
}
