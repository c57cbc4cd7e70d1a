import { Button, chakra, Field, Input, Text } from '@chakra-ui/react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ErrorLine } from '#web/components/error-line.tsx'
import { PasswordInput } from '#web/components/password-input.tsx'
import type { Credentials } from './sign-in-call.ts'

interface Props {
  readonly busy: boolean
  readonly error: string | undefined
  onSubmit(credentials: Credentials): void
}

/** First step: user name and password. */
export const CredentialStep = ({ busy, error, onSubmit }: Props) => {
  const { t } = useTranslation('shell')
  const { register, handleSubmit, formState } = useForm<Credentials>()
  const required = t('signin.required')
  return (
    <chakra.form display="grid" gap="4" noValidate onSubmit={handleSubmit(onSubmit)}>
      <Field.Root invalid={formState.errors.username !== undefined}>
        <Field.Label>{t('signin.username')}</Field.Label>
        <Input
          size="lg"
          autoFocus
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...register('username', { required })}
        />
        <Field.ErrorText>{formState.errors.username?.message}</Field.ErrorText>
      </Field.Root>
      <Field.Root invalid={formState.errors.password !== undefined}>
        <Field.Label>{t('signin.password')}</Field.Label>
        <PasswordInput size="lg" autoComplete="current-password" {...register('password', { required })} />
        <Field.ErrorText>{formState.errors.password?.message}</Field.ErrorText>
      </Field.Root>
      <ErrorLine text={error} />
      <Button type="submit" variant="solid" size="lg" h={{ base: '11', md: '10' }} loading={busy}>
        {t('signin.title')}
      </Button>
      <Text textStyle="dense" color="fg.muted">
        {t('signin.twofactorhint')}
      </Text>
    </chakra.form>
  )
}
