import { chakra, Kbd } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { Modal } from '#web/components/modal.tsx'
import { KEYS } from '../model/key-table.ts'

type Row = (typeof KEYS)[number]

const inHistory = (row: Row) => 'travel' in row

const Rows = ({ rows }: { readonly rows: readonly Row[] }) => {
  const { t } = useTranslation('designer')
  return (
    <chakra.dl
      display="grid"
      gridTemplateColumns={{ base: '1fr', md: '1fr 1fr', lg: '1fr 1fr 1fr' }}
      columnGap="6"
      m="0"
    >
      {rows.map(({ id, shown }) => (
        <chakra.div
          key={id}
          display="flex"
          alignItems="center"
          justifyContent="space-between"
          gap="3"
          minH="9"
          py="1"
          borderTopWidth="1px"
          fontSize="sm"
        >
          <dt>{t(`keys.${id}`)}</dt>
          <chakra.dd display="flex" gap="1" m="0">
            {shown.map(key => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </chakra.dd>
        </chakra.div>
      ))}
    </chakra.dl>
  )
}

/** Every key of the designer. */
export const KeySheet = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation('designer')
  return (
    <Modal open onClose={onClose} title={t('keys.title')} width={960}>
      <Rows rows={KEYS.filter(row => !inHistory(row))} />
      <chakra.h3 fontSize="sm" mt="4" mb="1.5">
        {t('keys.inHistory')}
      </chakra.h3>
      <Rows rows={KEYS.filter(inHistory)} />
    </Modal>
  )
}
