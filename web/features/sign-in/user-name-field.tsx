import { Field, Input } from '@chakra-ui/react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'

interface Props {
  readonly field: UseFormRegisterReturn
  readonly error: string | undefined
  /** Whether the browser may list passkeys among its suggestions. */
  readonly withPasskeys?: boolean
}

/** The user name or mail address of a person who is not signed in. */
export const UserNameField = ({ field, error, withPasskeys = false }: Props) => {
  const { t } = useTranslation('shell')
  return (
    <Field.Root invalid={error !== undefined}>
      <Field.Label>{t('signin.username')}</Field.Label>
      <Input
        size="lg"
        autoFocus
        autoComplete={withPasskeys ? 'username webauthn' : 'username'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        {...field}
      />
      <Field.ErrorText>{error}</Field.ErrorText>
    </Field.Root>
  )
}
