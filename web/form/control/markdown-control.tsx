import { Box, chakra, SimpleGrid, Text } from '@chakra-ui/react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Segments } from '#web/components/segments.tsx'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'
import { PHONE, useMedia } from '#web/shell/use-media.ts'
import type { ControlProps } from './control-props.ts'
import { TextControl } from './line-control.tsx'

const markdownView = lazyModule(async () => (await import('#web/components/markdown/markdown-view.tsx')).MarkdownView)

interface MarkdownProps extends ControlProps<string> {
  readonly rows: number
  readonly max?: number | undefined
}

const MODES = ['edit', 'preview', 'both'] as const
type Mode = (typeof MODES)[number]

const Preview = ({ id, value }: Pick<MarkdownProps, 'id' | 'value'>) => {
  const { t } = useTranslation('shell')
  const { value: View, error } = useLazyModule(markdownView)
  const source = useDeferredValue(value)
  return (
    <chakra.section
      aria-label={t('form.preview')}
      id={`${id}-preview`}
      tabIndex={0}
      borderWidth="1px"
      borderRadius="md"
      bg="bg.surface"
      px="4"
      py="3"
      minH="24"
      maxH="520px"
      overflow="auto"
      focusVisibleRing="outside"
    >
      {source.trim() === '' ? (
        <Text color="fg.subtle" fontSize="sm">
          {t('form.nopreview')}
        </Text>
      ) : View === undefined ? (
        // Without the view the text is shown as it was written.
        <Text whiteSpace="pre-wrap" fontSize="sm" aria-busy={error === undefined}>
          {source}
        </Text>
      ) : (
        <View source={source} />
      )}
    </chakra.section>
  )
}

/** Markdown as its text, as it is shown, or both side by side. */
export const MarkdownControl = ({ rows, max, ...props }: MarkdownProps) => {
  const { t } = useTranslation('shell')
  const isFixed = props.readOnly === true || props.disabled === true
  const [chosen, setChosen] = useState<Mode>()
  const mode = chosen ?? (isFixed && props.value !== '' ? 'preview' : 'edit')
  const isWide = !useMedia(PHONE) && props.density !== 'compact'
  const modes = isWide ? MODES : MODES.filter(each => each !== 'both')
  return (
    <Box w="100%" display="grid" gap="2">
      <Box display="flex" justifyContent="flex-end">
        <Segments
          label={t('form.markdownmode')}
          value={mode}
          options={modes.map((value: Mode) => ({ value, label: t(`form.markdown.${value}`) }))}
          onChange={next => setChosen(next)}
        />
      </Box>
      <SimpleGrid columns={{ base: 1, md: mode === 'both' ? 2 : 1 }} gap="3" alignItems="start">
        {mode === 'preview' ? null : <TextControl {...props} rows={rows} max={max} monospace />}
        {mode === 'edit' ? null : <Preview id={props.id} value={props.value} />}
      </SimpleGrid>
    </Box>
  )
}
