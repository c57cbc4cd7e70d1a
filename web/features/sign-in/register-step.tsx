import { Box, Button, chakra, HStack, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorLine } from '#web/components/error-state.tsx'
import { CodeInput } from './code-input.tsx'
import { type Credentials, register } from './sign-in-call.ts'

const STEPS = ['app', 'scan', 'code'] as const

interface Props {
  readonly credentials?: Credentials
  readonly busy: boolean
  readonly error: string | undefined
  onCode(code: string): void
  onBack(): void
}

const sourceOf = (qr: string) => (qr.trimStart().startsWith('<') ? `data:image/svg+xml,${encodeURIComponent(qr)}` : qr)

const Progress = ({ at }: { readonly at: number }) => {
  const { t } = useTranslation('shell')
  return (
    <chakra.ol display="flex" listStyleType="none" gap="2" mb="1">
      {STEPS.map((step, index) => (
        <chakra.li key={step} flex="1" aria-current={index === at ? 'step' : undefined}>
          <Box h="3px" borderRadius="full" bg={index <= at ? 'accent.solid' : 'bg.emphasized'} mb="1.5" />
          <HStack
            gap="1"
            textStyle="secondary"
            color={index === at ? 'fg' : 'fg.subtle'}
            fontWeight={index === at ? 'semibold' : 'normal'}
          >
            {index < at ? <Check size={12} aria-hidden="true" /> : <span>{index + 1}</span>}
            {t(`signin.step.${step}`)}
          </HStack>
        </chakra.li>
      ))}
    </chakra.ol>
  )
}

type Registration = Awaited<ReturnType<typeof register>>

const ScanStep = ({ registration }: { readonly registration: Registration | undefined }) => {
  const { t } = useTranslation('shell')
  return (
    <Stack gap="3">
      <Text color="fg.muted">{t('signin.scantext')}</Text>
      {registration === undefined ? (
        <Skeleton boxSize="180px" />
      ) : (
        <chakra.img
          src={sourceOf(registration.qr)}
          alt={t('signin.qralt')}
          boxSize="180px"
          bg="white"
          p="2"
          borderRadius="lg"
          borderWidth="1px"
        />
      )}
      <Text textStyle="secondary" color="fg.muted">
        {t('signin.secret')}
      </Text>
      <Text textStyle="code" bg="bg.sunken" px="3" py="2" borderRadius="md" overflowWrap="anywhere" userSelect="all">
        {registration?.secret ?? '…'}
      </Text>
    </Stack>
  )
}

/** Registers an authenticator app in three steps: the app, the picture, the first code. */
export const RegisterStep = ({ credentials, busy, error, onCode, onBack }: Props) => {
  const { t } = useTranslation('shell')
  const [at, setAt] = useState(0)
  const [code, setCode] = useState('')
  const registration = useQuery({
    queryKey: ['register2fa', credentials?.username],
    queryFn: () => register(credentials),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const data = registration.data
  return (
    <Stack gap="4">
      <Progress at={at} />
      {at === 0 ? <Text color="fg.muted">{t('signin.apptext')}</Text> : null}
      {at === 1 ? <ScanStep registration={data} /> : null}
      {at === 2 ? <CodeInput value={code} refused={error !== undefined} onChange={setCode} onDone={onCode} /> : null}
      <ErrorLine text={error ?? registration.error?.message} />
      <Button
        variant="solid"
        size="lg"
        h={{ base: '11', md: '10' }}
        loading={busy}
        disabled={at === 2 ? code.length < 6 : at === 1 && data === undefined}
        onClick={() => (at === 2 ? onCode(code) : setAt(at + 1))}
      >
        {at === 2 ? t('signin.verify') : t('signin.next')}
      </Button>
      <Button variant="ghost" onClick={() => (at === 0 ? onBack() : setAt(at - 1))}>
        {t('signin.back')}
      </Button>
    </Stack>
  )
}
