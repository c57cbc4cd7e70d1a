import { Button, chakra, Field, Input, Text } from '@chakra-ui/react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readRecoveryCode } from '#domain/people/sign-in.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { CodeInput } from './code-input.tsx'

interface Props {
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
export const CodeStep = ({ busy, error, onCode, onBack }: Props) => {
  const { t } = useTranslation('shell')
  const [code, setCode] = useState('')
  const [isRecovery, setRecovery] = useState(false)
  return (
    <chakra.form
      display="grid"
      gap="4"
      onSubmit={event => {
        event.preventDefault()
        onCode(code)
      }}
    >
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
