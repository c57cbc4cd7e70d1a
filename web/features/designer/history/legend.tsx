import { useTranslation } from 'react-i18next'
import { ChangeMark } from './change-mark.tsx'

const KINDS = ['added', 'changed', 'removed'] as const

export const Legend = () => {
  const { t } = useTranslation('history')
  return (
    <ul className="pt-legend" aria-label={t('flow.legend')}>
      {KINDS.map(kind => (
        <li key={kind}>
          <ChangeMark kind={kind} />
          {t(`flow.whole.${kind}`)}
        </li>
      ))}
    </ul>
  )
}
