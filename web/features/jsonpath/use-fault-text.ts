import { useTranslation } from 'react-i18next'
import type { Fault } from '#domain/expression/engine.ts'
import { lineAndColumn } from './url-fragment.ts'

/** A fault in words, with the line and column where it is. */
export const useFaultText = () => {
  const { t } = useTranslation('tool')
  return ({ code, place, name = '' }: Fault, source: string): string => {
    const what = t(`jsonpath.fault.${code}`, { name: name.slice(0, 100) })
    return t('jsonpath.at', { what, ...lineAndColumn(source, place.offset) })
  }
}
