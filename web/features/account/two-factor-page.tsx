import { Box, Button, chakra, Field, HStack, Stack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Copy, Download, KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { RECOVERY_CODES } from '#domain/people/sign-in.ts'
import { isProblem, Problem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { PasswordInput } from '#web/components/password-input.tsx'
import { saveFile } from '#web/components/save-file.ts'
import { submits } from '#web/components/submits.ts'
import { notice } from '#web/notice/notice.ts'
import { useCopy } from '#web/notice/use-copy.ts'
import { Page } from '#web/page/page.tsx'
import { useGuardedNavigate } from '#web/page/use-address.ts'
import { RegisterStep, verify } from '../sign-in/index.ts'
import { PasskeysCard } from './passkeys-card.tsx'
import { ProofForm } from './proof-form.tsx'

const KEY = ['recoverycodes'] as const

/** The codes, this once, to be kept somewhere else. */
const ShownCodes = ({ codes }: { readonly codes: readonly string[] }) => {
  const { t } = useTranslation(['account', 'shell'])
  const text = `${codes.join('\n')}\n`
  const copy = useCopy()
  return (
    <Stack gap="3">
      <Text color="warning.fg">{t('recovery.once')}</Text>
      <chakra.ol
        display="grid"
        gridTemplateColumns={{ base: '1fr', md: '1fr 1fr' }}
        columnGap="5"
        rowGap="1"
        p="3"
        bg="bg.sunken"
        borderRadius="md"
        listStyleType="none"
        fontFamily="mono"
        aria-label={t('recovery.title')}
      >
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </chakra.ol>
      <HStack gap="2">
        <Button onClick={() => void copy(text)}>
          <Copy size={15} aria-hidden="true" />
          {t('shell:copy')}
        </Button>
        <Button onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'parley-recovery-codes.txt')}>
          <Download size={15} aria-hidden="true" />
          {t('recovery.save')}
        </Button>
      </HStack>
    </Stack>
  )
}

const MakeCodes = ({
  left,
  onMade,
}: {
  readonly left: number
  readonly onMade: (codes: readonly string[]) => void
}) => {
  const { t } = useTranslation(['account', 'shell'])
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const make = async () => {
    if (password === '') return setError(t('shell:signin.required'))
    setBusy(true)
    setError(undefined)
    try {
      const { codes } = await http.post('/user/recoverycodes', { body: { password } })
      onMade(codes)
      await client.invalidateQueries({ queryKey: KEY })
    } catch (failure) {
      setError(isProblem(failure) ? failure.message : t('shell:error.noanswer'))
      setBusy(false)
    }
  }
  return (
    <chakra.form display="grid" gap="3" noValidate onSubmit={submits(make)}>
      <Field.Root>
        <Field.Label>{t('recovery.password')}</Field.Label>
        <PasswordInput
          autoComplete="current-password"
          value={password}
          onChange={event => setPassword(event.target.value)}
        />
      </Field.Root>
      <ErrorLine text={error} />
      <Button type="submit" variant="solid" loading={isBusy} w="fit-content">
        <KeyRound size={15} aria-hidden="true" />
        {t(left === 0 ? 'recovery.make' : 'recovery.again')}
      </Button>
    </chakra.form>
  )
}

/** Ten recovery codes in place of the authenticator, each valid once; shown if one is registered. */
const RecoveryCodes = () => {
  const { t } = useTranslation(['account', 'shell'])
  const [codes, setCodes] = useState<readonly string[]>()
  const { data } = useQuery({ queryKey: KEY, queryFn: () => http.get('/user/recoverycodes') })
  if (data?.twofactorenabled !== true) return null
  return (
    <Stack
      as="section"
      aria-labelledby="recovery"
      gap="3"
      mt="5"
      maxW="480px"
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="lg"
      p={{ base: '4', md: '6' }}
    >
      <Text as="h2" id="recovery" textStyle="card">
        {t('recovery.title')}
      </Text>
      <Text textStyle="dense" color="fg.muted">
        {t('recovery.text')}
      </Text>
      <Text role="status" textStyle="dense" fontWeight="medium">
        {t('recovery.left', { count: data.left, all: RECOVERY_CODES })}
      </Text>
      {codes === undefined ? <MakeCodes left={data.left} onMade={setCodes} /> : <ShownCodes codes={codes} />}
    </Stack>
  )
}

/** Registers or replaces one's own second factor, and lists one's passkeys. */
export const TwoFactorPage = () => {
  const { t } = useTranslation(['account', 'shell'])
  const navigate = useNavigate()
  const goOn = useGuardedNavigate()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const confirm = async (code: string) => {
    setBusy(true)
    setError(undefined)
    try {
      await verify(code)
      notice.snack(t('shell:twofactor.done'), { tone: 'positive' })
      await goOn('/')
    } catch (failure) {
      setError(failure instanceof Problem ? failure.message : t('shell:error.noanswer'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Page title={t('shell:twofactor.title')} purpose={t('shell:twofactor.text')}>
      <Box maxW="480px" bg="bg.surface" borderWidth="1px" borderRadius="lg" p={{ base: '4', md: '6' }}>
        <RegisterStep
          busy={busy}
          error={error}
          proof={again => <ProofForm onProven={again} />}
          onCode={code => void confirm(code)}
          onBack={() => void navigate('/')}
        />
      </Box>
      <RecoveryCodes />
      <PasskeysCard />
    </Page>
  )
}
