import { Button } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'

interface Props {
  /** Id of the form that the verb submits. */
  readonly form: string
  readonly verb: string
  readonly busy: boolean
  readonly isReady: boolean
  onClose(): void
}

/** Leaves the dialog, or submits its form. */
export const DialogButtons = ({ form, verb, busy, isReady, onClose }: Props) => {
  const { t } = useTranslation('shell')
  return (
    <>
      <Button variant="ghost" onClick={onClose}>
        {t('cancel')}
      </Button>
      <Button variant="solid" type="submit" form={form} loading={busy} disabled={!isReady}>
        {verb}
      </Button>
    </>
  )
}
