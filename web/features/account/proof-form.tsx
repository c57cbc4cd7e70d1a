import { Button, chakra, Field, HStack, Input, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf, BodyOf } from '#schemas/api/routes.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { PasswordInput } from '#web/components/password-input.tsx'
import { askPasskey, isCancelled, offersPasskeys } from '../sign-in/index.ts'

/** One's own passkeys, and how one can prove who one is. */
export const passkeysQuery = { queryKey: ['account', 'passkeys'], queryFn: () => http.get('/user/passkey') }

type Proof = AnswerOf<'GET /user/passkey'>['proofs'][number]

/** Field of a typed proof. */
const ProofField = ({
  proof,
  value,
  onChange,
}: {
  readonly proof: Proof
  readonly value: string
  onChange(value: string): void
}) => {
  const { t } = useTranslation('account')
  const given = {
    value,
    'data-autofocus': '',
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  return (
    <Field.Root>
      <Field.Label>{t(proof === 'code' ? 'proof.code' : 'proof.password')}</Field.Label>
      {proof === 'code' ? (
        <Input inputMode="numeric" autoComplete="one-time-code" maxLength={10} {...given} />
      ) : (
        <PasswordInput autoComplete="current-password" {...given} />
      )}
    </Field.Root>
  )
}

/** Asks who the person is, before what they sign in with can change: by password, code or passkey. */
export const ProofForm = ({ titled = true, onProven }: { readonly titled?: boolean; onProven(): void }) => {
  const { t } = useTranslation(['account', 'shell'])
  const { data } = useQuery(passkeysQuery)
  const [isCode, setCode] = useState(false)
  const [value, setValue] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const proofs = data?.proofs ?? []
  const typed: Proof | undefined =
    proofs.includes('password') && !isCode ? 'password' : proofs.find(one => one === 'code')
  const hasBoth = proofs.includes('password') && proofs.includes('code')

  const prove = async (make: () => Promise<BodyOf<'POST /user/confirm'>>) => {
    setBusy(true)
    setError(undefined)
    try {
      await http.post('/user/confirm', { body: await make() })
      onProven()
    } catch (failure) {
      if (isCancelled(failure)) setError(t('passkey.cancelled'))
      else setError(isProblem(failure) ? failure.message : t('shell:error.noanswer'))
    } finally {
      setBusy(false)
    }
  }

  return (
    <chakra.form
      display="grid"
      gap="3"
      noValidate
      aria-label={t('proof.title')}
      onSubmit={event => {
        event.preventDefault()
        if (value === '') setError(t('shell:signin.required'))
        else void prove(async () => (typed === 'code' ? { token: value } : { password: value }))
      }}
    >
      <Stack gap="1">
        {titled ? <Text textStyle="card">{t('proof.title')}</Text> : null}
        <Text textStyle="dense" color="fg.muted">
          {t('proof.text')}
        </Text>
      </Stack>
      {typed === undefined ? null : <ProofField proof={typed} value={value} onChange={setValue} />}
      {data !== undefined && proofs.length === 0 ? <Text textStyle="dense">{t('proof.again')}</Text> : null}
      <ErrorLine text={error} />
      <HStack gap="2" flexWrap="wrap">
        {typed === undefined ? null : (
          <Button type="submit" variant="solid" loading={busy}>
            {t('proof.confirm')}
          </Button>
        )}
        {proofs.includes('passkey') && offersPasskeys(data?.origin) ? (
          <Button disabled={busy} onClick={() => void prove(async () => ({ passkey: await askPasskey() }))}>
            <KeyRound size={15} aria-hidden="true" />
            {t('proof.passkey')}
          </Button>
        ) : null}
        {hasBoth ? (
          <Button
            variant="ghost"
            onClick={() => {
              setValue('')
              setCode(!isCode)
            }}
          >
            {t(isCode ? 'proof.bypassword' : 'proof.bycode')}
          </Button>
        ) : null}
      </HStack>
    </chakra.form>
  )
}
