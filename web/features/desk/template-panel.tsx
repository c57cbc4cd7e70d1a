import { Button, HStack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { LayoutTemplate } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { ErrorState } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { TemplateForm } from '#web/features/conversation/index.ts'
import { type DeskChatDetail, deskAct } from './desk-query.ts'

interface DialogProps {
  readonly chat: DeskChatDetail
  readonly onClose: () => void
}

const TemplateDialog = ({ chat, onClose }: DialogProps) => {
  const { t } = useTranslation('desk')
  const client = useQueryClient()
  const { conversation: id, position: seen } = chat
  const { data, error, refetch } = useQuery({
    queryKey: ['desk', 'templates', id],
    queryFn: ({ signal }) => http.get('/desk/chat/{id}/templates', { params: { id }, signal }),
  })
  return (
    <Modal onClose={onClose} title={t('template.title', { name: chat.person })}>
      {data !== undefined ? (
        data.items.length === 0 ? (
          <Text color="fg.muted">{t('template.empty')}</Text>
        ) : (
          <TemplateForm
            templates={data.items}
            onSend={async chosen => {
              await deskAct.template(id, { ...chosen, seen })
              await client.invalidateQueries({ queryKey: ['desk'] })
            }}
            onClose={onClose}
          />
        )
      ) : error === null ? (
        <RowsSkeleton rows={3} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Modal>
  )
}

/** Over the answer field of a chat whose channel accepts only templates. */
export const TemplateOffer = ({ chat }: { readonly chat: DeskChatDetail }) => {
  const { t } = useTranslation('desk')
  const [isOpen, setOpen] = useState(false)
  if (chat.window === null || Date.parse(chat.window) > Date.now()) return null
  return (
    <HStack
      px={{ base: '3', md: '5' }}
      py="2.5"
      gap="3"
      flexWrap="wrap"
      flex="none"
      bg="bg.surface"
      borderTopWidth="1px"
    >
      <Text flex="1" minW="200px" textStyle="dense">
        {t('template.offer', { name: chat.person })}
      </Text>
      <Button minH={{ base: '11', md: '9' }} flexGrow={{ base: 1, md: 0 }} onClick={() => setOpen(true)}>
        <LayoutTemplate size={15} aria-hidden="true" />
        {t('template.open')}
      </Button>
      {isOpen ? <TemplateDialog chat={chat} onClose={() => setOpen(false)} /> : null}
    </HStack>
  )
}
