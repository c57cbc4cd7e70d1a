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

/** Families of codes whose detail begins with the type of a message, or with the state of a receipt. */
const MESSAGES = /^(delivery|channel)\./

/** The detail of a line, with the type of its message in the reader's language. */
export const useLogDetail = () => {
  const { t } = useTranslation('operation')
  return (code: string, detail: string): string => {
    const [kind = '', ...others] = detail.split(' · ')
    const word = MESSAGES.test(code) && /^[a-z]+$/.test(kind) ? t(`kind.${kind}`, { defaultValue: kind }) : kind
    return [word, ...others].join(' · ')
  }
}
