import { Button, Field, Input } from '@chakra-ui/react'
import { LayoutTemplate } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { fieldFailureOf } from '#web/api/failure.ts'
import { Modal } from '#web/components/modal.tsx'

interface Props {
  /** Makes the bot and opens its dialog. */
  make(name: string): Promise<void>
  onClose(): void
}

/** Asks for the name of a bot to make with its first dialog. */
export const FirstBotDialog = ({ make, onClose }: Props) => {
  const { t } = useTranslation('shell')
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    if (name.trim() === '' || isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await make(name)
    } catch (failure) {
      setError(fieldFailureOf(failure, t('error.noanswer')))
      setBusy(false)
    }
  }
  return (
    <Modal
      title={t('first.title')}
      onClose={onClose}
      actions={
        <Button variant="solid" loading={isBusy} disabled={name.trim() === ''} onClick={() => void submit()}>
          {t('first.make')}
        </Button>
      }
    >
      <form onSubmit={event => void submit(event)}>
        <Field.Root invalid={error !== undefined} pt="2">
          <Field.Label>{t('first.name')}</Field.Label>
          <Input data-autofocus="" maxLength={200} value={name} onChange={event => setName(event.target.value)} />
          <Field.HelperText>{t('first.hint')}</Field.HelperText>
          <Field.ErrorText>{error}</Field.ErrorText>
        </Field.Root>
      </form>
      <Button asChild variant="outline" size="sm" mt="4">
        <Link to="/bot/new">
          <LayoutTemplate size={14} aria-hidden="true" />
          {t('first.template')}
        </Link>
      </Button>
    </Modal>
  )
}
