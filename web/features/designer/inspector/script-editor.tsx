import { chakra, HStack } from '@chakra-ui/react'
import { SquareFunction } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { scriptOf } from '#domain/flow/document.ts'
import { useDesigner } from '../live/designer.ts'
import { TextArea } from './shared-text.tsx'

/** A handler's own code, beside its flow; everyone types in it at once. */
export const ScriptEditor = () => {
  const { t } = useTranslation('designer')
  const { room, mayEdit } = useDesigner()
  return (
    <chakra.section
      data-region="dock"
      aria-label={t('script.title')}
      borderTopWidth="1px"
      bg="bg.surface"
      px="4"
      py="3"
      flex="none"
    >
      <HStack gap="2" mb="2">
        <SquareFunction size={16} aria-hidden />
        <chakra.label htmlFor="pl-script" fontSize="sm" fontWeight="semibold">
          {t('script.title')}
        </chakra.label>
      </HStack>
      <TextArea text={scriptOf(room.doc)} id="pl-script" code rows={7} readOnly={!mayEdit} />
    </chakra.section>
  )
}
