import { Button } from '@chakra-ui/react'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { SaveTestForm } from './save-test-form.tsx'

interface KeepConversationProps {
  readonly id: string
  readonly bot: string
  /** Whether what was said may be read. */
  readonly words: boolean
}

/** Keeps what was said in a conversation as a test of its bot. */
export const SaveConversationAsTest = ({ id, bot, words }: KeepConversationProps) => {
  const { t } = useTranslation('conversationtest')
  const { can } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (!words || !can('createconversationtest')) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <FlaskConical size={14} aria-hidden="true" />
        {t('keep.do')}
      </Button>
      {isOpen ? (
        <SaveTestForm
          bot={bot}
          source="conversation"
          name=""
          fileOf={name => http.post('/conversation/{id}/test', { params: { id }, body: { name } })}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}
