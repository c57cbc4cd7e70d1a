import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { isLanguage } from '#schemas/language.ts'
import { type ProblemParams, type ProblemTexts, problemText } from '#schemas/problem-text.ts'

/** The text of a refusal or of a field's error (`field.<code>`), in the same words as the server's. */
export const useProblemText = () => {
  const { i18n } = useTranslation('problem')
  return useCallback(
    (key: string, params: ProblemParams = {}): string => {
      const language = isLanguage(i18n.language) ? i18n.language : 'en'
      return problemText((i18n.getResourceBundle(language, 'problem') ?? {}) as ProblemTexts, language, key, params)
    },
    [i18n, i18n.language],
  )
}
