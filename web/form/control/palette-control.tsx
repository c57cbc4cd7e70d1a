import { Box, chakra, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { contrastRatio, MIN_CONTRAST } from '#domain/color.ts'
import type { PaletteField } from '#schemas/field/kind.ts'
import type { Value } from '#web/entity/entity-query.ts'
import type { FieldTexts } from '../form-value.ts'
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

interface PaletteProps extends ControlProps<Value | undefined, Value> {
  readonly field: PaletteField
  readonly texts: FieldTexts
}

const colorsOf = (value: Value | undefined): Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, color]) => (typeof color === 'string' ? [[name, color]] : [])),
      )
    : {}

/** One colour for each name, and the contrast of those that are read on each other. */
export const PaletteControl = ({ field, texts, value, onChange, id, describedBy: _text, ...props }: PaletteProps) => {
  const { t } = useTranslation('shell')
  const colors = colorsOf(value)
  const change = (name: string, color: string) => {
    const { [name]: _old, ...others } = colors
    onChange((color === '' ? others : { ...others, [name]: color }) as Value)
  }
  const pairs = field.contrast.flatMap(([text, ground]) => {
    const ratio = contrastRatio(colors[text] ?? '', colors[ground] ?? '')
    return ratio === undefined ? [] : [{ text, ground, ratio }]
  })
  return (
    <Box w="100%" role="group" id={id}>
      <SimpleGrid columns={{ base: 1, md: 2, lg: 3 }} gap="3">
        {field.names.map(name => (
          <Box key={name}>
            <chakra.label htmlFor={`${id}-${name}`} display="block" textStyle="secondary" color="fg.muted" mb="1">
              {texts.option(name)}
            </chakra.label>
            <ColorControl
              {...props}
              id={`${id}-${name}`}
              value={colors[name] ?? ''}
              onChange={color => change(name, color)}
            />
          </Box>
        ))}
      </SimpleGrid>
      {pairs.map(({ text, ground, ratio }) => (
        <Text
          key={`${text} ${ground}`}
          mt="2"
          textStyle="secondary"
          color={ratio < MIN_CONTRAST ? 'warning.fg' : 'fg.muted'}
        >
          {t(ratio < MIN_CONTRAST ? 'form.lowcontrast' : 'form.contrast', {
            text: texts.option(text),
            ground: texts.option(ground),
            ratio: ratio.toFixed(1),
          })}
        </Text>
      ))}
    </Box>
  )
}
