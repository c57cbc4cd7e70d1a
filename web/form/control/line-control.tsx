import { Box, Button, HStack, Input, InputGroup, Text, Textarea } from '@chakra-ui/react'
import { LockKeyhole } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DurationUnit } from '#schemas/field/kind.ts'
import { PasswordInput } from '#web/components/password-input.tsx'
import type { Value } from '#web/entity/entity-query.ts'
import { momentOf } from '#web/format/time.ts'
import { attributesOf, type ControlProps } from './control-props.ts'

/**
 * Holds the typed text and writes it after a pause or on blur. Without a pause it writes each keystroke, and holds the
 * text only if the stored value has another format (`hold`), such as a number.
 */
const useDraft = (value: string, write: (value: string) => void, pauseMs = 0, hold = pauseMs > 0) => {
  const [draft, setDraft] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const pending = useRef<string>(undefined)
  const latest = useRef(write)
  latest.current = write
  const flush = () => {
    clearTimeout(timer.current)
    const text = pending.current
    pending.current = undefined
    if (text !== undefined) latest.current(text)
    setDraft(undefined)
  }
  const ended = useRef(flush)
  ended.current = flush
  useEffect(() => () => ended.current(), [])
  const onChange = (next: string) => {
    if (hold) setDraft(next)
    if (pauseMs === 0) return write(next)
    pending.current = next
    clearTimeout(timer.current)
    timer.current = setTimeout(() => ended.current(), pauseMs)
  }
  return { draft, value: draft ?? value, onChange, onBlur: flush }
}

interface LineProps extends ControlProps<string> {
  readonly type?: 'text' | 'email' | 'url' | 'tel'
  readonly max?: number | undefined
  readonly placeholder?: string | undefined
  readonly monospace?: boolean
  /** Suggestions; any other text may be typed. */
  readonly offered?: readonly string[] | undefined
  /** A longer text is not written but stays as typed and is reported by `onLong`. */
  readonly longest?: number
  readonly onLong?: (isLong: boolean) => void
}

