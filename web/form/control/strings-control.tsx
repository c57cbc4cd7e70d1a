import { HStack, Input } from '@chakra-ui/react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RemovableChip } from '#web/components/chip.tsx'
import { attributesOf, type ControlProps, linesOf } from './control-props.ts'
import { TextControl } from './line-control.tsx'

interface StringsProps extends ControlProps<readonly string[]> {
  readonly max?: number | undefined
  /** Suggestions; any other text may be typed. */
  readonly offered?: readonly string[]
}

const FRAME = {
  borderColor: 'accent.solid',
  outlineWidth: '2px',
  outlineStyle: 'solid',
  outlineColor: 'accent.focusRing',
  outlineOffset: '1px',
} as const

interface OfferedProps {
  readonly id: string
  readonly offered: readonly string[]
  readonly taken: readonly string[]
}

const Offered = ({ id, offered, taken }: OfferedProps) =>
  offered.length === 0 ? null : (
    <datalist id={id}>
      {offered
        .filter(each => !taken.includes(each))
        .map(each => (
          <option key={each} value={each} />
        ))}
    </datalist>
  )

const limits = (max: number | undefined, list: string | undefined) => ({
  ...(max === undefined ? {} : { maxLength: max }),
  ...(list === undefined ? {} : { list }),
})

/** Short texts as chips: Enter adds one, Backspace in the empty input removes the last one. */
const Chips = ({ value, onChange, max, offered = [], ...props }: StringsProps) => {
  const { t } = useTranslation('shell')
  const [typed, setTyped] = useState('')
  const isFixed = props.disabled === true || props.readOnly === true
  const add = () => {
    const text = typed.trim()
    if (text !== '' && !value.includes(text)) onChange([...value, text])
    setTyped('')
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      add()
    } else if (event.key === 'Backspace' && typed === '' && value.length > 0) onChange(value.slice(0, -1))
  }
  return (
    <HStack
      w="100%"
      flexWrap="wrap"
      gap="1.5"
      borderWidth="1px"
      borderColor={props.invalid ? 'border.error' : 'border.control'}
      borderRadius="md"
      px="2"
      py="1"
      bg={isFixed ? 'bg.subtle' : 'bg.surface'}
      _focusWithin={FRAME}
    >
      {value.map(one => (
        <RemovableChip
          key={one}
          name={one}
          disabled={isFixed}
          onRemove={() => onChange(value.filter(other => other !== one))}
        >
          {one}
        </RemovableChip>
      ))}
      <Input
        {...attributesOf(props)}
        value={typed}
        disabled={isFixed}
        {...limits(max, offered.length > 0 ? `${props.id}-offered` : undefined)}
        placeholder={value.length === 0 && !isFixed ? t('form.addtext') : ''}
        onChange={event => setTyped(event.target.value)}
        onBlur={add}
        onKeyDown={onKeyDown}
        flex="1"
        minW="120px"
        w="auto"
        h="6"
        px="1"
        borderWidth="0"
        bg="transparent"
        _focusVisible={{ outline: 'none' }}
      />
      <Offered id={`${props.id}-offered`} offered={offered} taken={value} />
    </HStack>
  )
}

/** Short texts: chips in a form, one a line in a narrow panel. */
export const StringsControl = ({ value, onChange, ...props }: StringsProps) =>
  props.density === 'compact' ? (
    <TextControl {...props} rows={1} value={value.join('\n')} onChange={text => onChange(linesOf(text))} />
  ) : (
    <Chips {...props} value={value} onChange={onChange} />
  )
