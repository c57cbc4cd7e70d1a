import { Box, Button, chakra, Field, HStack, Input, Link, Stack, Text } from '@chakra-ui/react'
import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query'
import { Fingerprint, KeyRound } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useNavigate, useSearchParams } from 'react-router'
import { readRecoveryCode } from '#domain/people/sign-in.ts'
import type { PasskeyAssertion } from '#schemas/api/passkey.ts'
import { useInstance } from '#web/api/early-read.ts'
import { isProblem, Problem } from '#web/api/failure.ts'
import { http, providerUrl } from '#web/api/http.ts'
import { queryClient } from '#web/api/query-client.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { PasswordInput } from '#web/components/password-input.tsx'
import { submits } from '#web/components/submits.ts'
import { type PasswordChange, PasswordForm } from '#web/features/sign-in/password-form.tsx'
import { notice } from '#web/notice/notice.ts'
import { isCancelled, offersPasskeys, suggestPasskeys } from './passkey-call.ts'
import { CodeInput, RegisterStep } from './register-step.tsx'
import {
  type Credentials,
  changePassword,
  type NextSignInStep,
  sendPasskey,
  sendProviderCode,
  signIn,
  signInByPasskey,
  verify,
} from './sign-in-call.ts'
import { SignInFrame } from './sign-in-frame.tsx'
import { UserNameField } from './user-name-field.tsx'

/** Identity providers of this installation; needs no session. */
const useSignInProviders = () =>
  useQuery({ queryKey: ['signin', 'providers'], queryFn: () => http.get('/auth/oidc'), retry: false })

interface ProviderProps {
  readonly items: readonly { readonly id: string; readonly name: string }[]
  /** Page of the console to open afterwards. */
  readonly to: string
  readonly isMain: boolean
}

/** One button for each identity provider. */
const ProviderButtons = ({ items, to, isMain }: ProviderProps) => {
  const { t } = useTranslation('shell')
  return (
    <Stack gap="2">
      {items.map(({ id, name }) => (
        <Button
          key={id}
          asChild
          variant={isMain ? 'solid' : 'outline'}
          size="lg"
          h={{ base: '11', md: '10' }}
          whiteSpace="normal"
        >
          <a href={`${providerUrl(id, 'start')}?to=${encodeURIComponent(to)}`}>
            <Fingerprint size={17} aria-hidden="true" />
            {t('signin.with', { name })}
          </a>
        </Button>
      ))}
    </Stack>
  )
}

interface CodeStepProps {
  readonly busy: boolean
  readonly error: string | undefined
  onCode(code: string): void
  onBack(): void
}

const RecoveryInput = ({ value, onChange }: { readonly value: string; onChange(value: string): void }) => {
  const { t } = useTranslation('shell')
  return (
    <Field.Root>
      <Field.Label>{t('signin.recovery')}</Field.Label>
      <Input
        size="lg"
        autoFocus
        fontFamily="mono"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        value={value}
        onChange={event => onChange(event.target.value)}
      />
      <Field.HelperText>{t('signin.recoveryhint')}</Field.HelperText>
    </Field.Root>
  )
}

/** The second factor of someone who has registered it. */
const CodeStep = ({ busy, error, onCode, onBack }: CodeStepProps) => {
  const { t } = useTranslation('shell')
  const [code, setCode] = useState('')
  const [isRecovery, setRecovery] = useState(false)
  return (
    <chakra.form display="grid" gap="4" onSubmit={submits(() => onCode(code))}>
      {isRecovery ? (
        <RecoveryInput value={code} onChange={setCode} />
      ) : (
        <CodeInput value={code} refused={error !== undefined} onChange={setCode} onDone={onCode} />
      )}
      <ErrorLine text={error} />
      <Button
        type="submit"
        variant="solid"
        size="lg"
        h={{ base: '11', md: '10' }}
        loading={busy}
        disabled={isRecovery ? readRecoveryCode(code) === undefined : code.length < 6}
      >
        {t('signin.verify')}
      </Button>
      <Button
        variant="ghost"
        onClick={() => {
          setCode('')
          setRecovery(!isRecovery)
        }}
      >
        {t(isRecovery ? 'signin.useapp' : 'signin.userecovery')}
      </Button>
      <Button variant="ghost" onClick={onBack}>
        {t('signin.back')}
      </Button>
      <Text textStyle="dense" color="fg.muted">
        {t('signin.lostphone')}
      </Text>
    </chakra.form>
  )
}

interface Props {
  readonly busy: boolean
  readonly error: string | undefined
  onSubmit(credentials: Credentials): void
  /** Undefined: the browser or the console has no passkeys. */
  readonly onPasskey: (() => void) | undefined
  /** A passkey was chosen among the suggestions of the user name field. */
  onSuggested(passkey: PasskeyAssertion): void
}

