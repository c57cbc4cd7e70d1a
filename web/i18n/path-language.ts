import { isLanguage, type Language } from '#schemas/language.ts'

/** Base path of the console. */
const ROOT = '/botadmin'
/** Its addresses have no prefix: a path that has it is the same path without. */
const FALLBACK: Language = 'en'
/** Pattern of a language in a path. No page of the console starts with such a part. */
const LANGUAGE_PART = /^\/([a-z]{2}(?:-[a-z]{2,4})?)(?=\/|$)/iu

interface LanguagePath {
  readonly language: Language | undefined
  /** Path below the root and the language, '/' at least. */
  readonly rest: string
}

/** The language that a path of the console begins with. */
const readLanguagePath = (pathname: string): LanguagePath => {
  const inside = pathname.startsWith(ROOT) ? pathname.slice(ROOT.length) : pathname
  const [, part] = LANGUAGE_PART.exec(inside) ?? []
  if (!isLanguage(part)) return { language: undefined, rest: inside === '' ? '/' : inside }
  const rest = inside.slice(part.length + 1)
  return { language: part, rest: rest === '' ? '/' : rest }
}

/** A path of the router that begins with a language which the console does not have. */
export const hasUnsupportedLanguage = (path: string): boolean => {
  const [, part] = LANGUAGE_PART.exec(path) ?? []
  return part !== undefined && !isLanguage(part)
}

/** Base path for a language. */
const baseIn = (language: Language | undefined): string =>
  language === undefined || language === FALLBACK ? ROOT : `${ROOT}/${language}`

/** The same page in another language. */
export const pathIn = (language: Language, pathname: string): string =>
  baseIn(language) + readLanguagePath(pathname).rest

/** The language of the open address. */
export const addressLanguage = (): Language | undefined => readLanguagePath(location.pathname).language

/** Base path for the language of the current address. */
export const basePath = (): string => baseIn(addressLanguage())

/** Replaces an address with the fallback language by the one without; answers that language where it did. */
export const dropFallbackLanguage = (): Language | undefined => {
  if (addressLanguage() !== FALLBACK) return undefined
  const { search, hash, pathname } = location
  history.replaceState(history.state, '', pathIn(FALLBACK, pathname) + search + hash)
  return FALLBACK
}
