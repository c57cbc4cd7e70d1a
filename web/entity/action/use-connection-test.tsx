import { Button } from '@chakra-ui/react'
import { PlugZap } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '#web/api/failure.ts'
import { useSession } from '#web/api/session.ts'
import { notice } from '#web/notice/notice.ts'

/** A connection test of what is saved: its button for those who may, and what came of the last one. */
export const useConnectionTest = <T,>(
  entity: string,
  ask: () => Promise<T>,
): { answer: T | undefined; button: ReactNode; test(): Promise<void> } => {
  const { t } = useTranslation('shell')
  const { t: own } = useTranslation(`entity/${entity}`)
  const { can } = useSession()
  const [answer, setAnswer] = useState<T>()
  const [busy, setBusy] = useState(false)
  const test = async () => {
    setBusy(true)
    try {
      setAnswer(await ask())
    } catch (error) {
      notice.toast(isProblem(error) && error.status > 0 ? error.message : t('error.noanswer'), { tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }
  const button = can(`test${entity}`) ? (
    <Button variant="outline" loading={busy} title={own('action.test.saved')} onClick={() => void test()}>
      <PlugZap size={15} aria-hidden="true" />
      {own('action.test.do')}
    </Button>
  ) : null
  return { answer, button, test }
}
