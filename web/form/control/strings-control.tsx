import { HStack, Input } from '@chakra-ui/react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RemovableChip } from '#web/components/removable-chip.tsx'
import { attributesOf, type ControlProps } from './control-props.ts'
import { linesOf } from './lines-of.ts'
import { TextControl } from './text-control.tsx'

type StringsProps = ControlProps<readonly string[]> & { readonly max?: number | undefined }

const FRAME = {
  borderColor: 'accent.solid',
  outlineWidth: '2px',
  outlineStyle: 'solid',
  outlineColor: 'accent.focusRing',
  outlineOffset: '1px',
} as const

/** Short texts as chips: Enter adds one, Backspace in the empty input removes the last one. */
const Chips = ({ value, onChange, max, ...props }: StringsProps) => {
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
        {...(max === undefined ? {} : { maxLength: max })}
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
