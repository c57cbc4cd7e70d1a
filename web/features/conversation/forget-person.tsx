import { Button } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { UserX } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'

/** Forgets the person of a conversation: their messages become unreadable. */
export const ForgetPerson = ({ id, name }: { readonly id: string; readonly name: string }) => {
  const { t } = useTranslation('operation')
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const forget = async () => {
    await http.post('/conversation/{id}/forget', { params: { id }, body: { confirm: 'CONFIRM' } })
    await client.invalidateQueries({ queryKey: ['conversation'] })
  }
  return (
    <>
      <Button size="xs" variant="outline" mt="3" onClick={() => setAsking(true)}>
        <UserX size={14} aria-hidden="true" />
        {t('forget.do')}
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={t('forget.title', { name })}
          action={t('forget.do')}
          icon={<UserX size={18} aria-hidden="true" />}
          onConfirm={forget}
          onClose={() => setAsking(false)}
        >
          {t('forget.text')}
        </ConfirmDialog>
      ) : null}
    </>
  )
}
