import { Box, Button, Text } from '@chakra-ui/react'
import { Eye } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { ErrorLine } from '#web/components/error-line.tsx'
import { Modal } from '#web/components/modal.tsx'
import type { Row } from '#web/entity/entity-query.ts'
import { basePath } from '#web/i18n/path-language.ts'

interface Props {
  readonly row: Row
  onClose(): void
}

/** Asks before the console is shown as a person sees it: the audit says who looked. */
export const SeeAsDialog = ({ row, onClose }: Props) => {
  const { t } = useTranslation('shell')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const name = String(row.username)
  const begin = async () => {
    setBusy(true)
    try {
      await http.post('/auth/seeas', { body: { user: row.id } })
      // Nothing that was read with other rights is kept.
      location.assign(`${basePath()}/`)
    } catch (failure) {
      setError(failureOf(failure, t('error.noanswer')))
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      title={t('seeas.title', { name })}
      icon={<Eye size={18} aria-hidden="true" />}
      onClose={onClose}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button variant="solid" data-autofocus="" loading={busy} onClick={() => void begin()}>
            {t('seeas.do')}
          </Button>
        </>
      }
    >
      <Text textStyle="body" color="fg.muted">
        {t('seeas.text', { name })}
      </Text>
      {error === undefined ? null : (
        <Box mt="3">
          <ErrorLine text={error} />
        </Box>
      )}
    </Modal>
  )
}
