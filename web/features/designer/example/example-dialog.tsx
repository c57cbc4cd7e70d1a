import { chakra, SimpleGrid, Skeleton, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Shapes } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { FlowFile } from '#schemas/flow/file.ts'
import { isLanguage } from '#schemas/language.ts'
import { FlowMiniature } from '#web/components/flow-miniature.tsx'
import { Modal } from '#web/components/modal.tsx'
import { useCommands } from '../commands/commands.ts'
import { useDesigner } from '../session/designer.ts'
import { readPendingImport } from '../session/pending-import.ts'
import { EXAMPLES, type ExampleName, loadExample } from './examples.ts'

const blocksOf = ({ operators }: FlowFile) =>
  Object.values(operators).map(({ left, top, type }) => [Number(left), Number(top), String(type)] as const)

const Example = ({ name, onChoose }: { readonly name: ExampleName; readonly onChoose: (file: FlowFile) => void }) => {
  const { t, i18n } = useTranslation('designer')
  const language = isLanguage(i18n.language) ? i18n.language : 'en'
  const { data } = useQuery({
    queryKey: ['example', name, language],
    queryFn: () => loadExample(name, language),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <chakra.button
      type="button"
      disabled={data === undefined}
      textAlign="start"
      borderWidth="1px"
      borderRadius="lg"
      overflow="hidden"
      bg="bg.surface"
      _hover={{ borderColor: 'accent.solid' }}
      focusVisibleRing="outside"
      onClick={() => data !== undefined && onChoose(data)}
    >
      {data === undefined ? <Skeleton h="142px" /> : <FlowMiniature blocks={blocksOf(data)} />}
      <chakra.span display="block" p="3">
        <Text as="span" display="block" textStyle="card">
          {t(`example.${name}.title`)}
        </Text>
        <Text as="span" display="block" textStyle="secondary" color="fg.muted">
          {t(`example.${name}.text`)}
        </Text>
        <Text as="span" display="block" textStyle="secondary" color="fg.muted" mt="1">
          {t('example.blocks', { count: data === undefined ? 0 : Object.keys(data.operators).length })}
        </Text>
      </chakra.span>
    </chakra.button>
  )
}

/** Flows to begin from; the chosen one takes the flow's place as one edit. */
export const ExampleDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation('designer')
  const designer = useDesigner()
  const commands = useCommands()
  const choose = (name: ExampleName, file: FlowFile) => {
    const read = readPendingImport(t(`example.${name}.title`), file, designer.actions.file())
    if (read.is === 'coming') commands.takeIn(read.coming)
    onClose()
  }
  return (
    <Modal width={860} icon={<Shapes size={18} aria-hidden="true" />} title={t('example.title')} onClose={onClose}>
      <Text color="fg.muted" mb="3">
        {t('example.purpose')}
      </Text>
      <SimpleGrid columns={{ base: 1, md: 3 }} gap="3">
        {EXAMPLES.map(name => (
          <Example key={name} name={name} onChoose={file => choose(name, file)} />
        ))}
      </SimpleGrid>
    </Modal>
  )
}
