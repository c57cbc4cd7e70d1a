import { Box, chakra, SimpleGrid, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { contrastRatio, MIN_CONTRAST } from '#domain/color.ts'
import type { PaletteField } from '#schemas/field/kind.ts'
import type { Value } from '#web/entity/entity-query.ts'
import type { FieldTexts } from '../field-texts.ts'
import { ColorControl } from './color-control.tsx'
import type { ControlProps } from './control-props.ts'

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
