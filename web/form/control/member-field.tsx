import { Box, Field as ChakraField, chakra, HStack } from '@chakra-ui/react'
import { type ReactNode, useId } from 'react'
import type { ItemField } from '#schemas/field/kind.ts'
import { CharacterCount } from '../character-count.tsx'
import type { FieldTexts } from '../form-value.ts'
import type { ControlProps } from './control-props.ts'

type State = Pick<ControlProps<unknown>, 'id' | 'describedBy' | 'invalid'>

interface MemberProps {
  /** `0.name`: its path in the list. */
  readonly name: string
  readonly field: ItemField
  readonly value: unknown
  readonly texts: FieldTexts
  readonly error: string | undefined
  readonly children: (state: State) => ReactNode
}

/** Label, control, hint and error of a field of a list's item. */
export const MemberField = ({ name, field, value, texts, error, children }: MemberProps) => {
  const id = `member-${useId()}`
  const described = [texts.hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
  const describedBy = described.join(' ').trim()
  const control = children({
    id,
    invalid: error !== undefined,
    ...(describedBy === '' ? {} : { describedBy }),
  })
  const label = (
    <ChakraField.Label id={`${id}-label`} htmlFor={id}>
      {texts.label}
      {field.required ? (
        <chakra.span color="fg.subtle" fontWeight="normal" aria-hidden="true">
          *
        </chakra.span>
      ) : null}
    </ChakraField.Label>
  )
  return (
    <ChakraField.Root
      invalid={error !== undefined}
      required={field.required}
      data-member={name}
      ids={{ helperText: `${id}-hint`, errorText: `${id}-error`, label: `${id}-label` }}
    >
      {field.kind === 'boolean' ? (
        <HStack w="100%" minH="8" justify="space-between">
          {label}
          {control}
        </HStack>
      ) : (
        <>
          {field.count === undefined ? (
            label
          ) : (
            <HStack w="100%" justify="space-between">
              {label}
              <CharacterCount value={value} max={field.count} />
            </HStack>
          )}
          <Box w="100%">{control}</Box>
        </>
      )}
      {texts.hint === undefined ? null : <ChakraField.HelperText>{texts.hint}</ChakraField.HelperText>}
      <ChakraField.ErrorText>{error}</ChakraField.ErrorText>
    </ChakraField.Root>
  )
}
