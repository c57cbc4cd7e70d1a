import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { CircleAlert, CircleCheck, Upload } from 'lucide-react'
import { useId, useRef } from 'react'
import { TextControl } from '#web/form/control/line-control.tsx'
import { useDebouncedValue } from '#web/timer.ts'

const CHECK_DELAY_MS = 300

/** One fault of a file: position from 1, `link` is the text of its link, `text` follows. */
interface FileFault {
  readonly line: number
  readonly column: number
  readonly link: string
  readonly text?: string
}

/** Result of a file check: a success sentence, or the faults. */
export type FileCheck =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly faults: readonly FileFault[] }

/** UTF-16 offset of a place in a text, both from 1. */
const offsetOf = (text: string, line: number, column: number): number =>
  text
    .split('\n')
    .slice(0, line - 1)
    .reduce((sum, one) => sum + one.length + 1, 0) +
  column -
  1

const goTo = (id: string, { line, column }: FileFault): void => {
  const area = document.getElementById(id)
  if (!(area instanceof HTMLTextAreaElement)) return
  const at = offsetOf(area.value, line, column)
  area.focus()
  area.setSelectionRange(at, at)
}

const Finding = ({ check, area }: { readonly check: FileCheck; readonly area: string }) =>
  check.ok ? (
    <HStack gap="2" color="positive.fg" textStyle="dense">
      <CircleCheck size={16} aria-hidden="true" />
      {check.text}
    </HStack>
  ) : (
    <chakra.ul listStyleType="none" textStyle="dense">
      {check.faults.map(fault => (
        <HStack
          as="li"
          key={`${fault.line}:${fault.column}:${fault.link}${fault.text}`}
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
              textAlign="start"
              me="2"
              onClick={() => goTo(area, fault)}
            >
              {fault.link}
            </chakra.button>
            {fault.text}
          </Text>
        </HStack>
      ))}
    </chakra.ul>
  )

interface CheckedFileProps {
  readonly label: string
  readonly uploadLabel: string
  readonly hint?: string
  readonly value: string
  /** UTF-16 units. */
  readonly max: number
  readonly rows: number
  /** Endings of file names that can be chosen, `.yaml,.yml`. */
  readonly accept: string
  readonly readOnly: boolean
  readonly check: (source: string) => FileCheck
  readonly onFile: (file: File) => void
  readonly onChange: (source: string) => void
}

/** A file as text, read from a file or typed, and what a check finds in it, each fault leading to its place. */
export const ValidatedFileEditor = ({ check, ...props }: CheckedFileProps) => {
  const id = useId()
  const upload = useRef<HTMLInputElement>(null)
  const settled = useDebouncedValue(props.value, CHECK_DELAY_MS)
  const found = settled.trim() === '' ? undefined : check(settled)
  return (
    <Box>
      <HStack mb="2" justify="space-between" flexWrap="wrap">
        <chakra.label htmlFor={id} textStyle="dense" fontWeight="medium" color="fg.muted">
          {props.label}
        </chakra.label>
        {props.readOnly ? null : (
          <>
            <chakra.input
              ref={upload}
              type="file"
              accept={props.accept}
              display="none"
              onChange={event => {
                const file = event.target.files?.[0]
                if (file !== undefined) props.onFile(file)
                event.target.value = ''
              }}
            />
            <Button variant="outline" size="sm" onClick={() => upload.current?.click()}>
              <Upload size={14} aria-hidden="true" />
              {props.uploadLabel}
            </Button>
          </>
        )}
      </HStack>
      <TextControl
        id={id}
        value={props.value}
        rows={props.rows}
        max={props.max}
        monospace
        readOnly={props.readOnly}
        invalid={found?.ok === false}
        onChange={props.onChange}
      />
      {props.hint === undefined ? null : (
        <Text textStyle="dense" color="fg.muted" mt="1">
          {props.hint}
        </Text>
      )}
      {found === undefined ? null : (
        <Box mt="3" role="status">
          <Finding check={found} area={id} />
        </Box>
      )}
    </Box>
  )
}
