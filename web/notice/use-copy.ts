import { useTranslation } from 'react-i18next'
import { notice } from './notice.ts'

/** Copies a text and says so; answers whether the browser allowed it, which none does on an address without TLS. */
export const useCopy = () => {
  const { t } = useTranslation('shell')
  return async (text: string, done = t('copied')): Promise<boolean> => {
    try {
      await navigator.clipboard.writeText(text)
      notice.snack(done)
      return true
    } catch {
      notice.toast(t('notcopied'), { tone: 'warning' })
      return false
    }
  }
}