/** Suggests passkeys in the user name field; stops while another way of signing in is under way. */
const usePasskeySuggestions = (isOffered: boolean, onChosen: (passkey: PasskeyAssertion) => void): void => {
  const chosen = useEffectEvent(onChosen)
  useEffect(() => {
    if (!isOffered) return undefined
    const stop = new AbortController()
    const take = (passkey: PasskeyAssertion | undefined) => {
      if (passkey !== undefined && !stop.signal.aborted) chosen(passkey)
    }
    // The form works without suggestions.
    suggestPasskeys(stop.signal).then(take, () => undefined)
    return () => stop.abort()
  }, [isOffered])
}

const PasskeyButton = ({ isMain = false, busy, onClick }: { isMain?: boolean; busy: boolean; onClick(): void }) => {
  const { t } = useTranslation('shell')
  return (
    <Button
      variant={isMain ? 'solid' : 'outline'}
      size="lg"
      h={{ base: '11', md: '10' }}
      disabled={busy && !isMain}
      loading={busy && isMain}
      onClick={onClick}
    >
      <KeyRound size={17} aria-hidden="true" />
      {t('signin.passkey')}
    </Button>
  )
}

/** The passkey of someone whose second factor it is. */
const PasskeyStep = ({ busy, error, onPasskey, onBack }: Omit<CodeStepProps, 'onCode'> & { onPasskey(): void }) => {
  const { t } = useTranslation('shell')
  return (
    <Box display="grid" gap="4">
      <ErrorLine text={error} />
      <PasskeyButton isMain busy={busy} onClick={onPasskey} />
      <Button variant="ghost" onClick={onBack}>
        {t('signin.back')}
      </Button>
      <Text textStyle="dense" color="fg.muted">
        {t('signin.lostphone')}
      </Text>
    </Box>
  )
}

/** First step: user name and password, or a passkey. */
const CredentialStep = ({ busy, error, onSubmit, onPasskey, onSuggested }: Props) => {
  const { t } = useTranslation('shell')
  const { mail } = useInstance()
  usePasskeySuggestions(onPasskey !== undefined && !busy, onSuggested)
  const { register, handleSubmit, formState } = useForm<Credentials>()
  const required = t('signin.required')
  return (
    <chakra.form display="grid" gap="4" noValidate onSubmit={handleSubmit(onSubmit)}>
      <UserNameField
        field={register('username', { required })}
        error={formState.errors.username?.message}
        withPasskeys={onPasskey !== undefined}
      />
      <Field.Root invalid={formState.errors.password !== undefined}>
        <Field.Label>{t('signin.password')}</Field.Label>
        <PasswordInput size="lg" autoComplete="current-password" {...register('password', { required })} />
        <Field.ErrorText>{formState.errors.password?.message}</Field.ErrorText>
      </Field.Root>
      <ErrorLine text={error} />
      <Button type="submit" variant="solid" size="lg" h={{ base: '11', md: '10' }} loading={busy}>
        {t('signin.title')}
      </Button>
      {onPasskey === undefined ? null : <PasskeyButton busy={busy} onClick={onPasskey} />}
      {mail ? (
        <Link asChild textStyle="dense" justifySelf="start">
          <RouterLink to="/forgot">{t('signin.forgot')}</RouterLink>
        </Link>
      ) : null}
      <Text textStyle="dense" color="fg.muted">
        {t('signin.twofactorhint')}
      </Text>
    </chakra.form>
  )
}

type Step = 'credentials' | 'code' | 'passkey' | 'register' | 'expired'

/** Steps that a sign-in at an identity provider can leave. */
const isOwed = (step: string | null): step is 'code' | 'passkey' | 'register' =>
  step === 'code' || step === 'passkey' || step === 'register'

/** Refusals of a sign-in at an identity provider that the page has words for; any other one gets the words for all. */
const FAILURES: ReadonlySet<string> = new Set([
  'auth.provider',
  'auth.state',
  'auth.denied',
  'auth.answer',
  'auth.unknown',
  'auth.groups',
  'auth.nogroup',
  'auth.level',
  'auth.locked',
])
const isSafePath = (path: string) => path.startsWith('/') && !path.startsWith('//')

