import { Button, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { useBlocker } from 'react-router'
import { Modal } from '#web/components/modal.tsx'
import { isUnsaved } from './unsaved.ts'

/** Going elsewhere with unsaved changes asks first. */
export const UnsavedPrompt = () => {
  const { t } = useTranslation('shell')
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved() && currentLocation.pathname !== nextLocation.pathname,
  )
  if (blocker.state !== 'blocked') return null
  return (
    <Modal
      open
      alert
      title={t('leave.title')}
      onClose={() => blocker.reset()}
      footer={
        <>
          <Button variant="ghost" onClick={() => blocker.proceed()}>
            {t('leave.leave')}
          </Button>
          <Button variant="solid" data-autofocus="" onClick={() => blocker.reset()}>
            {t('leave.stay')}
          </Button>
        </>
      }
    >
      <Text color="fg.muted">{t('leave.text')}</Text>
    </Modal>
  )
}
