import { Button, Text } from '@chakra-ui/react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker } from 'react-router'
import { Modal } from '#web/components/modal.tsx'

let dirty = 0

/** Whether a form holds changes that are not saved. */
export const isUnsaved = (): boolean => dirty > 0

/** Says for as long as it is mounted that there are such changes; closing the tab then asks. */
export const useUnsaved = (unsaved: boolean): void => {
  useEffect(() => {
    if (!unsaved) return
    dirty += 1
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => {
      dirty -= 1
      removeEventListener('beforeunload', ask)
    }
  }, [unsaved])
}

/** Going elsewhere with unsaved changes asks first. */
export const UnsavedPrompt = () => {
  const { t } = useTranslation('shell')
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved() && currentLocation.pathname !== nextLocation.pathname,
  )
  if (blocker.state !== 'blocked') return null
  return (
    <Modal
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
