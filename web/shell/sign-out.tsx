import { Button, Text } from '@chakra-ui/react'
import { CloudOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { countUnsyncedEdits, eraseDrafts, eraseUnsyncedEdits } from '#web/browser-databases.ts'
import { Modal } from '#web/components/modal.tsx'
import { runDelayedWrites } from '#web/delayed-write.ts'
import { basePath } from '#web/i18n/path-language.ts'
import { LIST, RECENT, SAMPLES } from './storage-keys.ts'

/** Removes names, searches and filters, which the next user must not see. Keeps the appearance settings. */
const eraseTraces = (): void => {
  for (const key of Object.keys(localStorage))
    if (key === RECENT || key.startsWith(LIST) || key.startsWith(SAMPLES)) localStorage.removeItem(key)
}

/** Ends the session, even without a server response, here and at the identity provider it was begun with. */
const signOut = async (): Promise<void> => {
  await runDelayedWrites()
  // Read before the session ends.
  const provider = await http.get('/auth/oidc/signout').catch(() => undefined)
  await http.post('/auth/logout').catch(() => undefined)
  eraseTraces()
  // Drawings made offline must not outlive the session.
  await eraseUnsyncedEdits().catch(() => undefined)
  await eraseDrafts().catch(() => undefined)
  location.assign(provider?.url ?? `${basePath()}/login`)
}

/** Signs out, at once or after one has agreed to lose the edits that only this browser has. */
export const SignOut = ({ onStay }: { readonly onStay: () => void }) => {
  const { t } = useTranslation('shell')
  const [kept, setKept] = useState(0)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    void countUnsyncedEdits()
      .catch(() => 0)
      .then(count => (count === 0 ? signOut() : setKept(count)))
  }, [])
  const leave = () => {
    setBusy(true)
    void signOut()
  }
  return (
    <Modal
      open={kept > 0}
      alert
      tone="danger"
      icon={<CloudOff size={18} aria-hidden="true" />}
      title={t('signout.title', { count: kept })}
      onClose={onStay}
      footer={
        <>
          <Text flex="1" />
          <Button variant="ghost" data-autofocus onClick={onStay}>
            {t('signout.stay')}
          </Button>
          <Button variant="solid" colorPalette="danger" loading={busy} onClick={leave}>
            {t('signout.anyway')}
          </Button>
        </>
      }
    >
      <Text>{t('signout.text')}</Text>
    </Modal>
  )
}