const useSignIn = () => {
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const owed = search.get('step')
  // An identity provider has named the person, whose second factor is missing.
  const [byProvider, setByProvider] = useState(isOwed(owed))
  const [step, setStep] = useState<Step>(isOwed(owed) ? owed : 'credentials')
  const [credentials, setCredentials] = useState<Credentials>({ username: '', password: '' })
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  const wanted = search.get('next') ?? '/'
  const next = isSafePath(wanted) ? wanted : '/'

  const arrive = async () => {
    client.clear()
    await navigate(next, { replace: true })
  }
  const attempt = async (call: () => Promise<NextSignInStep>) => {
    setBusy(true)
    setError(undefined)
    try {
      const then = await call()
      if (then === 'done') await arrive()
      else setStep(then)
    } catch (failure) {
      if (isProblem(failure) && failure.code === 'auth.expired') setStep('expired')
      if (isProblem(failure) && failure.code === 'auth.passkeyneeded') setStep('passkey')
      if (isCancelled(failure)) setError(t('signin.nopasskey'))
      else setError(failure instanceof Problem && failure.code !== 'network' ? failure.message : t('error.noanswer'))
    } finally {
      setBusy(false)
    }
  }
  return {
    step,
    credentials,
    busy,
    error,
    byProvider,
    next,
    failed: search.get('failed'),
    start: (given: Credentials) => {
      setCredentials(given)
      return attempt(() => signIn(given))
    },
    code: (token: string) => attempt(() => (byProvider ? sendProviderCode(token) : signIn(credentials, token))),
    confirm: (token: string) => attempt(() => (byProvider ? sendProviderCode(token) : verify(token, credentials))),
    renew: (change: PasswordChange) =>
      attempt(async () => {
        const { token, ...rest } = change
        await changePassword({ username: credentials.username, ...rest, ...(token ? { token } : {}) })
        notice.snack(t('password.done'), { tone: 'positive' })
        return signIn({ ...credentials, password: change.new })
      }),
    passkey: () => attempt(() => signInByPasskey(byProvider && step === 'passkey')),
    suggested: (passkey: PasskeyAssertion) => attempt(() => sendPasskey(passkey)),
    back: () => {
      setError(undefined)
      setByProvider(false)
      setStep('credentials')
    },
  }
}

/** Why a sign-in at an identity provider failed. */
const ProviderFailure = ({ code }: { readonly code: string }) => {
  const { t } = useTranslation('shell')
  return (
    <Box role="alert" mb="4" p="3" borderWidth="1px" borderRadius="lg" colorPalette="danger" bg="colorPalette.subtle">
      <Text textStyle="dense">{t(`signin.failed.${FAILURES.has(code) ? code.slice('auth.'.length) : 'other'}`)}</Text>
    </Box>
  )
}

/** Identity providers and the password form, which `OIDC_ONLY` leaves to emergencies. */
const FirstStep = ({ flow }: { readonly flow: ReturnType<typeof useSignIn> }) => {
  const { t } = useTranslation('shell')
  const { data } = useSignInProviders()
  const [isOpened, setOpened] = useState(false)
  const items = data?.items ?? []
  const isHidden = data?.only === true && items.length > 0 && !isOpened && flow.failed !== 'auth.provider'
  return (
    <>
      {flow.failed === null ? null : <ProviderFailure code={flow.failed} />}
      {items.length === 0 ? null : <ProviderButtons items={items} to={flow.next} isMain={isHidden} />}
      {items.length === 0 || isHidden ? null : (
        <HStack my="5" gap="3" color="fg.muted" textStyle="secondary">
          <Box flex="1" borderTopWidth="1px" />
          {t(data?.only === true ? 'signin.emergency' : 'signin.or')}
          <Box flex="1" borderTopWidth="1px" />
        </HStack>
      )}
      {isHidden ? (
        <Button variant="ghost" mt="3" w="100%" onClick={() => setOpened(true)}>
          {t('signin.emergency')}
        </Button>
      ) : (
        <CredentialStep
          busy={flow.busy}
          error={flow.error}
          onSubmit={given => void flow.start(given)}
          onPasskey={offersPasskeys(data?.passkeys) ? () => void flow.passkey() : undefined}
          onSuggested={passkey => void flow.suggested(passkey)}
        />
      )}
    </>
  )
}

const SignIn = () => {
  const { t } = useTranslation('shell')
  const flow = useSignIn()
  const { step, busy, error } = flow
  return (
    <SignInFrame title={t('signin.title')} heading={t(`signin.heading.${step}`)} lead={t(`signin.lead.${step}`)}>
      {step === 'credentials' ? (
        <>
          <FirstStep flow={flow} />
          <Text textStyle="secondary" color="fg.muted" mt="5">
            {t('signin.signup')}
          </Text>
        </>
      ) : null}
      {step === 'code' ? (
        <CodeStep busy={busy} error={error} onCode={code => void flow.code(code)} onBack={flow.back} />
      ) : null}
      {step === 'passkey' ? (
        <PasskeyStep busy={busy} error={error} onPasskey={() => void flow.passkey()} onBack={flow.back} />
      ) : null}
      {step === 'register' ? (
        <RegisterStep
          credentials={flow.credentials}
          byProvider={flow.byProvider}
          busy={busy}
          error={error}
          onCode={code => void flow.confirm(code)}
          onBack={flow.back}
        />
      ) : null}
      {step === 'expired' ? (
        <PasswordForm busy={busy} error={error} withToken onSubmit={change => void flow.renew(change)} />
      ) : null}
    </SignInFrame>
  )
}

/** Password, then the code or the registration of a second factor; an expired password is changed on the way. */
export const SignInPage = () => (
  <QueryClientProvider client={queryClient}>
    <SignIn />
  </QueryClientProvider>
)
