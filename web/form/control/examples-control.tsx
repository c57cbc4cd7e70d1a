import { Box, HStack, Input, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { variableNames } from '#domain/template/template.ts'
import type { JsonObject } from '#schemas/event.ts'
import { textOf } from '#schemas/json.ts'
import { VariableCode } from '#web/components/code-line.tsx'
import type { ControlProps } from './control-props.ts'

interface Props extends ControlProps<readonly JsonObject[]> {
  /** Text whose variables have the examples. */
  readonly text: string
}

/** An example for each variable of a text: the rows follow the text. */
export const ExamplesControl = ({ text, value, onChange, id, describedBy, ...props }: Props) => {
  const { t } = useTranslation('shell')
  const names = variableNames(text)
  const isFixed = props.readOnly === true || props.disabled === true
  const exampleOf = (name: string) => textOf(value.find(item => item.name === name)?.example)
  const change = (name: string, example: string) =>
    onChange(
      names.map(each => {
        const item = value.find(known => known.name === each) ?? { id: crypto.randomUUID(), name: each, example: '' }
        return each === name ? { ...item, example } : item
      }),
    )
  return (
    <Box w="100%" role="group" aria-labelledby={`${id}-label`} aria-describedby={describedBy}>
      {names.length === 0 ? (
        <Text textStyle="dense" color="fg.muted" py="1.5">
          {t('form.examples.none', { variable: '{{1}}' })}
        </Text>
      ) : (
        <Box as="ul" listStyleType="none" display="grid" gap="2">
          {names.map((name, place) => (
            <HStack as="li" key={name} gap="3">
              <VariableCode name={name} minW="12" textAlign="center" flex="none" maxW="40%" truncate />
              <Input
                {...(place === 0 ? { id } : {})}
                aria-label={t('form.examples.of', { name: `{{${name}}}` })}
                aria-invalid={(props.invalid === true && exampleOf(name).trim() === '') || undefined}
                readOnly={isFixed}
                maxLength={4096}
                value={exampleOf(name)}
                onChange={event => change(name, event.target.value)}
              />
            </HStack>
          ))}
        </Box>
      )}
    </Box>
  )
}
