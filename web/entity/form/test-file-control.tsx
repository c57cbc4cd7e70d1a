import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { CircleAlert, CircleCheck, Upload } from 'lucide-react'
import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { readTestFile } from '#domain/conversation-test/read-test-file.ts'
import { TextControl } from '#web/form/control/text-control.tsx'
import { useProblemText } from '#web/form/use-problem-text.ts'
import { useDebouncedValue } from '#web/use-debounced-value.ts'
import type { SectionControlProps } from './section-control-props.ts'

const MAX_LENGTH = 262_144
const CHECK_DELAY_MS = 300
const ROWS = 24

/** The caret at the beginning of a line, from 1. */
const goToLine = (id: string, line: number): void => {
  const area = document.getElementById(id)
  if (!(area instanceof HTMLTextAreaElement)) return
  const at = area.value
    .split('\n')
    .slice(0, line - 1)
    .reduce((sum, one) => sum + one.length + 1, 0)
  area.focus()
  area.setSelectionRange(at, at)
}

/** What a check of the file finds, each fault leading to its line. */
const Faults = ({ source, area }: { readonly source: string; readonly area: string }) => {
  const { t } = useTranslation('entity/conversationtest')
  const problemText = useProblemText()
  const read = readTestFile(source)
  if (read.ok) {
    return (
      <HStack gap="2" color="positive.fg" textStyle="dense">
        <CircleCheck size={16} aria-hidden="true" />
        {t('check.valid', { count: read.file.steps.length })}
      </HStack>
    )
  }
  return (
    <chakra.ul listStyleType="none" textStyle="dense">
      {read.errors.map(({ line, path, code, text = '' }) => (
        <HStack as="li" key={`${line} ${path} ${code}`} gap="2" align="start" color="danger.fg" mb="1">
          <Box pt="0.5">
            <CircleAlert size={15} aria-hidden="true" />
          </Box>
          <chakra.button
            type="button"
            textAlign="start"
            textDecoration="underline"
            cursor="pointer"
            onClick={() => goToLine(area, line)}
          >
            {problemText('field.testfile', { rule: code, line, name: text })}
          </chakra.button>
        </HStack>
      ))}
    </chakra.ul>
  )
}

/** The file of a conversation test as text, uploaded or typed, and what is wrong in it by line. */
export const TestFileControl = ({ values, readOnly, onChange }: SectionControlProps) => {
  const { t } = useTranslation('entity/conversationtest')
  const id = useId()
  const upload = useRef<HTMLInputElement>(null)
  const source = typeof values.file === 'string' ? values.file : ''
  const settled = useDebouncedValue(source, CHECK_DELAY_MS)
  return (
    <Box>
      <HStack mb="2" justify="space-between" flexWrap="wrap">
        <chakra.label htmlFor={id} textStyle="dense" fontWeight="medium" color="fg.muted">
          {t('field.file.label')}
        </chakra.label>
        {readOnly ? null : (
          <>
            <chakra.input
              ref={upload}
              type="file"
              accept=".yaml,.yml,.json"
              display="none"
              onChange={event => {
                void event.target.files?.[0]?.text().then(text => onChange('file', text))
                event.target.value = ''
              }}
            />
            <Button variant="outline" size="sm" onClick={() => upload.current?.click()}>
              <Upload size={14} aria-hidden="true" />
              {t('check.upload')}
            </Button>
          </>
        )}
      </HStack>
      <TextControl
        id={id}
        value={source}
        rows={ROWS}
        max={MAX_LENGTH}
        monospace
        readOnly={readOnly}
        onChange={value => onChange('file', value === '' ? null : value)}
      />
      <Text textStyle="dense" color="fg.muted" mt="1">
        {t('field.file.hint')}
      </Text>
      {settled.trim() === '' ? null : (
        <Box mt="3" role="status">
          <Faults source={settled} area={id} />
        </Box>
      )}
    </Box>
  )
}
