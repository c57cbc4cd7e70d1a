import { chakra } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'

/** In the place of what could not be fetched. */
export const UnloadedPart = () => {
  const { t } = useTranslation('designer')
  return (
    <chakra.p role="alert" p="3.5" fontSize="sm">
      {t('seek.unloaded')}
    </chakra.p>
  )
}
