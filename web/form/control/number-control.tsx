import { Input, InputGroup } from '@chakra-ui/react'
import { attributesOf, type ControlProps } from './control-props.ts'
import { useDraft } from './use-draft.ts'

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
