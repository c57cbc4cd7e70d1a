import { useTranslation } from 'react-i18next'

const CARD = /^card\.(\d+)\.(.+)$/u
const IN_CARD = /^body\.(.+)$/u

/** A variable of a template in words: `button.1` is "Value of button 1". */
export const useVariableName = (): ((variable: string) => string) => {
  const { t } = useTranslation('entity/template')
  const nameOf = (variable: string): string => {
    const [, card, rest = ''] = CARD.exec(variable) ?? []
    if (card !== undefined) {
      const what = rest === 'header' ? t('variable.file') : nameOf(IN_CARD.exec(rest)?.[1] ?? rest)
      return t('variable.card', { what, card })
    }
    const [kind = '', part = ''] = variable.split('.')
    if (kind === 'button') return t('variable.button', { place: part })
    if (kind === 'header') return t(`variable.${part === '' ? 'header' : part}`)
    return variable === 'code' ? t('variable.code') : t('variable.text', { name: variable })
  }
  return nameOf
}

/** Whether a variable is one of the body's text, under its own name. */
export const isInBody = (variable: string): boolean =>
  !/[.]/u.test(variable) && variable !== 'header' && variable !== 'code'
