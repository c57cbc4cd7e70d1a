import { useTranslation } from 'react-i18next'

/** A code of a bot's log in the reader's language; an unknown one is shown as it is. */
export const useLogWords = () => {
  const { t } = useTranslation('operation')
  return (code: string): string => {
    const [kind = '', what = ''] = code.split('.')
    const text = t(`code.${kind}.${what}`, { defaultValue: '' })
    return text === '' ? t(`code.${kind}.other`, { defaultValue: code, what }) : text
  }
}
