import { useTranslation } from 'react-i18next'

/** In the place of a card that says nothing yet. */
export const NothingYet = () => {
  const { t } = useTranslation('designer')
  return (
    <p className="pl-card" data-empty>
      {t('card.nothing')}
    </p>
  )
}
