import { Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { useName } from './entity-query.ts'

/** The name of what a reference points at, as far as the reader may see it. */
export const ReferenceName = ({ to, id }: { to: string; id: string }) => {
  const { t } = useTranslation('shell')
  const name = useName(to, id)
  if (name === null) {
    return (
      <Text as="span" color="fg.muted">
        {t('form.elsewhere')}
      </Text>
    )
  }
  return <Text as="span">{name ?? '…'}</Text>
}
