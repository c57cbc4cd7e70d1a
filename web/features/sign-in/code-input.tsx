import { chakra, HStack } from '@chakra-ui/react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

const LENGTH = 6

interface Props {
  readonly value: string
  /** The code was refused: the boxes are emptied for another. */
  readonly refused: boolean
  onChange(value: string): void
  /** The last missing one was put in. */
  onDone(value: string): void
}

const BOX = {
  w: '100%',
  maxW: '52px',
  h: '14',
  textAlign: 'center',
  fontSize: '2xl',
  fontWeight: 'semibold',
  fontFamily: 'mono',
  borderWidth: '1px',
  borderColor: 'border.control',
  borderRadius: 'md',
  bg: 'bg.surface',
  focusVisibleRing: 'outside',
} as const

/** Six boxes for the code of an authenticator app; a pasted code fills them all. */
export const CodeInput = ({ value, refused, onChange, onDone }: Props) => {
  const { t } = useTranslation('shell')
  const boxes = useRef<(HTMLInputElement | null)[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per refusal, for any input
  useEffect(() => {
    if (refused) onChange('')
    boxes.current[0]?.focus()
  }, [refused])
  const put = (text: string, at: number) => {
    const digits = text.replace(/\D/g, '')
    if (digits === '') return
    const next = (value.slice(0, at) + digits + value.slice(at + digits.length)).slice(0, LENGTH)
    onChange(next)
    boxes.current[Math.min(at + digits.length, LENGTH - 1)]?.focus()
    // Correcting a digit is no new attempt: attempts are counted.
    if (next.length === LENGTH && value.length < LENGTH) onDone(next)
  }
  const onKey = (event: React.KeyboardEvent, at: number) => {
    if (event.key === 'Backspace') {
      event.preventDefault()
      const to = value[at] === undefined ? at - 1 : at
      if (to < 0) return
      onChange(value.slice(0, to) + value.slice(to + 1))
      boxes.current[to]?.focus()
    } else if (event.key === 'ArrowLeft') boxes.current[at - 1]?.focus()
    else if (event.key === 'ArrowRight') boxes.current[at + 1]?.focus()
  }
  return (
    <HStack role="group" aria-label={t('signin.code')} gap="2" justify="space-between">
      {Array.from({ length: LENGTH }, (_, at) => (
        <chakra.input
          // biome-ignore lint/suspicious/noArrayIndexKey: the box of a place
          key={at}
          ref={(box: HTMLInputElement | null) => {
            boxes.current[at] = box
          }}
          aria-label={t('signin.digit', { count: at + 1 })}
          inputMode="numeric"
          autoComplete={at === 0 ? 'one-time-code' : 'off'}
          value={value[at] ?? ''}
          onChange={event => put(event.target.value.slice(value[at] === undefined ? 0 : -1), at)}
          onPaste={event => {
            event.preventDefault()
            put(event.clipboardData.getData('text'), at)
          }}
          onKeyDown={event => onKey(event, at)}
          onFocus={event => event.target.select()}
          {...BOX}
        />
      ))}
    </HStack>
  )
}
