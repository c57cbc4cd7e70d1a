import { Textarea } from '@chakra-ui/react'
import { attributesOf, type ControlProps } from './control-props.ts'
import { useDraft } from './use-draft.ts'

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
