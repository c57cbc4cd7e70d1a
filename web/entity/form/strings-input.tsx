import { HStack, Input } from '@chakra-ui/react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RemovableChip } from '#web/components/removable-chip.tsx'

interface Props {
  readonly id: string
  readonly value: readonly string[]
  readonly disabled: boolean
  onChange(value: string[]): void
}

/** A list of short texts: Enter adds, Backspace on nothing takes the last one back. */
export const StringsInput = ({ id, value, disabled, onChange }: Props) => {
  const { t } = useTranslation('shell')
  const [typed, setTyped] = useState('')
  const add = () => {
    const text = typed.trim()
    if (text !== '' && !value.includes(text)) onChange([...value, text])
    setTyped('')
  }
  return (
    <HStack
      w="100%"
      flexWrap="wrap"
      gap="1.5"
      borderWidth="1px"
      borderColor="border.control"
      borderRadius="md"
      px="2"
      py="1"
      bg="bg.surface"
      _focusWithin={{
        borderColor: 'accent.solid',
        outlineWidth: '2px',
        outlineStyle: 'solid',
        outlineColor: 'accent.focusRing',
        outlineOffset: '1px',
      }}
    >
      {value.map(one => (
        <RemovableChip
          key={one}
          name={one}
          disabled={disabled}
          onRemove={() => onChange(value.filter(other => other !== one))}
        >
          {one}
        </RemovableChip>
      ))}
      <Input
        id={id}
        value={typed}
        disabled={disabled}
        placeholder={value.length === 0 ? t('form.addtext') : ''}
        onChange={event => setTyped(event.target.value)}
        onBlur={add}
        onKeyDown={event => {
          if (event.key === 'Enter') {
            event.preventDefault()
            add()
          } else if (event.key === 'Backspace' && typed === '' && value.length > 0) onChange(value.slice(0, -1))
        }}
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
