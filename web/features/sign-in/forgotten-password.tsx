import { Button, chakra, Stack, Text } from '@chakra-ui/react'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { isProblem, Problem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { notice } from '#web/notice/notice.ts'
import { PasswordForm } from './password-form.tsx'
import { SignInFrame } from './sign-in-frame.tsx'
import { UserNameField } from './user-name-field.tsx'

const LARGE = { size: 'lg', h: { base: '11', md: '10' } } as const

const Back = () => {
  const { t } = useTranslation('mail')
  return (
    <Button variant="ghost" asChild>
      <Link to="/login">{t('forgot.back')}</Link>
    </Button>
  )
}

/** /forgot: asks for a link to choose a new password. The answer is the same for every name. */
export const ForgotPage = () => {
  const { t } = useTranslation('mail')
  const { t: words } = useTranslation('shell')
  const { register, handleSubmit, formState } = useForm<{ username: string }>()
  const [error, setError] = useState<string>()
  const [sentTo, setSentTo] = useState<string>()
  const send = async ({ username }: { readonly username: string }) => {
    setError(undefined)
    try {
      await http.post('/user/password/forgot', { body: { username } })
      setSentTo(username)
    } catch (failure) {
      setError(failure instanceof Problem && failure.code !== 'network' ? failure.message : words('error.noanswer'))
    }
  }
  if (sentTo !== undefined)
    return (
      <SignInFrame title={t('forgot.title')} heading={t('forgot.sent')} lead="">
        <Stack gap="4">
          <Text role="status" overflowWrap="anywhere">
            {t('forgot.senttext', { name: sentTo })}
          </Text>
          <Back />
        </Stack>
      </SignInFrame>
    )
  return (
    <SignInFrame title={t('forgot.title')} heading={t('forgot.title')} lead={t('forgot.text')}>
      <chakra.form display="grid" gap="4" noValidate onSubmit={handleSubmit(send)}>
        <UserNameField
          field={register('username', { required: words('signin.required') })}
          error={formState.errors.username?.message}
        />
        <ErrorLine text={error} />
        <Button type="submit" variant="solid" {...LARGE} loading={formState.isSubmitting}>
          {t('forgot.send')}
        </Button>
        <Back />
      </chakra.form>
    </SignInFrame>
  )
}

/** Takes the token out of the address, so that neither the history nor a screenshot has it. */
const takeToken = (): string => {
  const token = location.hash.slice(1)
  if (token !== '') history.replaceState(history.state, '', location.pathname + location.search)
  return token
}

const AskAgain = ({ children }: { readonly children: ReactNode }) => {
  const { t } = useTranslation('mail')
  return (
    <Stack gap="4">
      {children}
      <Button variant="solid" {...LARGE} asChild>
        <Link to="/forgot">{t('newpassword.again')}</Link>
      </Button>
      <Back />
    </Stack>
  )
}

/** /newpassword#<token>: chooses a password with the link of a mail. */
export const NewPasswordPage = () => {
  const { t } = useTranslation('mail')
  const { t: words } = useTranslation('shell')
  const navigate = useNavigate()
  const [token] = useState(takeToken)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [isOver, setOver] = useState(false)
  const frame = { title: t('newpassword.title'), heading: t('newpassword.title'), lead: t('newpassword.text') }
  const save = async (password: { readonly new: string; readonly confirm: string }) => {
    setBusy(true)
    setError(undefined)
    try {
      await http.post('/user/password/reset', { body: { token, new: password.new, confirm: password.confirm } })
      notice.snack(t('newpassword.done'), { tone: 'positive' })
      await navigate('/login', { replace: true })
    } catch (failure) {
      setOver(isProblem(failure) && failure.code === 'auth.reset')
      setError(
        failure instanceof Problem && failure.code !== 'network'
          ? (failure.errors[0]?.message ?? failure.message)
          : words('error.noanswer'),
      )
    } finally {
      setBusy(false)
    }
  }
  if (token === '')
    return (
      <SignInFrame {...frame} heading={t('newpassword.broken')} lead="">
        <AskAgain>
          <Text>{t('newpassword.brokentext')}</Text>
        </AskAgain>
      </SignInFrame>
    )
  return (
    <SignInFrame {...frame} {...(isOver ? { lead: '' } : {})}>
      {isOver ? (
        <AskAgain>
          <ErrorLine text={error} />
        </AskAgain>
      ) : (
        <PasswordForm busy={busy} error={error} byLink onSubmit={given => void save(given)} />
      )}
    </SignInFrame>
  )
}
