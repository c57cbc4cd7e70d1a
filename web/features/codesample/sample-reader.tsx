import { Box, Button, HStack, Stack, Text } from '@chakra-ui/react'
import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { CodePane } from '#web/components/code-pane.tsx'
import { MarkdownView } from '#web/components/markdown/markdown-view.tsx'
import type { Row } from '#web/entity/entity-query.ts'
import { notice } from '#web/notice/notice.ts'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A code sample to be read: its description, its code with colours and a button that copies it, its document. */
export const SampleReader = ({ row }: { readonly row: Row }) => {
  const { t } = useTranslation('entity/codesample')
  const { t: ts } = useTranslation('shell')
  const [description, code, document] = [row.description, row.code, row.markdown_doc].map(textOf)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code ?? '')
      notice.snack(ts('copied'), { tone: 'positive' })
    } catch {
      notice.toast(t('reader.nocopy'), { tone: 'danger' })
    }
  }
  return (
    <Stack as="article" gap="5" maxW="960px" mb="6">
      {description === '' ? null : (
        <Text color="fg.muted" whiteSpace="pre-line" overflowWrap="anywhere">
          {description}
        </Text>
      )}
      {code === undefined || code === '' ? null : (
        <Box borderWidth="1px" borderRadius="lg" bg="bg.surface" overflow="hidden">
          <HStack justify="space-between" px="3" py="1.5" borderBottomWidth="1px" bg="bg.subtle">
            <Text textStyle="label">{t('field.code.label')}</Text>
            <Button size="sm" variant="ghost" onClick={() => void copy()}>
              <Copy size={14} aria-hidden="true" />
              {t('reader.copy')}
            </Button>
          </HStack>
          <CodePane label={t('field.code.label')} value={code} language="javascript" lineNumbers maxHeight="70vh" />
        </Box>
      )}
      {document === undefined || document === '' ? null : (
        <Box borderWidth="1px" borderRadius="lg" bg="bg.surface" px={{ base: '4', md: '6' }} py="4">
          <MarkdownView source={document} />
        </Box>
      )}
      {code === '' && document === '' ? <Text color="fg.muted">{t('reader.empty')}</Text> : null}
    </Stack>
  )
}
