import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** Counts and shares as the reader's language writes them. */
export const useNumbers = () => {
  const { i18n } = useTranslation()
  return useMemo(() => {
    const count = new Intl.NumberFormat(i18n.language)
    const share = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 })
    const points = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1, signDisplay: 'exceptZero' })
    return {
      /** Null: fewer than five, withheld. */
      countOf: (value: number | null): string => (value === null ? '< 5' : count.format(value)),
      shareOf: (value: number): string => share.format(value),
      /** Difference of two shares in percentage points. */
      differenceOf: (one: number | undefined, other: number | undefined): string | undefined =>
        one === undefined || other === undefined ? undefined : ` (${points.format((one - other) * 100)})`,
    }
  }, [i18n.language])
}
