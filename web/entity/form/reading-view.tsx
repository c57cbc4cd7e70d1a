import { Box, Button, HStack, Stack, Text } from '@chakra-ui/react'
import { Copy } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { Segments } from '#web/components/segments.tsx'
import type { Row } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { useCopy } from '#web/notice/use-copy.ts'

const CodePane = lazy(() => import('#web/components/code-pane.tsx').then(m => ({ default: m.CodePane })))
const MarkdownView = lazy(() =>
  import('#web/components/markdown/markdown-view.tsx').then(m => ({ default: m.MarkdownView })),
)

const VIEW = 'view'
const READ = 'read'

/** Whether a page is in reading mode, and its toggle to the form. Reading is the default without write access. */
export const useReadingView = (
  entity: EntityDeclaration,
  readOnly: boolean,
): { readonly isOn: boolean; readonly toggle: ReactNode } => {
  const { t } = useTranslation('shell')
  const [search, setSearch] = useSearchParams()
  if (entity.reading === undefined) return { isOn: false, toggle: null }
  const view = search.get(VIEW) ?? (readOnly ? READ : 'edit')
  const show = (next: string) =>
    setSearch(
      before => {
        const after = new URLSearchParams(before)
        after.set(VIEW, next)
        return after
      },
      { replace: true },
    )
  const options = [
    { value: READ, label: t('reader.read') },
    { value: 'edit', label: t(readOnly ? 'reader.fields' : 'reader.edit') },
  ]
  return {
    isOn: view === READ,
    toggle: <Segments label={t('reader.view')} value={view} onChange={show} options={options} />,
  }
}

const Code = ({ label, code }: { readonly label: string; readonly code: string }) => {
  const { t } = useTranslation('shell')
  const copy = useCopy()
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface" overflow="hidden">
      <HStack justify="space-between" px="3" py="1.5" borderBottomWidth="1px" bg="bg.subtle">
        <Text textStyle="label">{label}</Text>
        <Button size="sm" variant="ghost" onClick={() => void copy(code)}>
          <Copy size={14} aria-hidden="true" />
          {t('reader.copy')}
        </Button>
      </HStack>
      <CodePane label={label} value={code} language="javascript" lineNumbers maxHeight="70vh" />
    </Box>
  )
}

/** The fields of a thing that are read: code with colours and a button that copies it, markdown rendered, other texts as they are. */
export const EntityReader = ({ entity, row }: { readonly entity: EntityDeclaration; readonly row: Row }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const texts = (entity.reading ?? []).flatMap(name => {
    const value = row[name]
    return typeof value === 'string' && value.trim() !== '' ? [{ name, value }] : []
  })
  return (
    <Suspense fallback={<RowsSkeleton />}>
      <Stack as="article" gap="5" maxW="960px" mb="6">
        {texts.length === 0 ? <Text color="fg.muted">{t('reader.empty')}</Text> : null}
        {texts.map(({ name, value }) => {
          const kind = entity.fields[name]?.kind
          if (kind === 'code') return <Code key={name} label={label.field(entity.name, name)} code={value} />
          if (kind === 'markdown')
            return (
              <Box key={name} borderWidth="1px" borderRadius="lg" bg="bg.surface" px={{ base: '4', md: '6' }} py="4">
                <MarkdownView source={value} />
              </Box>
            )
          return (
            <Text key={name} color="fg.muted" whiteSpace="pre-line" overflowWrap="anywhere">
              {value}
            </Text>
          )
        })}
      </Stack>
    </Suspense>
  )
}
