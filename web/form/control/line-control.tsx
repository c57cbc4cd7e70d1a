import { Input } from '@chakra-ui/react'
import { useState } from 'react'
import { attributesOf, type ControlProps } from './control-props.ts'
import { useDraft } from './use-draft.ts'

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
