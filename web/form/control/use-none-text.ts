import { useTranslation } from 'react-i18next'

/** Text of the empty choice: to be chosen, or none. */
export const useNoneText = (required: boolean): string => {
  const { t } = useTranslation('shell')
  return t(required ? 'form.choose' : 'form.none')
}
