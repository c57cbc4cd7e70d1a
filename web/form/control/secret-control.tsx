import { Button, HStack } from '@chakra-ui/react'
import { LockKeyhole } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PasswordInput } from '#web/components/password-input.tsx'
import type { Value } from '#web/entity/entity-query.ts'
import { attributesOf, type ControlProps } from './control-props.ts'
import { TextControl } from './line-control.tsx'

interface SecretProps extends ControlProps<Value | undefined, Value> {
  readonly lines?: boolean
}

/** A secret: only whether it is set is known; a new value replaces it. */
export const SecretControl = ({ value, onChange, lines = false, ...props }: SecretProps) => {
  const { t } = useTranslation('shell')
  const isSet = typeof value === 'object' && value !== null
  const isFixed = props.readOnly === true || props.disabled === true
  const [replacing, setReplacing] = useState(!isSet)
  const typed = typeof value === 'string' ? value : ''
  if (isSet && !replacing) {
    return (
      <HStack
        w="100%"
        h={{ base: '11', md: '8' }}
        px="2.5"
        borderWidth="1px"
        borderRadius="md"
        bg="bg.subtle"
        justify="space-between"
      >
        <HStack gap="2" fontSize="sm" color="fg.muted">
          <LockKeyhole size={14} aria-hidden="true" />
          {t('form.set')}
        </HStack>
        {isFixed ? null : (
          <Button
            variant="plain"
            aria-describedby={`${props.id}-label`}
            onClick={() => {
              setReplacing(true)
              onChange('')
            }}
          >
            {t('form.replace')}
          </Button>
        )}
      </HStack>
    )
  }
  if (lines) return <TextControl {...props} value={typed} onChange={onChange} />
  return (
    <PasswordInput
      {...attributesOf(props)}
      autoComplete="new-password"
      value={typed}
      disabled={props.disabled}
      readOnly={props.readOnly}
      onChange={event => onChange(event.target.value)}
    />
  )
}
