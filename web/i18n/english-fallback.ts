import type { InitOptions, i18n } from 'i18next'

/** Namespaces of the texts of one entity begin with it: `entity/bot`. */
export const ENTITY_TEXT = 'entity/'

type ReadTexts = (language: string, namespace: string) => Promise<Record<string, unknown>>

/**
 * Options with which a text that the chosen language lacks is shown in English, never as its key. English is read only
 * then: as a fallback language it would be loaded along with every other one. Nothing is shown until it has come.
 */
export const englishFallback = (i18next: i18n, read: ReadTexts): InitOptions => {
  const asked = new Set<string>()
  return {
    saveMissing: true,
    parseMissingKeyHandler: (_key, defaultValue) => defaultValue ?? '',
    missingKeyHandler: (_languages, namespace, _key, _fallback, _update, options) => {
      const language = i18next.language
      const name = `${language}/${namespace}`
      // Has its own default text: nothing is missing.
      if (options?.defaultValue !== undefined || language === 'en' || asked.has(name)) return
      // The namespace is still loading: its texts are not missing.
      if (!i18next.hasResourceBundle(language, namespace)) return
      asked.add(name)
      read('en', namespace).then(
        texts => {
          i18next.addResourceBundle(language, namespace, texts, true, false)
          i18next.emit('languageChanged', i18next.language)
        },
        () => asked.delete(name),
      )
    },
  }
}
