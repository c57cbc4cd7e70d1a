import { chakra, HStack } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import type { ControlProps } from './control-props.ts'
import { LineControl } from './line-control.tsx'

const COLOR = /^#[\da-f]{6}(?:[\da-f]{2})?$/iu

/** #RRGGBB or #RRGGBBAA: a swatch that opens the browser's picker, and the value as text. The picker keeps the alpha. */
export const ColorControl = (props: ControlProps<string>) => {
  const { t } = useTranslation('shell')
  const { value, onChange } = props
  const isColor = COLOR.test(value)
  const isFixed = props.disabled === true || props.readOnly === true
  return (
    <HStack w="100%" gap="2">
      <chakra.span
        position="relative"
        flex="none"
        boxSize={{ base: '11', md: '8' }}
        borderWidth="1px"
        borderColor="border.control"
        borderRadius="md"
        overflow="hidden"
        backgroundImage="repeating-conic-gradient(#bbb 0 25%, #fff 0 50%)"
        backgroundSize="10px 10px"
        _focusWithin={{ outline: '2px solid', outlineColor: 'accent.focusRing', outlineOffset: '1px' }}
      >
        <chakra.span position="absolute" inset="0" style={{ background: isColor ? value : 'transparent' }} />
        <chakra.input
          type="color"
          aria-label={t('form.pickcolor')}
          position="absolute"
          inset="0"
          w="100%"
          h="100%"
          opacity="0"
          cursor={isFixed ? 'default' : 'pointer'}
          disabled={isFixed}
          value={isColor ? value.slice(0, 7) : '#000000'}
          onChange={event => onChange(event.target.value + (isColor ? value.slice(7) : ''))}
        />
      </chakra.span>
      <LineControl {...props} max={9} monospace placeholder="#RRGGBB" />
    </HStack>
  )
}
