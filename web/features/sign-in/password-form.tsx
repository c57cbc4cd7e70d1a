import { Button, chakra, Field, HStack, Input, Text } from '@chakra-ui/react'
import { Check, Circle } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ErrorLine } from '#web/components/error-state.tsx'
import { PasswordInput } from '#web/components/password-input.tsx'

export interface PasswordChange {
  readonly old: string
  readonly new: string
  readonly confirm: string
  readonly token?: string
}

const RULES = [
  ['length', /.{8,}/u],
  ['capital', /\p{Lu}/u],
  ['lower', /\p{Ll}/u],
  ['number', /\d/],
  ['symbol', /[^\p{L}\d\s]/u],
] as const

interface Props {
  readonly busy: boolean
  readonly error: string | undefined
  /** Asks for the code of the second factor too. */
  readonly withToken?: boolean
  /** With the link of a mail the present password is not needed. */
  readonly byLink?: boolean
  onSubmit(change: PasswordChange): void
}

const Rules = ({ password }: { readonly password: string }) => {
  const { t } = useTranslation('shell')
  return (
    <chakra.ul
      display="grid"
      gridTemplateColumns={{ base: '1fr', md: '1fr 1fr' }}
      gap="1"
      listStyleType="none"
      aria-label={t('password.rules')}
    >
      {RULES.map(([rule, pattern]) => {
        const met = pattern.test(password)
        return (
          <chakra.li key={rule}>
            <HStack gap="1.5" textStyle="secondary" color={met ? 'positive.fg' : 'fg.muted'}>
              {met ? (
                <Check size={13} aria-label={t('password.met')} />
              ) : (
                <Circle size={9} aria-hidden="true" style={{ margin: 2 }} />
              )}
              {t(`password.rule.${rule}`)}
            </HStack>
          </chakra.li>
        )
      })}
    </chakra.ul>
  )
}

/** Old, new, and new again; the rules tick while one types. With a link there is no old one. */
export const PasswordForm = ({ busy, error, withToken = false, byLink = false, onSubmit }: Props) => {
  const { t } = useTranslation('shell')
  const { register, handleSubmit, watch, formState, getValues } = useForm<PasswordChange>({ mode: 'onTouched' })
  const { errors } = formState
  const required = t('signin.required')
  return (
    <chakra.form display="grid" gap="4" noValidate onSubmit={handleSubmit(onSubmit)}>
      {byLink ? null : (
        <Field.Root invalid={errors.old !== undefined}>
          <Field.Label>{t('password.old')}</Field.Label>
          <PasswordInput size="lg" autoComplete="current-password" {...register('old', { required })} />
          <Field.ErrorText>{errors.old?.message}</Field.ErrorText>
        </Field.Root>
      )}
      <Field.Root invalid={errors.new !== undefined}>
        <Field.Label>{t('password.new')}</Field.Label>
        <PasswordInput
          size="lg"
          autoComplete="new-password"
          {...register('new', {
            required,
            validate: value =>
              value === getValues('old')
                ? t('password.same')
                : RULES.every(([, pattern]) => pattern.test(value)) || t('password.rulesmissed'),
          })}
        />
        <Field.ErrorText>{errors.new?.message}</Field.ErrorText>
      </Field.Root>
      <Rules password={watch('new') ?? ''} />
      <Field.Root invalid={errors.confirm !== undefined}>
        <Field.Label>{t('password.confirm')}</Field.Label>
        <PasswordInput
          size="lg"
          autoComplete="new-password"
          {...register('confirm', {
            required,
            validate: value => value === getValues('new') || t('password.mismatch'),
          })}
        />
        <Field.ErrorText>{errors.confirm?.message}</Field.ErrorText>
      </Field.Root>
      {withToken ? (
        <Field.Root>
          <Field.Label>{t('password.token')}</Field.Label>
          <Input size="lg" inputMode="numeric" autoComplete="one-time-code" maxLength={6} {...register('token')} />
          <Field.HelperText>{t('password.tokenhint')}</Field.HelperText>
        </Field.Root>
      ) : null}
      <ErrorLine text={error} />
      {byLink ? null : (
        <Text textStyle="secondary" color="fg.muted">
          {t('password.others')}
        </Text>
      )}
      <Button type="submit" variant="solid" size="lg" h={{ base: '11', md: '10' }} loading={busy}>
        {t(byLink ? 'password.save' : 'password.change')}
      </Button>
    </chakra.form>
  )
}
