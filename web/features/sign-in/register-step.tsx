import { Box, Button, chakra, HStack, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '#web/api/failure.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { type Credentials, register, registerWithProvider } from './sign-in-call.ts'

const LENGTH = 6

interface CodeInputProps {
  readonly value: string
  /** The code was refused: the boxes are emptied for another. */
  readonly refused: boolean
  onChange(value: string): void
  /** The last missing one was put in. */
  onDone(value: string): void
}

const BOX = {
  w: '100%',
  maxW: '52px',
  h: '14',
  textAlign: 'center',
  fontSize: '2xl',
  fontWeight: 'semibold',
  fontFamily: 'mono',
  borderWidth: '1px',
  borderColor: 'border.control',
  borderRadius: 'md',
  bg: 'bg.surface',
  focusVisibleRing: 'outside',
} as const

/** Six boxes for the code of an authenticator app; a pasted code fills them all. */
export const CodeInput = ({ value, refused, onChange, onDone }: CodeInputProps) => {
  const { t } = useTranslation('shell')
  const boxes = useRef<(HTMLInputElement | null)[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per refusal, for any input
  useEffect(() => {
    if (refused) onChange('')
    boxes.current[0]?.focus()
  }, [refused])
  const put = (text: string, at: number) => {
    const digits = text.replace(/\D/g, '')
    if (digits === '') return
    const next = (value.slice(0, at) + digits + value.slice(at + digits.length)).slice(0, LENGTH)
    onChange(next)
    boxes.current[Math.min(at + digits.length, LENGTH - 1)]?.focus()
    // Correcting a digit is no new attempt: attempts are counted.
    if (next.length === LENGTH && value.length < LENGTH) onDone(next)
  }
  const onKey = (event: React.KeyboardEvent, at: number) => {
    if (event.key === 'Backspace') {
      event.preventDefault()
      const to = value[at] === undefined ? at - 1 : at
      if (to < 0) return
      onChange(value.slice(0, to) + value.slice(to + 1))
      boxes.current[to]?.focus()
    } else if (event.key === 'ArrowLeft') boxes.current[at - 1]?.focus()
    else if (event.key === 'ArrowRight') boxes.current[at + 1]?.focus()
  }
  return (
    <HStack role="group" aria-label={t('signin.code')} gap="2" justify="space-between">
      {Array.from({ length: LENGTH }, (_, at) => (
        <chakra.input
          // biome-ignore lint/suspicious/noArrayIndexKey: the box of a place
          key={at}
          ref={(box: HTMLInputElement | null) => {
            boxes.current[at] = box
          }}
          aria-label={t('signin.digit', { count: at + 1 })}
          inputMode="numeric"
          autoComplete={at === 0 ? 'one-time-code' : 'off'}
          value={value[at] ?? ''}
          onChange={event => put(event.target.value.slice(value[at] === undefined ? 0 : -1), at)}
          onPaste={event => {
            event.preventDefault()
            put(event.clipboardData.getData('text'), at)
          }}
          onKeyDown={event => onKey(event, at)}
          onFocus={event => event.target.select()}
          {...BOX}
        />
      ))}
    </HStack>
  )
}

const STEPS = ['app', 'scan', 'code'] as const

interface Props {
  readonly credentials?: Credentials
  /** An identity provider has named the person. */
  readonly byProvider?: boolean
  /** Replaces the steps until the person has confirmed their identity; `again` requests the secret again. */
  readonly proof?: (again: () => void) => ReactNode
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
export const RegisterStep = ({ credentials, byProvider = false, proof, busy, error, onCode, onBack }: Props) => {
  const { t } = useTranslation('shell')
  const [at, setAt] = useState(0)
  const [code, setCode] = useState('')
  const registration = useQuery({
    queryKey: ['register2fa', credentials?.username],
    queryFn: () => (byProvider ? registerWithProvider() : register(credentials)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const data = registration.data
  if (proof !== undefined && isProblem(registration.error) && registration.error.code === 'auth.confirm')
    return proof(() => void registration.refetch())
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
