import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { CircleAlert, CircleCheck, Upload } from 'lucide-react'
import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { checkCompose } from '#domain/compose/check-compose.ts'
import { TextControl } from '#web/form/control/text-control.tsx'
import { notice } from '#web/notice/notice.ts'
import { useDebouncedValue } from '#web/use-debounced-value.ts'
import type { SectionControlProps } from './section-control-props.ts'

const MAX_FILE_BYTES = 1_000_000
const MAX_LENGTH = 500_000
const CHECK_DELAY_MS = 300
const ROWS = 18

/** UTF-16 offset of a place in a text, both from 1. */
const offsetOf = (text: string, line: number, column: number): number =>
  text
    .split('\n')
    .slice(0, line - 1)
    .reduce((sum, one) => sum + one.length + 1, 0) +
  column -
  1

/** The compose file as text, read from a file or typed, and what a check finds in it, each fault leading to its line. */
export const ComposeControl = ({ values, readOnly, onChange }: SectionControlProps) => {
  const { t } = useTranslation('entity/deploymentsettings')
  const id = useId()
  const file = useRef<HTMLInputElement>(null)
  const source = typeof values.compose_file === 'string' ? values.compose_file : ''
  const settled = useDebouncedValue(source, CHECK_DELAY_MS)
  const check = settled.trim() === '' ? undefined : checkCompose(settled)
  const read = async (given: File | undefined) => {
    if (given === undefined) return
    if (!/\.ya?ml$/i.test(given.name)) return notice.toast(t('check.type'), { tone: 'danger' })
    if (given.size > MAX_FILE_BYTES) return notice.toast(t('check.size'), { tone: 'danger' })
    onChange('compose_file', await given.text())
  }
  const goTo = (line: number, column: number) => {
    const area = document.getElementById(id)
    if (!(area instanceof HTMLTextAreaElement)) return
    const at = offsetOf(area.value, line, column)
    area.focus()
    area.setSelectionRange(at, at)
  }
  return (
    <Box>
      <HStack mb="2" justify="space-between" flexWrap="wrap">
        <chakra.label htmlFor={id} textStyle="dense" fontWeight="medium" color="fg.muted">
          {t('field.compose_file.label')}
        </chakra.label>
        {readOnly ? null : (
          <>
            <chakra.input
              ref={file}
              type="file"
              accept=".yaml,.yml"
              display="none"
              onChange={event => {
                void read(event.target.files?.[0])
                event.target.value = ''
              }}
            />
            <Button variant="outline" size="sm" onClick={() => file.current?.click()}>
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
        invalid={check?.valid === false}
        onChange={value => onChange('compose_file', value === '' ? null : value)}
      />
      {check === undefined ? null : (
        <Box mt="3" role="status">
          {check.valid ? (
            <HStack gap="2" color="positive.fg" textStyle="dense">
              <CircleCheck size={16} aria-hidden="true" />
              {t('check.valid')}
            </HStack>
          ) : (
            <chakra.ul listStyleType="none" textStyle="dense">
              {check.errors.map(({ line, column, path, code, text = '' }) => (
                <HStack
                  as="li"
                  key={`${line}:${column}:${path}:${code}`}
                  gap="2"
                  align="start"
                  color="danger.fg"
                  mb="1"
                >
                  <Box pt="0.5">
                    <CircleAlert size={15} aria-hidden="true" />
                  </Box>
                  <Text>
                    <chakra.button
                      type="button"
                      textDecoration="underline"
                      cursor="pointer"
                      me="2"
                      onClick={() => goTo(line, column)}
                    >
                      {t('check.where', { line, column })}
                    </chakra.button>
                    {t(`check.code.${code}`, { path, text })}
                  </Text>
                </HStack>
              ))}
            </chakra.ul>
          )}
        </Box>
      )}
    </Box>
  )
}
