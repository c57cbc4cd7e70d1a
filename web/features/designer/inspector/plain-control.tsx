import { Input, InputGroup, NativeSelect, Textarea } from '@chakra-ui/react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Json } from '#schemas/event.ts'
import { linesOf } from './lines-of.ts'

interface ControlProps {
  readonly id: string
  readonly describedBy?: string | undefined
  readonly disabled: boolean
}

/** Typing pauses at least this long before a value is written, so that a word is one edit. Milliseconds. */
export const TYPING_PAUSE = 600

/** Keeps what is being typed, and writes it after a pause or when the field is left. */
const useDraft = (value: string, write: (value: string) => void) => {
  const [draft, setDraft] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef({ draft, write })
  latest.current = { draft, write }
  const flush = () => {
    clearTimeout(timer.current)
    const { draft: typed, write: now } = latest.current
    if (typed !== undefined) now(typed)
    setDraft(undefined)
  }
  const ended = useRef(flush)
  ended.current = flush
  useEffect(() => () => ended.current(), [])
  return {
    draft,
    value: draft ?? value,
    onChange: (next: string) => {
      setDraft(next)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => ended.current(), TYPING_PAUSE)
    },
    onBlur: flush,
  }
}

interface LineProps extends ControlProps {
  readonly value: string
  readonly onWrite: (value: string) => void
  readonly placeholder?: string | undefined
  /** Offered while it is typed; anything else may be. */
  readonly offered?: readonly string[] | undefined
  /** What is longer stays as it was typed, and is told by `onLong`, until it is shorter. */
  readonly longest?: number
  readonly onLong?: (isLong: boolean) => void
}

/** One line. */
export const LineControl = ({ value, onWrite, placeholder, offered, longest, onLong, ...props }: LineProps) => {
  const [long, setLong] = useState<string>()
  const draft = useDraft(value, text => {
    const isLong = longest !== undefined && text.length > longest
    if (!isLong) onWrite(text)
    setLong(isLong ? text : undefined)
    onLong?.(isLong)
  })
  return (
    <>
      <Input
        id={props.id}
        aria-describedby={props.describedBy}
        disabled={props.disabled}
        placeholder={placeholder}
        list={offered === undefined ? undefined : `${props.id}-offered`}
        value={draft.draft ?? long ?? value}
        onChange={event => draft.onChange(event.target.value)}
        onBlur={draft.onBlur}
        onKeyDown={event => {
          if (event.key === 'Enter') draft.onBlur()
        }}
      />
      {offered === undefined ? null : (
        <datalist id={`${props.id}-offered`}>
          {offered.map(each => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </>
  )
}

/** What a person means by a number: with a comma or a point. */
const numberOf = (text: string): number | undefined => {
  const number = Number(text.trim().replace(',', '.'))
  return text.trim() !== '' && Number.isFinite(number) ? number : undefined
}

/** What is no number stays as it was typed, and is told by `onJunk`, until it is one. */
export const NumberControl = ({
  value,
  unit,
  wide = false,
  onWrite,
  onJunk,
  ...props
}: ControlProps & {
  value: number
  unit?: string | undefined
  /** As wide as the place it stands in. */
  wide?: boolean
  onWrite: (value: number) => void
  onJunk?: (isJunk: boolean) => void
}) => {
  const [junk, setJunk] = useState<string>()
  const draft = useDraft(String(value), text => {
    const number = numberOf(text)
    if (number !== undefined) onWrite(number)
    setJunk(number === undefined ? text : undefined)
    onJunk?.(number === undefined)
  })
  return (
    <InputGroup endElement={unit} endElementProps={{ pointerEvents: 'none' }} w={wide ? '100%' : '96px'} flex="none">
      <Input
        id={props.id}
        inputMode="decimal"
        aria-describedby={props.describedBy}
        aria-invalid={junk !== undefined}
        disabled={props.disabled}
        value={draft.draft ?? junk ?? draft.value}
        onChange={event => draft.onChange(event.target.value)}
        onBlur={draft.onBlur}
      />
    </InputGroup>
  )
}

/** Several lines. */
export const TextControl = ({
  value,
  onWrite,
  ...props
}: ControlProps & { value: string; onWrite: (value: string) => void }) => {
  const draft = useDraft(value, onWrite)
  return (
    <Textarea
      id={props.id}
      aria-describedby={props.describedBy}
      disabled={props.disabled}
      rows={Math.min(8, Math.max(2, draft.value.split('\n').length))}
      value={draft.value}
      onChange={event => draft.onChange(event.target.value)}
      onBlur={draft.onBlur}
    />
  )
}

/** Short names, one a line. */
export const LinesControl = ({
  value,
  onWrite,
  ...props
}: ControlProps & { value: readonly string[]; onWrite: (value: readonly string[]) => void }) => {
  const draft = useDraft(value.join('\n'), text => onWrite(linesOf(text)))
  return (
    <Textarea
      id={props.id}
      aria-describedby={props.describedBy}
      disabled={props.disabled}
      rows={Math.max(1, draft.value.split('\n').length)}
      value={draft.value}
      onChange={event => draft.onChange(event.target.value)}
      onBlur={draft.onBlur}
    />
  )
}

export interface Choice {
  readonly value: string
  readonly label: string
}

export const ChoiceControl = ({
  value,
  choices,
  label,
  none,
  chosen = false,
  onWrite,
  ...props
}: ControlProps & {
  value: string
  choices: readonly Choice[]
  /** Its name, where none stands beside it. */
  label?: string
  /** What it means that none is chosen, where that means something. */
  none?: string
  /** One of them always is. */
  chosen?: boolean
  onWrite: (value: string) => void
}) => {
  const { t } = useTranslation('designer')
  const known = choices.some(choice => choice.value === value)
  return (
    <NativeSelect.Root disabled={props.disabled} position="relative" w="100%">
      <NativeSelect.Field
        id={props.id}
        aria-label={label}
        aria-describedby={props.describedBy}
        value={value}
        onChange={event => onWrite(event.target.value)}
      >
        {chosen || choices.some(choice => choice.value === '') ? null : (
          <option value="">{none ?? t('inspector.choose')}</option>
        )}
        {known || value === '' ? null : <option value={value}>{value}</option>}
        {choices.map(choice => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </NativeSelect.Field>
      <NativeSelect.Indicator />
    </NativeSelect.Root>
  )
}

export const stringOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