/** One line of text. */
export const LineControl = ({ value, onChange, typingPauseMs, longest, onLong, offered, ...props }: LineProps) => {
  const [long, setLong] = useState<string>()
  const write = (text: string) => {
    const isLong = longest !== undefined && text.length > longest
    if (!isLong) onChange(text)
    setLong(isLong ? text : undefined)
    onLong?.(isLong)
  }
  const draft = useDraft(value, write, typingPauseMs)
  const list = offered === undefined ? undefined : `${props.id}-offered`
  return (
    <>
      <Input
        {...attributesOf(props)}
        type={props.type ?? 'text'}
        {...(props.max === undefined ? {} : { maxLength: props.max })}
        {...(props.monospace ? { fontFamily: 'mono', spellCheck: false } : {})}
        disabled={props.disabled}
        readOnly={props.readOnly}
        placeholder={props.placeholder}
        list={list}
        value={draft.draft ?? long ?? value}
        onChange={event => draft.onChange(event.target.value)}
        onBlur={draft.onBlur}
        onKeyDown={event => {
          if (event.key === 'Enter') draft.onBlur()
        }}
      />
      {offered === undefined ? null : (
        <datalist id={list}>
          {offered.map(each => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </>
  )
}

interface TextProps extends ControlProps<string> {
  /** Lines at rest. */
  readonly rows?: number
  readonly max?: number | undefined
  readonly monospace?: boolean
}

const MONOSPACE = {
  fontFamily: 'mono',
  fontSize: { base: '16px', md: 'xs' },
  lineHeight: '20px',
  spellCheck: false,
} as const

/** Several lines of text. */
export const TextControl = ({ value, onChange, typingPauseMs, rows = 2, max, monospace, ...props }: TextProps) => {
  const draft = useDraft(value, onChange, typingPauseMs)
  const lines = draft.value.split('\n').length
  return (
    <Textarea
      {...attributesOf(props)}
      {...(monospace ? MONOSPACE : {})}
      {...(max === undefined ? {} : { maxLength: max })}
      disabled={props.disabled}
      readOnly={props.readOnly}
      rows={Math.max(rows, Math.min(props.density === 'compact' ? 8 : 20, lines))}
      value={draft.value}
      onChange={event => draft.onChange(event.target.value)}
      onBlur={draft.onBlur}
    />
  )
}

interface NumberProps extends ControlProps<number | string | null, number | null> {
  readonly unit?: string | undefined
  readonly whole?: boolean
  readonly wide?: boolean
  /** An empty field means no number; otherwise it cannot be read. */
  readonly nullable?: boolean
  /** The typed text is no number; a binding that keeps it hands it back as the value. */
  readonly onUnreadable: (text: string) => void
}

/** Accepts a decimal comma or point. */
const numberOf = (text: string): number | undefined => {
  const number = Number(text.trim().replace(',', '.'))
  return text.trim() !== '' && Number.isFinite(number) ? number : undefined
}

/** A number, with its unit inside. */
export const NumberControl = (props: NumberProps) => {
  const { value, onChange, typingPauseMs, unit, whole, wide = true, nullable = false, onUnreadable } = props
  const write = (text: string) => {
    const number = numberOf(text)
    if (number !== undefined) onChange(number)
    else if (nullable && text.trim() === '') onChange(null)
    else onUnreadable(text)
  }
  const draft = useDraft(value === null ? '' : String(value), write, typingPauseMs, true)
  return (
    <InputGroup
      endElement={unit}
      endElementProps={{ pointerEvents: 'none', color: 'fg.muted', textStyle: 'secondary' }}
      w={wide ? '100%' : '96px'}
      flex="none"
    >
      <Input
        {...attributesOf(props)}
        inputMode={whole ? 'numeric' : 'decimal'}
        disabled={props.disabled}
        readOnly={props.readOnly}
        value={draft.value}
        onChange={event => draft.onChange(event.target.value)}
        onBlur={draft.onBlur}
      />
    </InputGroup>
  )
}

const SECONDS: Readonly<Record<DurationUnit, number>> = { ms: 0.001, s: 1, min: 60 }
/** Values below are written in their own unit. */
const NEXT_UNIT: Readonly<Record<DurationUnit, number>> = { ms: 1000, s: 60, min: 60 }

const PARTS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** `1 min 30 s` for 90 seconds, in the reader's language; undefined below a second, and where it repeats the value. */
const durationWords = (value: number, unit: DurationUnit, language: string): string | undefined => {
  let rest = value * SECONDS[unit]
  if (!Number.isFinite(rest) || value < NEXT_UNIT[unit]) return undefined
  const words = PARTS.flatMap(([name, seconds]) => {
    const isLast = name === 'second'
    const count = isLast ? Math.round(rest * 1000) / 1000 : Math.floor(rest / seconds)
    rest -= count * seconds
    if (count === 0) return []
    return [new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'short' }).format(count)]
  })
  return words.join(' ')
}

interface DurationProps extends ControlProps<number | string | null, number | null> {
  readonly unit: DurationUnit
  readonly onUnreadable: (text: string) => void
}

/** A time span in its unit, and the same in larger units below. */
export const DurationControl = ({ unit, ...props }: DurationProps) => {
  const { i18n } = useTranslation()
  const words = typeof props.value === 'number' ? durationWords(props.value, unit, i18n.language) : undefined
  return (
    <Box w="100%">
      <NumberControl {...props} unit={unit} whole nullable />
      {words === undefined ? null : (
        <Text mt="1" textStyle="secondary" color="fg.muted">
          = {words}
        </Text>
      )}
    </Box>
  )
}

const pad = (number: number) => String(number).padStart(2, '0')

/** `YYYY-MM-DDTHH:mm` on the reader's clock, as the browser's control takes it. */
const localOf = (iso: string): string => {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return ''
  const day = [time.getFullYear(), pad(time.getMonth() + 1), pad(time.getDate())].join('-')
  return `${day}T${pad(time.getHours())}:${pad(time.getMinutes())}`
}

/** A moment: stored in UTC, chosen on the reader's clock. */
export const TimeControl = ({ value, onChange, ...props }: ControlProps<string | null>) => {
  if (props.readOnly) {
    return (
      <Box minH="8" lineHeight="32px" fontSize="sm" id={props.id}>
        {value ? momentOf(value) : '–'}
      </Box>
    )
  }
  return (
    <Input
      {...attributesOf(props)}
      type="datetime-local"
      disabled={props.disabled}
      value={value === null ? '' : localOf(value)}
      onChange={event => onChange(event.target.value === '' ? null : new Date(event.target.value).toISOString())}
    />
  )
}

interface SecretProps extends ControlProps<Value | undefined, Value> {
  readonly lines?: boolean
}

/** A secret: only whether it is set is known; a new value replaces it. */
export const SecretControl = ({ value, onChange, lines = false, ...props }: SecretProps) => {
  const { t } = useTranslation('shell')
  const isSet = typeof value === 'object' && value !== null
  const isFixed = props.readOnly === true || props.disabled === true
  const [replacing, setReplacing] = useState(!isSet)
  const typed = typeof value === 'string' ? value : ''
  if (isSet && !replacing) {
    return (
      <HStack
        w="100%"
        h={{ base: '11', md: '8' }}
        px="2.5"
        borderWidth="1px"
        borderRadius="md"
        bg="bg.subtle"
        justify="space-between"
      >
        <HStack gap="2" fontSize="sm" color="fg.muted">
          <LockKeyhole size={14} aria-hidden="true" />
          {t('form.set')}
        </HStack>
        {isFixed ? null : (
          <Button
            variant="plain"
            aria-describedby={`${props.id}-label`}
            onClick={() => {
              setReplacing(true)
              onChange('')
            }}
          >
            {t('form.replace')}
          </Button>
        )}
      </HStack>
    )
  }
  if (lines) return <TextControl {...props} value={typed} onChange={onChange} />
  return (
    <PasswordInput
      {...attributesOf(props)}
      autoComplete="new-password"
      value={typed}
      disabled={props.disabled}
      readOnly={props.readOnly}
      onChange={event => onChange(event.target.value)}
    />
  )
}
